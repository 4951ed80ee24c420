import { childrenOf, type Expression, failureOf } from "../../src/expressions/index.ts";
import { nameOfError, timedOut } from "../../src/ir/failures.ts";
import { expressionsOf, innerScopes, stepsOf } from "../../src/ir/walk.ts";
import type {
  Backoff,
  CallErrorNames,
  ErrorNames,
  ErrorValue,
  Handler,
  Retry,
  Step,
  Workflow,
} from "../../src/ir/workflow.ts";
import { isObject, type Json, type JsonObject, own } from "../../src/json.ts";
import { type Abilities, type ErrorSet, errorsTaken, type Recovery, timeouts } from "../../src/lower/index.ts";
import { errorMarker, parseErrorMarker } from "./jsonata/index.ts";

/**
 * How an error of the IR travels on Step Functions, the one law: `Error` is its name and `Cause` its message, but
 *
 * - `States.Timeout` is the time-out of a step, named `Timeout`;
 * - what an expression failed with stands behind a mark in the Cause of `States.QueryEvaluationError`;
 * - a Lambda function's Cause is JSON with `errorMessage` and `errorType`, and `stackTrace` or (Node.js) `trace`;
 * - the Cause of a waited subflow's `States.TaskFailed` is JSON with the child's own `Error` and `Cause`;
 * - what Step Functions itself says of a call has a name of `callErrors`.
 *
 * `carriedError` reads it here, `errorExpression` reads it in a machine. Both give errors that no function has named the names of the language, if it has any.
 */
export function carriedError(
  error: string | undefined,
  cause: string | undefined,
  names?: ErrorNames,
  namesOf: NamesOf = () => undefined,
): ErrorValue {
  const carried = lawOf(error, cause, names, namesOf);
  return { ...carried, name: nameOfError(carried, names) };
}

/** The names that the language of an execution has, by the ARN of that. */
type NamesOf = (execution: Json | undefined) => ErrorNames | undefined;

/** The names that errors have in a workflow which have got others in its subflow. */
export const namesOnTop = (within: ErrorNames, names: ErrorNames | undefined): ErrorNames => ({
  ...within,
  timeout: nameOfError({ origin: "timeout", name: within.timeout }, names),
  expression: nameOfError({ origin: "expression", name: within.expression }, names),
});

/** The names under which Step Functions itself lets calls fail. */
const callErrors: { readonly [Name in keyof CallErrorNames]: readonly string[] } = {
  denied: ["States.Permissions"],
  argument: ["States.ParameterPathFailure", "Lambda.InvalidParameterValueException"],
  result: ["States.ResultPathMatchFailure"],
  failed: ["States.TaskFailed"],
};

/** The language's names by those of Step Functions. */
const named = (calls: CallErrorNames | undefined): ReadonlyMap<string | undefined, string> =>
  new Map(calls && Object.entries(calls).flatMap(([kind, name]) => own(callErrors, kind)!.map((own) => [own, name])));

