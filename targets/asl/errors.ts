import { childrenOf, containsKind, type Expression, errorNameOf } from "../../src/expressions/index.ts";
import { errorNameIn, stepTimeoutError } from "../../src/ir/errors.ts";
import { problemOf } from "../../src/ir/problems.ts";
import { expressionsOf, innerScopes, retriesOf, stepsOf } from "../../src/ir/walk.ts";
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
import { type ErrorSet, matchedErrors, type Recovery, type RecoverySupport, timeouts } from "../../src/passes/index.ts";
import { detailsIn } from "./detailed-message.ts";
import { parseErrorMarker } from "./jsonata/errors.ts";

/** Step Functions' limits on the name of an error and on its cause, which has the message, in characters. */
export const failureLimits = { name: 256, message: 32_768 } as const;

/**
 * Decodes an error of Step Functions. `Error` is its name and `Cause` its message, except that:
 *
 * - `States.Timeout` is the timeout of a step, named `Timeout`;
 * - the Cause of `States.QueryEvaluationError` contains the error of an expression after a marker;
 * - the Cause of a Lambda function is JSON with `errorMessage`, `errorType`, and `stackTrace` or (Node.js) `trace`, and
 *   that of an error with other data has `data`, or a message that contains them if errors are detailed;
 * - the Cause of a waited subflow's `States.TaskFailed` is JSON with the child's `Error` and `Cause`;
 * - errors of calls by Step Functions itself have the names of `callErrors`.
 *
 * `errorExpression` decodes the same in a machine. Errors without a name of their own get those of the language, if it
 * has any.
 */
export function carriedError(
  error: string | undefined,
  cause: string | undefined,
  names?: ErrorNames,
  namesOf: NamesOf = () => undefined,
  { isDetailed = false, isPlain = false }: CauseForms = {},
): ErrorValue {
  const carried = decodeError(error, cause, names, namesOf, { isDetailed, isPlain });
  return { ...carried, name: errorNameIn(carried, names) };
}

/** The names under which expressions fail. */
const expressionErrors: ReadonlySet<string> = new Set(["States.QueryEvaluationError", "States.Runtime"]);

/** The problem details of an error with which a state at a pointer failed. */
export function deriveProblem(error: ErrorValue, pointer: Json, problems: Json): ErrorValue {
  const isExpression = expressionErrors.has(error.name);
  return problemOf(isExpression ? { ...error, origin: "expression" } : error, pointer, problems);
}

/** What causes of errors contain. */
export interface CauseForms {
  /** Messages may be JSON with details. */
  readonly isDetailed?: boolean | undefined;
  /** A cause is the message, also that of a Lambda function: the definition is a state machine. */
  readonly isPlain?: boolean | undefined;
}

/** The error names of an execution's language, by its ARN. */
type NamesOf = (execution: Json | undefined) => ErrorNames | undefined;

/** The names that a subflow's errors have in its caller. */
export const outerErrorNames = (within: ErrorNames, names: ErrorNames | undefined): ErrorNames => ({
  ...within,
  timeout: errorNameIn({ origin: "timeout", name: within.timeout }, names),
  expression: errorNameIn({ origin: "expression", name: within.expression }, names),
});

/** The names of Step Functions' own errors of calls. */
const callErrors: {
  readonly [Name in keyof CallErrorNames]: readonly string[];
} = {
  denied: ["States.Permissions"],
  argument: ["States.ParameterPathFailure", "Lambda.InvalidParameterValueException"],
  result: ["States.ResultPathMatchFailure"],
  failed: ["States.TaskFailed"],
};

/** The language's names, by those of Step Functions. */
export const callErrorNames = (calls: CallErrorNames | undefined): ReadonlyMap<string | undefined, string> =>
  new Map(calls && Object.entries(calls).flatMap(([kind, name]) => own(callErrors, kind)!.map((own) => [own, name])));

function decodeError(
  error: string | undefined,
  cause: string | undefined,
  names: ErrorNames | undefined,
  namesOf: NamesOf,
  { isDetailed, isPlain }: CauseForms,
): ErrorValue {
  if (error === "States.Timeout") return stepTimeoutError;
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
      { isDetailed, isPlain },
    );
  }
  if (!isPlain && typeof detail?.["errorMessage"] === "string") {
    const trace = detail["stackTrace"] ?? detail["trace"];
    const data = own(detail, "data") ?? (trace === undefined ? undefined : { trace });
    const told = isDetailed ? detailsIn(detail["errorMessage"]) : undefined;
    return {
      origin: "function",
      name: error ?? "Error",
      ...(told ?? { message: detail["errorMessage"], ...(data === undefined ? {} : { data }) }),
    };
  }
  return {
    origin: "function",
    name: callErrorNames(names?.calls).get(error) ?? error ?? "",
    message: cause ?? "",
  };
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the retries of a step can be a `Retry` field, as far as its workflow shows. */
export const canRetry = (step: Step, workflow: Workflow): boolean =>
  hasNativeRetries(step, retriesOf(step), { expressions: undefined, disguised: disguisedNames(workflow), others: [] });

