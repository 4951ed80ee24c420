import { type Expression, printExpression } from "../expressions/index.ts";
import { maxRetries } from "../ir/recovery.ts";
import { patternsOf } from "../ir/walk.ts";
import type {
  Choose,
  ChooseCase,
  EventCombination,
  Handler,
  Receive,
  Retry,
  Seconds,
  Step,
  Timer,
  Width,
  Workflow,
} from "../ir/workflow.ts";
import type { Span } from "../text/source.ts";
import type { Detail, EdgeKind } from "./model.ts";

/** The kind and condition of a transition. */
export interface ExitLabel {
  readonly kind: EdgeKind;
  readonly text?: string | undefined;
  /** Whether the source states no condition: the transition exists only because steps may fail. */
  readonly isImplicit?: true | undefined;
}

/**
 * The label of a case. `waits` are the waits of its construct: a case may test which events have arrived. In a step
 * that does not begin a construct, a condition that the source does not contain was added by lowering.
 */
export function caseLabel(
  { when, span }: ChooseCase,
  { origin }: Choose,
  construct: Span,
  waits: readonly Receive[],
): ExitLabel {
  const written = sourceText(span, construct);
  for (const { bind, alternatives } of waits) {
    const index = arrivedAlternative(when, bind);
    if (index === null) return { kind: "timeout", text: timeoutText(written, alternatives) };
    const alternative = index === undefined ? undefined : alternatives[index];
    if (alternative) return { kind: "case", text: combinationText(alternative) };
  }
  if (isErrorTest(when)) return { kind: "error", text: "error", isImplicit: true };
  if (when.kind === "literal" && when.value === true) return { kind: "otherwise" };
  if (written === undefined && !origin.entry) return { kind: "next", isImplicit: true };
  if (written !== undefined && when.kind === "call" && when.args.length === 3) {
    const [, operator, value] = when.args;
    if (operator?.kind === "literal" && typeof operator.value === "string" && value)
      return { kind: "case", text: `${written} ${operatorText(operator.value, span)} ${expressionText(value)}` };
  }
  return { kind: "case", text: written ?? expressionText(when) };
}

/** How far from the value of a condition, in characters, its operator is looked for. */
const maxDistance = 200;

/** An operator as the source spells it next to a condition: the IR has it in lowercase. */
function operatorText(folded: string, { source, start, end }: Span): string {
  if (!/^[a-z]+$/.test(folded)) return folded;
  const from = Math.max(0, start - maxDistance);
  const found = [...source.text.slice(from, end + maxDistance).matchAll(new RegExp(`\\b${folded}\\b`, "gi"))];
  const distance = ({ index }: RegExpExecArray): number => Math.abs(from + index - start);
  return found.sort((a, b) => distance(a) - distance(b))[0]?.[0] ?? folded;
}

/** The label of the default: if all events of a wait have cases, none of them arrived in time. */
export function otherwiseLabel({ cases }: Choose, labels: readonly ExitLabel[], waits: readonly Receive[]): ExitLabel {
  for (const { bind, alternatives } of waits) {
    const arrived = new Set(cases.map(({ when }) => arrivedAlternative(when, bind)));
    if (alternatives.every(({ within }, i) => within !== undefined && arrived.has(i)))
      return { kind: "timeout", text: timeoutText(undefined, alternatives) };
  }
  return labels.some(({ kind }) => kind === "case") ? { kind: "otherwise" } : { kind: "next" };
}

/** The label of a handler: its errors by name, otherwise its condition. */
export function handlerLabel({ when, span }: Handler, step: Step, construct: Span): ExitLabel {
  const names = errorNames(when);
  const written = sourceText(span, construct);
  if (names.includes("Timeout") && names.length === 1) {
    const limit = "timeout" in step && step.timeout !== undefined ? secondsText(step.timeout) : written;
    return { kind: "timeout", text: limit === undefined ? "timeout" : timeout(limit) };
  }
  if (written === undefined && names.length === 0) return { kind: "error", text: "error", isImplicit: true };
  return { kind: "error", text: written ?? names.join(" or ") };
}

const timeout = (text: string): string => (/timeout/i.test(text) ? text : `timeout ${text}`);

