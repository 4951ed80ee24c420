import {
  binary,
  bind,
  call,
  collect,
  conditional,
  type Expression,
  literal,
  member,
  query,
  variable,
} from "../../expressions/index.ts";
import type { Action, EventGroup } from "../../generated/serverless-workflow-definition.ts";
import type { Branch, Handler, Reference, Scope } from "../../ir/workflow.ts";
import { listNames } from "../../text/messages.ts";
import type { Span } from "../../text/source.ts";
import { pathAt, secondsAt, selectedOr, spanOf, statedSpan } from "../shared/properties.ts";
import { complete, declare, end, reserve, type StepFragment, sequence, stepsIn } from "../shared/steps.ts";
import type { Writer } from "./context.ts";
import { assignData, data, mergeByPath, mergeWhole, templateAt } from "./data.ts";
import { silentTimeout } from "./diagnostics/kinds.ts";

/** Steps that may skip to `skip`, the end of the state's work. */
export type SkippableFragment = (next: Reference, skip: Reference) => Reference;

/**
 * Serverless Workflow (draft of 2020), Action Definition: performs actions in sequence, each seeing the results before
 * it, or in parallel.
 */
export function lowerActions(
  writer: Writer,
  owner: Pick<EventGroup, "actionMode" | "actions">,
  following: readonly Action[] = [],
): SkippableFragment {
  const { actions, actionMode } = owner;
  if (actionMode === "parallel" && actions.length > 1) return parallelActions(writer, actions);
  const names = [...actions, ...following].map(nameOf);
  const performed = actions.map((action, i) => lowerAction(writer, action, () => listCalls(names.slice(i + 1))));
  return (next, skip) => performed.reduceRight((following, perform) => perform(following, skip), next);
}

/** Ignores `skip`: no work is left. */
export const withoutSkip =
  (steps: SkippableFragment): StepFragment =>
  (next) =>
    steps(next, next);

/** What a timeout skips: ", and `f` and `g` are not called". */
const listCalls = (names: readonly string[]): string =>
  names.length === 0 ? "" : `, and ${listNames(names)} ${names.length === 1 ? "is" : "are"} not called`;

const nameOf = ({ name, functionRef }: Action): string => name ?? functionRef.refName;

/** Calls the function and merges its result. `skipped`: what a timeout skips, for the message. */
export function lowerAction(writer: Writer, action: Action, skipped: () => string): SkippableFragment {
  const timeout = timeoutOf(writer, action, skipped);
  const called = reserveCall(writer, action, declare(writer, "result"), timeout);
  const merged = assignData(
    writer,
    "merge",
    spanOf(writer.context, action),
    mergeResult(writer, action, data, variable("result")),
  );
  return (next, skip) => called(merged(next), timeout.proceeds ? skip : undefined);
}

interface ActionTimeout {
  readonly seconds: number | undefined;
  readonly proceeds: boolean;
}

/** The draft lets a state without error handling continue after a timeout. */
function timeoutOf({ context, scope, state }: Writer, action: Action, skipped = () => ""): ActionTimeout {
  if (action.timeout === undefined) return { seconds: undefined, proceeds: false };
  const handled = Boolean(state.retry?.length || state.onError?.length);
  const proceeds = scope.plan.kind === "workflow" && !handled && context.settings.timeout === "proceed";
  const seconds = secondsAt(context, action, "timeout");
  if (proceeds && seconds !== undefined)
    context.report(silentTimeout(spanOf(context, action, "timeout"), { what: "this action", skipped: skipped() }));
  return { seconds, proceeds };
}

type CallFragment = (next: Reference, onTimeout: Reference | undefined) => Reference;

function reserveCall(writer: Writer, action: Action, variableName: string, timeout: ActionTimeout): CallFragment {
  const { context } = writer;
  const span = spanOf(context, action.functionRef, "refName");
  const { base, reference, fill } = reserve(writer, action.name ?? action.functionRef.refName, span);
  const argument = argumentOf(writer, action);
  return (next, onTimeout) => {
    const handlers = onTimeout ? [timeoutHandler(onTimeout, span)] : [];
    const called = { name: action.functionRef.refName, span };
    fill({
      ...base,
      kind: "call",
      function: called,
      argument,
      wait: true,
      timeout: timeout.seconds,
      spans: {
        timeout: statedSpan(context, action, "timeout"),
        argument: statedSpan(context, action.functionRef, "parameters"),
      },
      retries: [],
      bind: variableName,
      handlers,
      next,
    });
    return reference;
  };
}

