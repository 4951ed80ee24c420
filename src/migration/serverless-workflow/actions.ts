import { assumption, similarForm } from "../../diagnostics/migration.ts";
import type { Action as Written } from "../../generated/serverless-workflow-definition.ts";
import { memberPath } from "../jq-text.ts";
import type { Action, FunctionDefinition } from "../model.ts";
import type { ReaderContext } from "./context.ts";
import { namedValue, pathProgram, templateOf } from "./paths.ts";

/** Reads the actions of a state. `hasHandlers`: whether it has retries or handlers, which see timeouts. */
export const readActions = (
  context: ReaderContext,
  actions: readonly Written[],
  hasHandlers: boolean,
): readonly Action[] =>
  actions.map((action, i) => {
    const read = readAction(context, action, hasHandlers);
    if (read.isTimeoutIgnored && i < actions.length - 1)
      context.tell(
        similarForm,
        { owner: action, key: "timeout" },
        {
          construct: "The timeout of an action",
          form: "a `catch` without tasks",
          difference: "the actions that follow are performed",
        },
      );
    return read;
  });

/** Reads an action. */
export function readAction(context: ReaderContext, action: Written, hasHandlers: boolean): Action {
  const { functionRef, timeout, actionDataFilter: filter = {} } = action;
  const { refName, parameters } = functionRef;
  const from =
    filter.dataInputPath === undefined
      ? undefined
      : pathProgram(context, filter.dataInputPath, { owner: filter, key: "dataInputPath" })?.jq;
  return {
    name: action.name,
    place: { owner: action },
    work: {
      kind: "function",
      function: functionNamed(context, refName, action),
      argument:
        parameters === undefined
          ? undefined
          : templateOf(context, parameters, { owner: functionRef, key: "parameters" }),
      isAwaited: true,
    },
    condition: undefined,
    before: undefined,
    after: undefined,
    from: from === "." ? undefined : from,
    ...resultOf(context, filter, action.name ?? refName),
    isResultUsed: true,
    timeout,
    isTimeoutIgnored:
      timeout !== undefined && !hasHandlers && !context.isNested && context.options.timeout === "proceed",
    retry: undefined,
  };
}

/** The path selects a part of the result, whose name it gets; or else it is the place of the whole result. */
function resultOf(
  context: ReaderContext,
  filter: NonNullable<Written["actionDataFilter"]>,
  name: string,
): Pick<Action, "results" | "to"> {
  const text = filter.dataResultsPath;
  const place = { owner: filter, key: "dataResultsPath" };
  const path = text?.trimStart().startsWith("$") ? pathProgram(context, text, place) : undefined;
  if (!path || path.jq === ".") return { results: namedValue(context, name), to: undefined };
  const { jq, names, lastName } = path;
  if (names?.length === 1) {
    context.tell(assumption, place, {
      expression: `${jq}? // .`,
      assumed: `\`${jq}\` of the result is not null or false`,
      otherwise: `If the function returns the value itself, write \`.\`.`,
    });
    return { results: `${jq}? // .`, to: { jq, names } };
  }
  if (names) {
    context.tell(assumption, place, {
      expression: ".",
      assumed: `the result has no \`${jq}\``,
      otherwise: `If it has one, write \`{ ${memberPath(lastName ?? "").replace(/^\./, "")}: ${jq} }\`.`,
    });
    return { results: undefined, to: { jq, names } };
  }
  context.tell(assumption, place, {
    expression: jq,
    assumed: "the result has what the path selects",
    otherwise: "The draft merges nothing otherwise.",
  });
  return { results: jq, to: lastName === undefined ? undefined : { jq: memberPath(lastName), names: [lastName] } };
}

function functionNamed(context: ReaderContext, name: string, action: Written): FunctionDefinition {
  const found = context.functions.get(name);
  return { name, type: "custom", operation: found?.resource ?? "", place: { owner: found ?? action } };
}