/** The text of a condition in the source, if it is one line and not a structure. */
function sourceText({ source, start, end }: Span, construct: Span): string | undefined {
  if (start === construct.start && end === construct.end) return undefined;
  const text = source.text.slice(start, end).trim();
  if (text === "" || text.includes("\n") || /^[{-]|^[\w-]+:\s|^"[\w-]+":/.test(text)) return undefined;
  return unwrap(text);
}

/** Removes quotes and the marks of templates and of lists of names. */
function unwrap(text: string): string {
  const forms = [/^"((?:[^"\\]|\\.)*)"$/s, /^'((?:[^']|'')*)'$/s, /^\$\{\s*(.*?)\s*\}$/s, /^\\\((.*)\)$/s];
  let inner = text;
  for (const form of forms) {
    const quoted = form.exec(inner)?.[1]?.trim();
    if (quoted)
      inner = form === forms[0] ? withoutEscapes(quoted) : form === forms[1] ? quoted.replaceAll("''", "'") : quoted;
  }
  const names = /^\[([\w.$, ]+)\]$/.exec(inner)?.[1];
  return names === undefined
    ? inner
    : names
        .split(",")
        .map((name) => name.trim())
        .join(" or ");
}

const withoutEscapes = (text: string): string => text.replace(/\\(["\\/])/g, "$1");

/** The errors that a condition names. */
function errorNames(when: Expression): readonly string[] {
  if (when.kind !== "call") return [];
  const { name, args } = when;
  if (name === "or" || name === "and") return args.flatMap(errorNames);
  const [left, right] = args;
  if (name !== "==" || !left || right?.kind !== "literal" || typeof right.value !== "string") return [];
  return /^\$error\.(?:name|origin)$|^first\(\$error\.name, null\)$/.test(printExpression(left))
    ? [right.value === "timeout" ? "Timeout" : right.value]
    : [];
}

/** A test of the member that marks results as errors on OpenWhisk. */
const isErrorTest = (when: Expression): boolean => /^exists\(\$\w+\.error\)$/.test(printExpression(when));

/** The index in `$wait.alternative == index`; null for `$wait.alternative == null`. */
function arrivedAlternative(when: Expression, bind: string): number | null | undefined {
  if (when.kind !== "call" || when.name !== "==") return undefined;
  const [left, right] = when.args;
  if (!left || right?.kind !== "literal" || printExpression(left) !== `$${bind}.alternative`) return undefined;
  return right.value === null || typeof right.value === "number" ? right.value : undefined;
}

function timeoutText(written: string | undefined, alternatives: readonly EventCombination[]): string {
  if (written !== undefined && /\d/.test(written) && !/^\d+$/.test(written)) return timeout(written);
  const seconds = alternatives.flatMap(({ within }) => (within === undefined ? [] : [within]));
  return seconds.length === 0 ? "timeout" : `timeout ${durationText(Math.max(...seconds))}`;
}

/** An expression without what an author would not write. */
export function expressionText(expression: Expression): string {
  const text = printExpression(expression).replace(/\s+/g, " ");
  return text
    .replace(/first\((\$[\w.[\]]+), null\)/g, "$1")
    .replace(/\$(?:data|state|params|input)\b/g, "$")
    .replace(/\$(\w+)/g, "$1");
}

/** The events of a combination: `Paid and (Sent or Collected) without Canceled`. */
export function combinationText({ all, none }: EventCombination): string {
  const groups = all.map((patterns) => {
    const names = unique(patterns.map(({ event }) => event.name));
    return names.length > 1 && all.length > 1 ? `(${names.join(" or ")})` : names.join(" or ");
  });
  const not = unique(none.map(({ event }) => event.name));
  return `${unique(groups).join(" and ")}${not.length === 0 ? "" : ` without ${not.join(", ")}`}`;
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)];

/**
 * What the steps of a node do, without what their inner scopes do; then their limits, except for timeouts that the
 * language sets by default. Each line once, and none that is the name of the node.
 */
export function detailsOf(steps: readonly Step[], label: string): readonly Detail[] {
  const details = [...steps.flatMap(effectOf), ...steps.flatMap(limitsOf)].filter(({ text }) => text !== label);
  return [...new Map(details.map((each) => [`${each.kind} ${each.text}`, each])).values()];
}

function effectOf(step: Step): readonly Detail[] {
  switch (step.kind) {
    case "call":
      return [{ kind: "call", text: step.function.name }];
    case "invoke":
      return [{ kind: "subflow", text: step.workflow.name + (step.wait ? "" : " (not awaited)") }];
    case "receive":
      return step.alternatives.map((each) => ({
        kind: "event",
        text: combinationText(each) + (each.within === undefined ? "" : ` within ${durationText(each.within)}`),
      }));
    case "emit":
      return [{ kind: "emit", text: step.event.name }];
    case "delay":
      return [{ kind: "wait", text: delayText(step) }];
    case "fork":
      return [
        ...(step.join.kind === "some" ? [note(`continues after ${step.join.count} of ${step.branches.length}`)] : []),
        ...(step.width === undefined ? [] : [note(`${step.width} at a time`)]),
      ];
    case "foreach":
      return step.width === undefined ? [] : [note(`${widthText(step.width)} at a time`)];
    default:
      return [];
  }
}

const widthText = (width: Width): string => (typeof width === "number" ? String(width) : `at most ${width.most}`);

const note = (text: string): Detail => ({ kind: "note", text });

/** `wait 5 min` */
export function delayText({ wait, spans, span }: Extract<Step, { readonly kind: "delay" }>): string {
  const time = wait.kind === "for" ? wait.seconds : wait.instant;
  const isFixed = time.kind === "literal" && typeof time.value === "number";
  const text = isFixed
    ? durationText(time.value)
    : ((spans?.wait && sourceText(spans.wait, span)) ?? expressionText(time));
  return wait.kind === "until" ? `wait until ${text}` : `wait ${text}`;
}

function limitsOf(step: Step): readonly Detail[] {
  const isStated = "timeout" in step && step.timeout !== undefined && step.spans?.timeout !== undefined;
  const timeout = isStated ? [`within ${secondsText(step.timeout)}`] : [];
  const heartbeat = step.kind === "call" ? step.callback?.heartbeat : undefined;
  const retries: readonly Retry[] = "retries" in step ? step.retries : [];
  const most = retries.reduce((sum, retry) => sum + maxRetries(retry), 0);
  const count = most === 1 ? "1 retry" : `${most === Number.POSITIVE_INFINITY ? "unlimited" : most} retries`;
  return [
    ...timeout.map((text): Detail => ({ kind: "timeout", text })),
    ...(heartbeat === undefined ? [] : [{ kind: "timeout" as const, text: `heartbeat ${secondsText(heartbeat)}` }]),
    ...(most === 0 ? [] : [{ kind: "retry" as const, text: count }]),
  ];
}

/** A duration, or the expression that computes it. */
export const secondsText = (seconds: Seconds): string =>
  typeof seconds === "number" ? durationText(seconds) : `${expressionText(seconds)} s`;

/** `90` → `1 min 30 s`. */
export function durationText(seconds: number): string {
  if (!Number.isFinite(seconds) || seconds < 60) return `${seconds} s`;
  const units = [
    ["d", 86_400],
    ["h", 3600],
    ["min", 60],
    ["s", 1],
  ] as const;
  let rest = seconds;
  const parts: string[] = [];
  for (const [unit, size] of units) {
    const count = unit === "s" ? rest : Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${unit === "s" ? Math.round(count * 1000) / 1000 : count} ${unit}`);
  }
  return parts.join(" ");
}

/** The events and timers that start runs, a line for each, and the limit of a run. */
export const startDetails = ({ start: { on = [], timers = [] }, timeout }: Workflow): readonly Detail[] => [
  ...on.map((each) => ({ kind: "event", text: combinationText(each) }) as const),
  ...timers.map((each) => ({ kind: "wait", text: timerText(each) }) as const),
  ...(timeout ? [{ kind: "timeout", text: `at most ${secondsText(timeout.seconds)}` } as const] : []),
];

function timerText(timer: Timer): string {
  switch (timer.kind) {
    case "every":
      return `every ${durationText(timer.seconds)}`;
    case "cron":
      return `cron ${timer.expression}${timer.timezone === undefined ? "" : ` ${timer.timezone}`}`;
    case "after":
      return `${durationText(timer.seconds)} after the last run`;
  }
}

/** The names of the events of combinations. */
export const eventNames = (alternatives: readonly EventCombination[]): readonly string[] =>
  unique(patternsOf(alternatives).map(({ event }) => event.name));
