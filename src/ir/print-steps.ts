import { type Expression, printExpression } from "../expressions/index.ts";
import { assertNever, printJson } from "../json.ts";
import { handlersOf, retriesOf } from "./walk.ts";
import type {
  Alternative,
  Attempt,
  Backoff,
  Call,
  ForEach,
  Fork,
  Handler,
  Pattern,
  Retry,
  Scope,
  Step,
} from "./workflow.ts";

/**
 * One step: what it does on the first line; scopes, retries, handlers and where it goes indented below. `following` is the id of the
 * step that is printed next: going there needs no words.
 */
export function stepLines(
  step: Step,
  following: string | undefined,
  scopeLines: (scope: Scope) => readonly string[],
): readonly string[] {
  const bound = "bind" in step && step.bind !== undefined ? ` -> ${name(step.bind)}` : "";
  const origin = step.origin.entry ? `   # ${step.origin.noun} ${printJson(step.origin.name)}` : "";
  return [
    `${name(step.id)}: ${action(step)}${bound}${origin}`,
    ...indent([
      ...inner(step, scopeLines),
      ...retriesOf(step).map(retryLine),
      ...handlersOf(step).map(handlerLine),
      ...("next" in step && step.next.name !== following ? [`then ${name(step.next.name)}`] : []),
    ]),
  ];
}

/** A combination of events, on one line. */
export function alternativeText({ all, none, within: seconds }: Alternative): string {
  const groups = all.map((group) => (group.length === 1 ? pattern(group[0]!) : `(${group.map(pattern).join(" or ")})`));
  return `${groups.join(" and ") || "nothing"}${none.length > 0 ? ` without ${none.map(pattern).join(" or ")}` : ""}${within(seconds)}`;
}

/** A name as it is printed: bare when it is a plain word, else quoted. */
export const name = (text: string): string => (/^[\p{L}\p{N}_.$/?!-]+$/u.test(text) ? text : printJson(text));

/** Lines one level further in. */
export const indent = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

const secretsText = ({ secrets = [] }: Call): string =>
  secrets
    .map(
      ({ bind, id, key, version }) =>
        ` with $${bind} = secret ${[id, key, ...(version === undefined ? [] : [version])].map(printJson).join(" ")}`,
    )
    .join("");

const pattern = ({ event, when }: Pattern): string =>
  `${name(event.name)}${when ? ` when (${printExpression(when)})` : ""}`;

function action(step: Step): string {
  switch (step.kind) {
    case "assign":
      return step.values.length === 1 ? assignment(step.values[0]!) : "assign";
    case "choose":
      return "choose";
    case "call":
      return `${step.wait ? "call" : "fire"} ${name(step.function.name)}(${printExpression(step.argument)})${secretsText(step)}${within(step.timeout)}`;
    case "delay":
      return step.wait.kind === "for"
        ? `wait for ${printExpression(step.wait.seconds)} s`
        : `wait until ${printExpression(step.wait.instant)}`;
    case "receive":
      return `receive, ${step.unused} the unused`;
    case "emit":
      return `emit ${name(step.event.name)}(${printExpression(step.data)})${step.attributes ? ` with ${printJson(step.attributes)}` : ""}`;
    case "invoke":
      return `${step.wait ? "run" : "start"} ${name(step.workflow.name)}(${printExpression(step.input)})${step.terminates ? " whose terminate ends this" : ""}${within(step.timeout)}`;
    case "fork":
    case "foreach":
    case "attempt":
      return composite(step);
    case "end":
      return `${step.outcome === "leave" ? "end" : "fail"}${step.extent === "run" ? " the run" : ""} with ${printExpression(step.value)}`;
    default:
      return assertNever(step);
  }
}

function composite(step: Fork | ForEach | Attempt): string {
  switch (step.kind) {
    case "fork":
      return `fork ${join(step)}`;
    case "foreach":
      return `for each ${name(step.element)}${step.index === undefined ? "" : `, ${name(step.index)}`} in ${printExpression(step.items)}${pace(step)}`;
    case "attempt":
      return `attempt${step.restore.length > 0 ? ` restoring ${step.restore.map(name).join(", ")}` : ""}${within(step.timeout)}`;
    default:
      return assertNever(step);
  }
}

function inner(step: Step, scopeLines: (scope: Scope) => readonly string[]): readonly string[] {
  switch (step.kind) {
    case "assign":
      return step.values.length === 1 ? [] : step.values.map(assignment);
    case "choose":
      return [
        ...step.cases.map(({ when, next }) => `when ${printExpression(when)} then ${name(next.name)}`),
        `else ${step.otherwise ? name(step.otherwise.name) : "fail with NoChoiceMatched"}`,
      ];
    case "receive":
      return step.alternatives.map((alternative, i) => `${i}: ${alternativeText(alternative)}`);
    case "fork":
      return step.branches.flatMap((branch) => [`branch ${name(branch.name)}`, ...indent(scopeLines(branch.scope))]);
    case "foreach":
      return scopeLines(step.scope);
    case "attempt":
      return scopeLines(step.body);
    default:
      return [];
  }
}

const assignment = ({ variable, value }: { readonly variable: string; readonly value: Expression }): string =>
  `${name(variable)} := ${printExpression(value)}`;

const within = (seconds: number | undefined): string => (seconds === undefined ? "" : ` within ${seconds} s`);

function join({ join: joined, failure, width, branches }: Fork): string {
  const count = joined.kind === "all" ? "all" : `${joined.count} of ${branches.length}`;
  return `joining ${count}${failure === "spare" ? ", sparing failures" : ""}${width === undefined ? "" : `, ${width} at once`}`;
}

function pace({ width, gap }: ForEach): string {
  return `${width === undefined ? "" : `, ${width} at once`}${gap === undefined ? "" : `, ${gap} s apart`}`;
}

function retryLine({ when, limit, delay }: Retry): string {
  return `retry ${limit === 1 ? "once" : `${limit} times`} when ${printExpression(when)} after ${backoff(delay)}`;
}

function backoff({ base, factor, step, cap, jitter }: Backoff): string {
  return [
    `${base} s`,
    ...(factor === 1 ? [] : [`times ${factor}`]),
    ...(step === 0 ? [] : [`plus ${step} s`]),
    ...(cap === undefined ? [] : [`at most ${cap} s`]),
    ...(jitter ? [`give or take ${jitter.amount}${jitter.kind === "spread" ? " s" : " of it"}`] : []),
  ].join(", ");
}

function handlerLine({ when, bind, next }: Handler): string {
  return `on error when ${printExpression(when)}${bind === undefined ? "" : ` -> ${name(bind)}`} then ${name(next.name)}`;
}