/**
 * The retries and handlers that `Retry` and `Catch` express exactly. Calls of the function `expressions` fail as
 * expressions do.
 */
export const nativeRecovery = (expressions: string | undefined, disguised: ReadonlySet<string>): RecoverySupport => ({
  supportsRetries: (step, retries, others = []) => hasNativeRetries(step, retries, { expressions, disguised, others }),
  supportsHandlers: (step, handlers) => hasNativeHandlers(step, handlers, { expressions, disguised }),
  catchesDataErrors: (recovery) => catchesDataErrors(recovery, disguised),
});

/** What hides the names of errors: the function for expressions, and names that errors of expressions may have. */
interface ErrorDisguise {
  readonly expressions: string | undefined;
  readonly disguised: ReadonlySet<string>;
}

/** Also the steps that are retried together with one. */
interface RetryScope extends ErrorDisguise {
  readonly others: readonly Step[];
}

/** The `Retry` field for natively supported retries. */
export function retryFields(step: Step, retries: readonly Retry[], given: ErrorNames | undefined): readonly Json[] {
  const names = given && failingName(step, given);
  const result: Json[] = [];
  for (const { when, limit = maxNativeRetries, delay } of retries) {
    const errors = matchedErrors(when)!;
    const excluded = errors.all ? namesOnAws(errors, names) : [];
    if (excluded.length > 0) result.push({ ErrorEquals: excluded, MaxAttempts: 0 });
    if (!errors.all && errors.names.size === 0) continue;
    const constant = constantDelay(delay)!;
    const { rate, cap } = asMultiplied(constant, limit);
    const pace = { IntervalSeconds: constant.base, MaxAttempts: limit, BackoffRate: rate };
    const jitter = delay.jitter ? { JitterStrategy: "FULL" } : {};
    result.push({
      ErrorEquals: errorEquals(errors, names),
      ...(limit === 0 ? { MaxAttempts: 0 } : { ...pace, ...jitter }),
      ...(cap === undefined || limit === 0 ? {} : { MaxDelaySeconds: cap }),
    });
    if (errors.all) break;
  }
  return result;
}

/** The maximum number of retries, which take longer than an execution may. */
const maxNativeRetries = 99_999_999;

/** A delay without computed parts. */
type ConstantDelay = Backoff & { readonly base: number; readonly cap?: number | undefined };

function constantDelay(delay: Backoff): ConstantDelay | undefined {
  const { base, cap } = delay;
  return typeof base === "number" && (cap === undefined || typeof cap === "number")
    ? { ...delay, base, cap }
    : undefined;
}

/** The maximum number of linear retries that a capped exponential backoff reproduces. */
const maxLinearRetries = 3;

/** Linear delays as exponential ones: 10, 15, 20 s → 10 s with factor 1.5, at most 20 s. */
function asMultiplied(
  { base, factor, step, cap }: ConstantDelay,
  limit: number,
): { readonly rate: number; readonly cap: number | undefined } {
  if (step === 0 || limit < 2) return { rate: factor, cap };
  const last = limit < maxLinearRetries ? undefined : base + 2 * step;
  return { rate: (base + step) / base, cap: last === undefined || (cap !== undefined && cap < last) ? cap : last };
}

/** Whether exponential backoff gives the same delays. */
const canMultiply = ({ base, factor, step, cap }: ConstantDelay, limit: number): boolean =>
  step === 0 ||
  limit < 2 ||
  (limit <= maxLinearRetries &&
    factor === 1 &&
    step > 0 &&
    Number.isInteger(step) &&
    base * ((base + step) / base) === base + step &&
    (cap === undefined || cap > base));

/** `ErrorEquals` for errors. For all except some, an entry before it has to list these. */
export const errorEquals = (errors: ErrorSet, names: ErrorNames | undefined): readonly string[] =>
  errors.all ? ["States.ALL"] : namesOnAws(errors, names);

/** Whether retries or handlers match errors of expressions. */
export function catchesDataErrors({ retries, handlers }: Recovery, disguised: ReadonlySet<string>): boolean {
  return [...retries, ...handlers].some(({ when }) => {
    const errors = matchedErrors(when);
    return !errors || errors.all || namesIn(errors).some((name) => disguised.has(name));
  });
}

/**
 * Names that errors of expressions, scopes or subflows may have, under which `ErrorEquals` does not find them: the
 * language's names for unnamed errors, names that expressions raise, and the name of a failed call, because
 * `States.TaskFailed` matches every error.
 */
export function disguisedNames(workflow: Workflow): ReadonlySet<string> {
  const raised = new Set<string>(alwaysDisguised);
  if (workflow.errorNames) raised.add(workflow.errorNames.expression);
  if (workflow.errorNames?.calls) raised.add(workflow.errorNames.calls.failed);
  for (const expression of stepsOf(workflow).flatMap(expressionsOf)) addRaised(expression, raised);
  return raised;
}

