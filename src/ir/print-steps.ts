import { type Expression, printExpression } from "../expressions/index.ts";
import { assertNever, printJson } from "../json.ts";
import { handlersOf, retriesOf } from "./walk.ts";
import type {
  Attempt,
  Backoff,
  Call,
  Emit,
  EventCombination,
  EventPattern,
  ForEach,
  Fork,
  Handler,
  Jitter,
  Retry,
  Scope,
  Seconds,
  Step,
  Tolerance,
} from "./workflow.ts";

/** Prints a step with its scopes and handlers. Omits `then` if `following` comes next. */
export function stepLines(
  step: Step,
  following: string | undefined,
  scopeLines: (scope: Scope) => readonly string[],
): readonly string[] {
  const bound = "bind" in step && step.bind !== undefined ? ` -> ${printName(step.bind)}` : "";
  const { entry, noun, name, pointer } = step.origin;
  const origin = entry
    ? `   # ${noun} ${printJson(name)}${pointer === undefined ? "" : ` at ${printJson(pointer)}`}`
    : "";
  return [
    `${printName(step.id)}: ${printAction(step)}${bound}${origin}`,
    ...indent([
      ...nestedLines(step, scopeLines),
      ...retriesOf(step).map(retryLine),
      ...handlersOf(step).map(handlerLine),
      ...("next" in step && step.next.name !== following ? [`then ${printName(step.next.name)}`] : []),
    ]),
  ];
}

/** Prints a combination of events. */
export function printAlternative({ all, none, within: seconds }: EventCombination): string {
  const groups = all.map((group) =>
    group.length === 1 ? printPattern(group[0]!) : `(${group.map(printPattern).join(" or ")})`,
  );
  return `${groups.join(" and ") || "nothing"}${none.length > 0 ? ` without ${none.map(printPattern).join(" or ")}` : ""}${printTimeout(seconds)}`;
}

/** Prints a name, quoted if needed. */
export const printName = (text: string): string => (/^[\p{L}\p{N}_.$/?!-]+$/u.test(text) ? text : printJson(text));

/** Indents lines by one level. */
export const indent = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

const printSecrets = ({ secrets = [] }: Call): string =>
  secrets
    .map(
      ({ bind, id, key, version }) =>
        ` with $${bind} = secret ${[id, key, ...(version === undefined ? [] : [version])].map(printJson).join(" ")}`,
    )
    .join("");

const printCallback = ({ callback }: Call): string =>
  callback
    ? ` with $${callback.token} = token of the callback${callback.orResult ? " or the result" : ""}${callback.heartbeat === undefined ? "" : `, with heartbeats at most ${printSeconds(callback.heartbeat)} apart`}`
    : "";

const printPattern = ({ event, when }: EventPattern): string =>
  `${printName(event.name)}${when ? ` when (${printExpression(when)})` : ""}`;

function printAction(step: Step): string {
  switch (step.kind) {
    case "assign":
      return step.values.length === 1 ? printAssignment(step.values[0]!) : "assign";
    case "choose":
      return "choose";
    case "call":
      return `${step.wait ? "call" : "fire"} ${printName(step.function.name)}(${printExpression(step.argument)})${printSecrets(step)}${printCallback(step)}${printTimeout(step.timeout)}`;
    case "delay":
      return step.wait.kind === "for"
        ? `wait for ${printExpression(step.wait.seconds)} s`
        : `wait until ${printExpression(step.wait.instant)}`;
    case "receive":
      return `receive, ${step.unused} the unused`;
    case "emit":
      return `emit ${printName(step.event.name)}(${printExpression(step.data)})${step.correlation ? ` correlated by (${printExpression(step.correlation)})` : ""}${printAttributes(step)}`;
    case "invoke":
      return `${step.wait ? "run" : "start"} ${printName(step.workflow.name)}(${printExpression(step.input)})${step.terminates ? " whose terminate ends this" : ""}${step.whenParentEnds === "terminate" ? " until this ends" : ""}${printTimeout(step.timeout)}`;
    case "fork":
    case "foreach":
    case "attempt":
      return printComposite(step);
    case "end":
      return `${step.outcome === "leave" ? "end" : "fail"}${step.extent === "run" ? " the run" : ""} with ${printExpression(step.value)}`;
    default:
      return assertNever(step);
  }
}

function printAttributes({ attributes }: Emit): string {
  if (!attributes) return "";
  const printed = Object.entries(attributes).map(([name, value]) => `${printJson(name)}:${printExpression(value)}`);
  return ` with {${printed.join(",")}}`;
}