const timeoutHandler = (next: Reference, span: Span): Handler => ({
  when: binary("==", member(variable("error"), "origin"), literal("timeout")),
  next,
  span,
});

function argumentOf({ context }: Writer, { functionRef, actionDataFilter }: Action): Expression {
  const path =
    actionDataFilter?.dataInputPath === undefined
      ? undefined
      : pathAt(context, actionDataFilter, "dataInputPath", data);
  const input = path ? selectedOr(path, data) : data;
  if (functionRef.parameters === undefined) return input;
  if (input.kind === "variable") return templateAt(context, functionRef, "parameters", input);
  const argument = templateAt(context, functionRef, "parameters", variable("input"));
  return argument.kind === "literal" ? argument : bind("input", input, argument);
}

function mergeResult({ context }: Writer, action: Action, target: Expression, result: Expression): Expression {
  const incoming = { target, roots: [result], key: literal(action.name ?? action.functionRef.refName) } as const;
  const filter = action.actionDataFilter;
  const byPath =
    filter?.dataResultsPath === undefined ? undefined : mergeByPath(context, filter, "dataResultsPath", incoming);
  return byPath ?? mergeWhole(context, incoming);
}

/** If a timeout is ignored, the branch's result is an array, empty after a timeout. */
function parallelActions(writer: Writer, actions: readonly Action[]): StepFragment {
  const span = spanOf(writer.context, writer.state, "actionMode");
  const { base, reference, fill } = reserve(writer, "actions", span);
  const names = branchNames(actions);
  const timeouts = actions.map((action) => timeoutOf(writer, action));
  const branches = actions.map((action, i) => actionBranch(writer, action, names[i]!, timeouts[i]!));
  const results = declare(writer, "results");
  const merges = actions.map((action, i) =>
    mergeBranchResult(writer, action, member(variable(results), names[i]!), timeouts[i]!),
  );
  return (next) => {
    const joined = { join: { kind: "all" }, failure: "fatal", retries: [], handlers: [] } as const;
    fill({ ...base, kind: "fork", branches, ...joined, bind: results, next: sequence(...merges)(next) });
    return reference;
  };
}

function mergeBranchResult(
  writer: Writer,
  action: Action,
  result: Expression,
  { proceeds }: ActionTimeout,
): StepFragment {
  const selected = proceeds ? query(result, [{ descend: false, selectors: [{ kind: "index", index: 0 }] }]) : result;
  const merged = mergeResult(writer, action, data, selected);
  const span = spanOf(writer.context, action);
  return assignData(writer, "merge", span, proceeds ? conditional(call("exists", selected), merged, data) : merged);
}

function actionBranch(writer: Writer, action: Action, name: string, timeout: ActionTimeout): Branch {
  const inner: Writer = { ...writer, slots: [] };
  const span = spanOf(writer.context, action);
  const called = reserveCall(inner, action, "result", timeout);
  const value = timeout.proceeds ? collect(variable("result")) : variable("result");
  const done = end(inner, "result", span, { outcome: "leave", extent: "scope", value });
  const late = timeout.proceeds
    ? end(inner, "timeout", span, { outcome: "leave", extent: "scope", value: literal([]) })
    : undefined;
  const entry = called(complete(done, span), late && complete(late, span));
  const scope: Scope = {
    entry,
    variables: [{ name: "result" }],
    steps: stepsIn(inner),
    span,
  };
  return { name, scope, span };
}

function branchNames(actions: readonly Action[]): readonly string[] {
  const taken = new Map<string, number>();
  return actions.map(({ name, functionRef }) => {
    const wanted = name ?? functionRef.refName;
    let count = taken.get(wanted) ?? 0;
    let unique = wanted;
    while (taken.has(unique)) unique = `${wanted}-${++count + 1}`;
    taken.set(wanted, count);
    if (unique !== wanted) taken.set(unique, 0);
    return unique;
  });
}