function addRaised(expression: Expression, names: Set<string>): void {
  if (!containsKind(expression, "call")) return;
  const [error] = expression.kind === "call" && expression.name === "error" ? expression.args : [];
  const value = error?.kind === "literal" && isObject(error.value) ? error.value["name"] : undefined;
  if (typeof value === "string") names.add(value);
  const own = expression.kind === "call" ? errorNameOf(expression) : undefined;
  if (own !== undefined) names.add(own);
  for (const child of childrenOf(expression)) addRaised(child.expression, names);
}

const alwaysDisguised: readonly string[] = ["DataError", "ExpressionError", "LimitError", "NotActive"];

const namesIn = ({ names }: ErrorSet): readonly string[] =>
  [...names].map((name) => (name === timeouts ? "States.Timeout" : name));

/** With Step Functions' own names for the language's names. */
const namesOnAws = (errors: ErrorSet, names: NamesOnAws | undefined): readonly string[] =>
  namesIn(errors).flatMap((name) => {
    if (name === brokenPath && names?.failing !== undefined) return names.failing;
    return [name, ...[...callErrorNames(names?.calls)].flatMap(([there, here]) => (here === name ? [there!] : []))];
  });

interface NamesOnAws extends ErrorNames {
  /** The names of failing paths of a state machine, which no retrier takes. */
  readonly failing?: readonly string[] | undefined;
}

/** The error of a path of a state machine that finds nothing. In JSONata, it is `States.QueryEvaluationError`. */
const brokenPath = "States.Runtime";

const queryError = "States.QueryEvaluationError";

/** The names, for a step of a state machine with how its own paths fail; its own expressions in JSONata may be retried. */
const failingName = (step: Step, names: ErrorNames): NamesOnAws =>
  names.expression === brokenPath ? { ...names, failing: raisedBy(step).has(queryError) ? [] : [queryError] } : names;

function raisedBy(step: Step): ReadonlySet<string> {
  const raised = new Set<string>();
  for (const expression of expressionsOf(step)) {
    addRaised(expression, raised);
    if (containsKind(expression, "dialect")) raised.add(queryError);
  }
  return raised;
}

/**
 * Whether `ErrorEquals` finds the errors of a call in a state machine by the names that its retriers state. The
 * expressions that are retried with it must fail in one way: as paths do, or as those of JSONata.
 */
function hasNamesOfMachine(step: Step, when: Retry["when"], { expressions, disguised, others }: RetryScope): boolean {
  const errors = matchedErrors(when);
  if (!errors || !disguised.has(brokenPath)) return false;
  if (step.kind !== "call" || step.function.name === expressions) return false;
  const raised = raisedBy(step);
  const all = [...raised, ...others.flatMap((other) => [...raisedBy(other)])];
  if (raised.has(queryError)) return all.every((name) => name === queryError);
  return all.every((name) => name === brokenPath) && (errors.all || !errors.names.has(queryError));
}

/** The error of a Distributed Map with a failed execution. Unlike other `States.` names, it matches only itself. */
export const distributedMapFailed = "States.ExceedToleratedFailureThreshold";

const isReserved = (name: unknown): boolean =>
  typeof name === "string" && name.startsWith("States.") && name !== distributedMapFailed;

function hasNativeRetries(step: Step, retries: readonly Retry[], hiding: RetryScope): boolean {
  return retries.every(({ when, limit = maxNativeRetries, within, delay }, i) => {
    const constant = constantDelay(delay);
    if (!constant || within !== undefined) return false;
    const { base, factor, cap, jitter } = constant;
    const whole =
      Number.isInteger(base) &&
      base >= 1 &&
      (cap === undefined || (Number.isInteger(cap) && cap >= base && cap <= 31_622_400));
    const timely =
      limit === 0 ||
      (whole &&
        base <= 99_999_999 &&
        factor >= 1 &&
        canMultiply(constant, limit) &&
        (jitter === undefined || jitter.kind === "full"));
    const isLast = i === retries.length - 1;
    const isNamed = isByName(step, when, hiding) || hasNamesOfMachine(step, when, hiding);
    return timely && limit <= maxNativeRetries && isNamed && (isLast || !isExcepting(when));
  });
}

const hasNativeHandlers = (step: Step, handlers: readonly Handler[], hiding: ErrorDisguise): boolean =>
  handlers.every(({ when }) => isByName(step, when, hiding) && !isExcepting(when));

/** Whether a condition matches all errors except some. */
function isExcepting(when: Retry["when"]): boolean {
  const errors = matchedErrors(when);
  return errors?.all === true && errors.names.size > 0;
}

function isByName(step: Step, when: Retry["when"], { expressions, disguised }: ErrorDisguise): boolean {
  const errors = matchedErrors(when);
  if (!errors || [...errors.names].some(isReserved)) return false;
  if (errors.names.size === 0) return true;
  return !hidesNames(step, expressions) && namesIn(errors).every((name) => !disguised.has(name));
}

/** Whether a step may fail under another name than its error's, itself or in an inner scope. */
function hidesNames(step: Step, expressions: string | undefined): boolean {
  if (step.kind === "invoke") return step.wait;
  if (step.kind === "call") return step.function.name === expressions;
  return innerScopes(step).some(({ steps }) => steps.some((inner) => hidesNames(inner, expressions)));
}