function printComposite(step: Fork | ForEach | Attempt): string {
  switch (step.kind) {
    case "fork":
      return `fork ${printJoin(step)}`;
    case "foreach":
      return `for each ${printName(step.element)}${step.index === undefined ? "" : `, ${printName(step.index)}`} in ${printExpression(step.items)}${printPace(step)}`;
    case "attempt":
      return `attempt${step.restore.length > 0 ? ` restoring ${step.restore.map(printName).join(", ")}` : ""}${printTimeout(step.timeout)}`;
    default:
      return assertNever(step);
  }
}

function nestedLines(step: Step, scopeLines: (scope: Scope) => readonly string[]): readonly string[] {
  switch (step.kind) {
    case "assign":
      return step.values.length === 1 ? [] : step.values.map(printAssignment);
    case "choose":
      return [
        ...step.cases.map(({ when, next }) => `when ${printExpression(when)} then ${printName(next.name)}`),
        `else ${step.otherwise ? printName(step.otherwise.name) : "fail with NoChoiceMatched"}`,
      ];
    case "receive":
      return [
        ...(step.correlation ?? []).map(
          ({ key, value }) => `correlated by ${printName(key)} (${printExpression(value)})`,
        ),
        ...step.alternatives.map((alternative, i) => `${i}: ${printAlternative(alternative)}`),
      ];
    case "fork":
      return step.branches.flatMap((branch) => [
        `branch ${printName(branch.name)}`,
        ...indent(scopeLines(branch.scope)),
      ]);
    case "foreach":
      return scopeLines(step.scope);
    case "attempt":
      return scopeLines(step.body);
    default:
      return [];
  }
}

const printAssignment = ({ variable, value }: { readonly variable: string; readonly value: Expression }): string =>
  `${printName(variable)} := ${printExpression(value)}`;

const printTimeout = (seconds: Seconds | undefined): string =>
  seconds === undefined ? "" : ` within ${printSeconds(seconds)}`;

/** Prints seconds. */
export const printSeconds = (seconds: Seconds): string =>
  `${typeof seconds === "number" ? seconds : printExpression(seconds)} s`;

function printJoin({ join: joined, failure, width, branches }: Fork): string {
  const count = joined.kind === "all" ? "all" : `${joined.count} of ${branches.length}`;
  return `joining ${count}${failure === "spare" ? ", sparing failures" : ""}${width === undefined ? "" : `, ${width} at once`}`;
}

function printPace({ width, gap, tolerates }: ForEach): string {
  const count = typeof width === "object" ? `${printExpression(width.value)} (at most ${width.most})` : width;
  return `${count === undefined ? "" : `, ${count} at once`}${gap === undefined ? "" : `, ${gap} s apart`}${printTolerance(tolerates)}`;
}

function printTolerance(tolerance: Tolerance | undefined): string {
  if (!tolerance) return "";
  const { count, percentage, counted, error } = tolerance;
  const text = (limit: number | Expression): string =>
    typeof limit === "number" ? String(limit) : printExpression(limit);
  const limits = [
    ...(count === undefined ? [] : [text(count)]),
    ...(percentage === undefined ? [] : [`${text(percentage)} %`]),
  ];
  return `, failing as ${error.name} after ${limits.length === 0 ? "any failure" : `more failures than ${limits.join(" or ")}${counted === undefined ? "" : ` of ${counted}`}`}`;
}

function retryLine({ when, limit, within: seconds, delay }: Retry): string {
  const count = limit === undefined ? "without limit" : limit === 1 ? "once" : `${limit} times`;
  return `retry ${count}${printTimeout(seconds)} when ${printExpression(when)} after ${printBackoff(delay)}`;
}

function printBackoff({ base, factor, step, cap, jitter }: Backoff): string {
  return [
    printSeconds(base),
    ...(factor === 1 ? [] : [`times ${factor}`]),
    ...(step === 0 ? [] : [`plus ${step} s`]),
    ...(cap === undefined ? [] : [`at most ${printSeconds(cap)}`]),
    ...(jitter ? [printJitter(jitter)] : []),
  ].join(", ");
}

function printJitter(jitter: Jitter): string {
  if (jitter.kind === "full") return "or any part of it";
  if (jitter.kind === "range") return `plus ${jitter.from} to ${jitter.to} s`;
  return `give or take ${jitter.amount}${jitter.kind === "spread" ? " s" : " of it"}`;
}

function handlerLine({ when, bind, next }: Handler): string {
  return `on error when ${printExpression(when)}${bind === undefined ? "" : ` -> ${printName(bind)}`} then ${printName(next.name)}`;
}