function lawOf(
  error: string | undefined,
  cause: string | undefined,
  names: ErrorNames | undefined,
  namesOf: NamesOf,
): ErrorValue {
  if (error === "States.Timeout") return timedOut;
  const marked = error === "States.QueryEvaluationError" ? parseErrorMarker(cause ?? "") : undefined;
  if (marked) return { origin: "expression", ...marked };
  const detail = cause?.startsWith("{") ? parsed(cause) : undefined;
  if (error === "States.TaskFailed" && typeof detail?.["Error"] === "string") {
    const child = namesOf(detail["ExecutionArn"]) ?? names;
    return carriedError(
      detail["Error"],
      typeof detail["Cause"] === "string" ? detail["Cause"] : undefined,
      child,
      namesOf,
    );
  }
  if (typeof detail?.["errorMessage"] === "string") {
    const trace = detail["stackTrace"] ?? detail["trace"];
    return {
      origin: "function",
      name: error ?? "Error",
      message: detail["errorMessage"],
      ...(trace === undefined ? {} : { data: { trace } }),
    };
  }
  return { origin: "function", name: named(names?.calls).get(error) ?? error ?? "Error", message: cause ?? "" };
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Which of the law's cases can occur at a state. */
export interface ErrorSources {
  readonly timeout: boolean;
  readonly expression: boolean;
  readonly function: boolean;
  readonly subflow: boolean;
  /** What the language of subflows calls errors that nothing has named, where that is another. */
  readonly within?: ErrorNames | undefined;
  /** The names of errors of ours that come, which carry a value; absent: none. */
  readonly carried?: readonly string[];
}

/** What of an error is wanted: its members, its Cause, and of its data perhaps the trace only. */
export interface WantedError {
  readonly members: ReadonlySet<KeptMember>;
  readonly traceOnly: boolean;
}

type KeptMember = (typeof keptMembers)[number];

/** The members of an error. */
export const errorMembers = ["origin", "name", "message", "data"] as const;

/** The same, and the Cause with which it can be raised as it came. */
export const keptMembers = [...errorMembers, "cause"] as const;

/** Whether only functions can have failed, whose errors' names stand for themselves. */
export const isPlain = ({ timeout, expression, subflow, carried = [] }: ErrorSources, names?: ErrorNames): boolean =>
  !timeout && !expression && !subflow && carried.length === 0 && !names?.calls;

/**
 * The law as JSONata: an expression over `$states.errorOutput` that gives an object of what is wanted of the `ErrorValue`, with the cases that can occur.
 * Of data that has no trace nothing is there where only the trace is wanted.
 */
export function errorExpression(
  sources: ErrorSources,
  names?: ErrorNames,
  wanted: WantedError = { members: new Set(errorMembers), traceOnly: false },
): string {
  const { timeout, expression, subflow, within, carried = [] } = sources;
  const calls = names?.calls ?? within?.calls;
  const either = (text: (names: ErrorNames | undefined) => string): string =>
    within && text(within) !== text(names) ? `($within ? ${text(within)} : ${text(names)})` : text(names);
  const isCarried = carried.length > 0 && wanted.members.has("data") && !wanted.traceOnly;
  const isTold = wanted.members.has("message") || wanted.members.has("data") || calls !== undefined;
  const isThrown = (sources.function || subflow) && isTold;
  const error = isPlain(sources, names) ? "$states.errorOutput" : "$e";
  const cases = [
    ...(isCarried ? [`$e.Error in ${JSON.stringify(carried)} ? ${carrying(wanted)}`] : []),
    ...(subflow
      ? [
          `$e.Error = "States.TaskFailed" and $contains($cause, /^\\{.*"Error":/) ? $law($parse($cause)${within ? ", true" : ""})`,
        ]
      : []),
    ...(timeout ? [`$e.Error = "States.Timeout" ? ${late(wanted, either(lateName))}`] : []),
    ...(expression ? [`$exists($m) ? ${marked(wanted, either(markedName))}`] : []),
    ...(isThrown && calls ? [`$exists($l) ? ${thrown("$e", wanted)}`] : []),
    isThrown && !calls
      ? thrown(error, wanted)
      : plain(
          either((each) => nameText(error, each)),
          "$cause",
          wanted,
        ),
  ];
  const readsCause =
    isCarried ||
    isThrown ||
    subflow ||
    expression ||
    ["message", "cause"].some((each) => wanted.members.has(each as KeptMember));
  const heads = [
    ...(readsCause ? [`$cause := "" & ${error}.Cause`] : []),
    ...(expression ? [`$m := $e.Error = "States.QueryEvaluationError" ? ${markIn}`] : []),
    ...(isThrown ? [`$l := ${detailIn}${calls ? "" : ' : {"errorMessage": $cause}'}`] : []),
  ];
  const law = [...heads, cases.join(" : ")].join("; ");
  if (subflow && within) return `($law := function($e, $within) { (${law}) }; $law($states.errorOutput, false))`;
  if (subflow) return `($law := function($e) { (${law}) }; $law($states.errorOutput))`;
  const all = error === "$e" ? `$e := $states.errorOutput; ${law}` : law;
  return heads.length === 0 && error !== "$e" ? all : `(${all})`;
}

const markIn = `$match($cause, /${errorMarker}/).groups.$decodeUrlComponent($)`;

/** The members that are wanted, of all. */
function errorText(all: { readonly [Member in KeptMember]: string }, { members, traceOnly }: WantedError): string {
  const some = Object.entries(all).filter(
    ([name, text]) => members.has(name as KeptMember) && !(traceOnly && name === "data" && text === "null"),
  );
  return `{${some.map(([name, text]) => `"${name}": ${text}`).join(", ")}}`;
}

const late = (wanted: WantedError, name: string): string => {
  const message = JSON.stringify(timedOut.message);
  return errorText({ origin: '"timeout"', name, message, data: "null", cause: message }, wanted);
};

const lateName = (names: ErrorNames | undefined): string => JSON.stringify(nameOfError(timedOut, names));

const marked = (wanted: WantedError, name: string): string => {
  const cause = `$string({"errorMessage": $m[1], "errorType": ${name}})`;
  return errorText({ origin: '"expression"', name, message: "$m[1]", data: "null", cause }, wanted);
};

const markedName = (names: ErrorNames | undefined): string =>
  names ? `$m[0] in ["ExpressionError", "DataError"] ? ${JSON.stringify(names.expression)} : $m[0]` : "$m[0]";

const plain = (name: string, message: string, wanted: WantedError, data = "null"): string =>
  errorText({ origin: '"function"', name, message, data, cause: "$cause" }, wanted);

/** An error of ours: nothing but the value that it carries. */
const carrying = (wanted: WantedError): string => plain("$e.Error", '""', wanted, "$parse($cause).value");

/** What a Lambda function says of its error, where the Cause is that. */
const detailIn = '$contains($cause, /^\\{"error(Message|Type)":.*\\}$/) ? $parse($cause)';

/** What a function has thrown. */
const thrown = (error: string, wanted: WantedError): string =>
  plain(
    `${error}.Error`,
    "$l.errorMessage",
    wanted,
    wanted.traceOnly
      ? '{"trace": $exists($l.stackTrace) ? $l.stackTrace : $l.trace}'
      : '$exists($l.stackTrace) ? {"trace": $l.stackTrace} : $exists($l.trace) ? {"trace": $l.trace} : null',
  );

/** The name under which Step Functions itself lets a call fail, as the language has it. */
function nameText(error: string, names: ErrorNames | undefined): string {
  if (!names?.calls) return `${error}.Error`;
  const table = JSON.stringify(Object.fromEntries(named(names.calls)));
  return `($n := $lookup(${table}, ${error}.Error); $exists($n) ? $n : ${error}.Error)`;
}

/**
 * What `Retry` and `Catch` of Step Functions say exactly as the IR does. `expressions`: the function that computes expressions; its calls fail as
 * expressions do.
 */
export const native = (expressions: string | undefined, disguised: ReadonlySet<string>): Abilities => ({
  retries: (step, retries) => hasNativeRetries(step, retries, { expressions, disguised }),
  handlers: (step, handlers) => hasNativeHandlers(step, handlers, { expressions, disguised }),
  takesDataErrors: (recovery) => takesDataErrors(recovery, disguised),
});

/** What of a workflow hides the names of its errors: the function that computes expressions, and the names that an error of an expression may have. */
interface Hiding {
  readonly expressions: string | undefined;
  readonly disguised: ReadonlySet<string>;
}

/** `Retry` for retries that Step Functions can say. */
export function retriers(retries: readonly Retry[], names: ErrorNames | undefined): readonly Json[] {
  const result: Json[] = [];
  for (const { when, limit, delay } of retries) {
    const errors = errorsTaken(when)!;
    if (errors.all && errors.names.size > 0) result.push({ ErrorEquals: namesThere(errors, names), MaxAttempts: 0 });
    if (!errors.all && errors.names.size === 0) continue;
    const { rate, cap } = multiplied(delay, limit);
    const pace = { IntervalSeconds: delay.base, MaxAttempts: limit, BackoffRate: rate };
    result.push({
      ErrorEquals: errorEquals(errors, names),
      ...(limit === 0 ? { MaxAttempts: 0 } : pace),
      ...(cap === undefined || limit === 0 ? {} : { MaxDelaySeconds: cap }),
    });
    if (errors.all) break;
  }
  return result;
}

/** The most retries whose waits may grow by addition: multiplying, up to the longest, comes to the same. */
const mostAdded = 3;

/** What waits that grow by addition are as such that are multiplied: 10, 15, 20 s → 10 s, times 1.5, at most 20 s. */
function multiplied(
  { base, factor, step, cap }: Backoff,
  limit: number,
): { readonly rate: number; readonly cap: number | undefined } {
  if (step === 0 || limit < 2) return { rate: factor, cap };
  const last = limit < mostAdded ? undefined : base + 2 * step;
  return { rate: (base + step) / base, cap: last === undefined || (cap !== undefined && cap < last) ? cap : last };
}

/** Whether multiplying gives the waits that grow by addition. */
const isMultiplied = ({ base, factor, step, cap }: Backoff, limit: number): boolean =>
  step === 0 ||
  limit < 2 ||
  (limit <= mostAdded &&
    factor === 1 &&
    step > 0 &&
    Number.isInteger(step) &&
    base * ((base + step) / base) === base + step &&
    (cap === undefined || cap > base));

/** `ErrorEquals` for errors; of all but some it says all, and an entry before it has to say these. */
export const errorEquals = (errors: ErrorSet, names: ErrorNames | undefined): readonly string[] =>
  errors.all ? ["States.ALL"] : namesThere(errors, names);

/** Whether the retries or handlers of a step take an error that an expression fails with. */
export function takesDataErrors({ retries, handlers }: Recovery, disguised: ReadonlySet<string>): boolean {
  return [...retries, ...handlers].some(({ when }) => {
    const errors = errorsTaken(when);
    return !errors || errors.all || namesIn(errors).some((name) => disguised.has(name));
  });
}

/**
 * Names under which an error of an expression, of a scope or of a subflow may arrive as another: no `ErrorEquals` finds them. Those that a language has for
 * errors without a name, and those that expressions of the workflow raise, are among them; so is that of a call of which nothing says how it failed, as
 * `States.TaskFailed` takes every error there.
 */
export function disguisedIn(workflow: Workflow): ReadonlySet<string> {
  const raised = new Set<string>(alwaysDisguised);
  if (workflow.errorNames) raised.add(workflow.errorNames.expression);
  if (workflow.errorNames?.calls) raised.add(workflow.errorNames.calls.failed);
  for (const expression of stepsOf(workflow).flatMap(expressionsOf)) addRaised(expression, raised);
  return raised;
}

function addRaised(expression: Expression, names: Set<string>): void {
  const [error] = expression.kind === "call" && expression.name === "error" ? expression.args : [];
  const value = error?.kind === "literal" && isObject(error.value) ? error.value["name"] : undefined;
  if (typeof value === "string") names.add(value);
  const own = expression.kind === "call" ? failureOf(expression) : undefined;
  if (own !== undefined) names.add(own);
  for (const child of childrenOf(expression)) addRaised(child.expression, names);
}

const alwaysDisguised: readonly string[] = ["DataError", "ExpressionError", "LimitError", "NotActive"];

const namesIn = ({ names }: ErrorSet): readonly string[] =>
  [...names].map((name) => (name === timeouts ? "States.Timeout" : name));

/** The same with the names that Step Functions itself has for what the language calls so. */
const namesThere = (errors: ErrorSet, names: ErrorNames | undefined): readonly string[] =>
  namesIn(errors).flatMap((name) => [
    name,
    ...[...named(names?.calls)].flatMap(([there, here]) => (here === name ? [there!] : [])),
  ]);

/** The error of a Distributed Map of which an execution has failed, whatever that failed with. It is no class: in `ErrorEquals` it means itself. */
export const tooManyFailed = "States.ExceedToleratedFailureThreshold";

/** Names that Step Functions has given a meaning. */
const isReserved = (name: unknown): boolean =>
  typeof name === "string" && name.startsWith("States.") && name !== tooManyFailed;

function hasNativeRetries(step: Step, retries: readonly Retry[], hiding: Hiding): boolean {
  return retries.every(({ when, limit, delay }, i) => {
    const { base, factor, cap, jitter } = delay;
    const whole =
      Number.isInteger(base) &&
      base >= 1 &&
      (cap === undefined || (Number.isInteger(cap) && cap >= base && cap <= 31_622_400));
    const timely =
      limit === 0 || (whole && base <= 99_999_999 && factor >= 1 && isMultiplied(delay, limit) && jitter === undefined);
    const isLast = i === retries.length - 1;
    return timely && limit < 100_000_000 && isByName(step, when, hiding) && (isLast || !isExcepting(when));
  });
}

const hasNativeHandlers = (step: Step, handlers: readonly Handler[], hiding: Hiding): boolean =>
  handlers.every(({ when }) => isByName(step, when, hiding) && !isExcepting(when));

/** Whether a condition takes all errors but some. */
function isExcepting(when: Retry["when"]): boolean {
  const errors = errorsTaken(when);
  return errors?.all === true && errors.names.size > 0;
}

function isByName(step: Step, when: Retry["when"], { expressions, disguised }: Hiding): boolean {
  const errors = errorsTaken(when);
  if (!errors || [...errors.names].some(isReserved)) return false;
  if (errors.names.size === 0) return true;
  return !hidesNames(step, expressions) && namesIn(errors).every((name) => !disguised.has(name));
}

/** Whether a step may fail under another name than its error's: it waits for a subflow, it fails as an expression did, or something in it does. */
function hidesNames(step: Step, expressions: string | undefined): boolean {
  if (step.kind === "invoke") return step.wait;
  if (step.kind === "call") return step.function.name === expressions;
  return innerScopes(step).some(({ steps }) => steps.some((inner) => hidesNames(inner, expressions)));
}
