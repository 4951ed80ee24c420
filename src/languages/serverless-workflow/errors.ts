import {
  balanced,
  binary,
  type ConditionScope,
  call,
  childrenOf,
  conditional,
  type Expression,
  firstOr,
  literal,
  member,
  object,
  query,
  simplify,
  substitute,
  variable,
  withChildren,
} from "../../expressions/index.ts";
import type {
  Expression as Condition,
  ErrorDefinition,
  RetryDefinition,
} from "../../generated/serverless-workflow-definition.ts";
import type { Handler } from "../../ir/workflow.ts";
import type { Json } from "../../json.ts";
import { isProblem, parseDuration, parseRepeating } from "../../text/iso8601.ts";
import { unreadableDuration } from "../shared/diagnostics/kinds.ts";
import {
  complete,
  declare,
  exactly,
  type Fragment,
  pathAt,
  type RetryRule,
  reserveAttempt,
  retriesSuccess,
  retryLoop,
  secondsAt,
  sequence,
  spanOf,
} from "../shared/index.ts";
import type { Context, Writer } from "./context.ts";
import { assignData, data, mergedInto, placed, readCondition, resultAt } from "./data.ts";
import { endlessRetry, numericMultiplier } from "./diagnostics/kinds.ts";
import { transitionTo } from "./transitions.ts";

/**
 * The work of a state under its `retry` and `onError`. Each new attempt begins with the data that the state began with. Where success may be a
 * reason to try again, the retries are a loop of their own.
 */
export function protectedWork(writer: Writer, work: (inner: Writer) => Fragment): Fragment {
  const { retry = [], onError = [] } = writer.state;
  const rules = retry.map((each) => retryRule(writer.context, each));
  const loops = rules.some(retriesSuccess);
  if (rules.length + onError.length === 0) return work(writer);
  if (!loops) return attempted(writer, work, rules, onError);
  const loop = (inner: Writer) =>
    retryLoop(inner, { rules, data: "data", span: spanOf(writer.context, writer.state, "retry", "key") }, work);
  return onError.length === 0 ? loop(writer) : attempted(writer, loop, [], onError);
}

/** The error that a timeout raises. */
export const timeoutError: { readonly [key: string]: Json } = { origin: "timeout", name: "Timeout", message: "" };

/** Whether some `onError` of the state takes a timeout, as a condition over the data; simplified, so that it is a constant where that is certain. */
export function takesTimeout({ context, state }: Writer): Expression {
  const taken = (state.onError ?? []).map((handler) =>
    substitute(
      conditionOnError({ ...context, report: () => {} }, handler),
      new Map([["error", literal(timeoutError)]]),
    ),
  );
  return simplify(balanced("or", taken));
}

function attempted(
  writer: Writer,
  work: (inner: Writer) => Fragment,
  rules: readonly RetryRule[],
  onError: readonly ErrorDefinition[],
): Fragment {
  const { step, fill } = reserveAttempt(writer, data, work);
  const handlers = onError.map((handler) => handlerOf(writer, handler));
  const retries = rules.map(({ onError: when, limit, delay, span }) => ({ when: simplify(when), limit, delay, span }));
  return (next) => {
    fill({ restore: retries.length === 0 ? [] : ["data"], retries, handlers, next });
    return step.reference;
  };
}

function handlerOf(writer: Writer, handler: ErrorDefinition): Handler {
  const { context } = writer;
  const { expression } = handler;
  const span =
    typeof expression === "string" ? spanOf(context, handler, "expression") : spanOf(context, expression, "body");
  const when = simplify(conditionOnError(context, handler));
  const merged = assignData(writer, "onError", span, dataWithError(writer, handler));
  const next = complete(sequence(merged, transitionTo(writer, handler.transition)), span);
  return { when, bind: declare(writer, "error"), next, span };
}

/** The data with the error: by the filter's path, else as `error`. */
function dataWithError({ context }: Writer, { errorDataFilter: filter }: ErrorDefinition): Expression {
  const whole = (error: Expression) => mergedInto(context, data, object([["error", error]]));
  if (filter?.dataOutputPath === undefined) return overError(whole);
  const path = pathAt(context, filter, "dataOutputPath", data);
  const [first, ...rest] = path?.chain ?? [];
  if (first !== undefined && !errorMembers.has(first)) return overError((error) => placed(data, path!.chain!, error));
  if (first !== undefined && first !== "trace" && rest.length === 0)
    return overError((error) => mergedInto(context, data, object([[first, member(error, first)]])));
  return overError(
    (error) =>
      resultAt(context, filter, "dataOutputPath", { target: data, roots: [error], key: literal("error") }) ??
      whole(error),
  );
}

/** A retry definition: the interval's repetitions and `maxAttempts`, whichever is less, limit it; its multiplier is a duration that is added. */
function retryRule(context: Context, retry: RetryDefinition): RetryRule {
  const { seconds, repetitions } = intervalOf(context, retry);
  return {
    onError: conditionOnError(context, retry),
    onSuccess: simplify(conditionOnSuccess(context, retry)),
    limit: Math.min(repetitions ?? Number.POSITIVE_INFINITY, retry.maxAttempts ?? repetitions ?? 1),
    delay: { base: seconds, ...growthOf(context, retry) },
    span: spanOf(context, retry),
  };
}

function intervalOf(
  context: Context,
  retry: RetryDefinition,
): { readonly seconds: number; readonly repetitions: number | undefined } {
  const { interval } = retry;
  if (interval === undefined) return { seconds: 0, repetitions: undefined };
  if (!interval.startsWith("R")) return { seconds: secondsAt(context, retry, "interval") ?? 0, repetitions: undefined };
  const repeating = parseRepeating(interval);
  if (isProblem(repeating) || repeating.interval.kind !== "duration") {
    const problem = isProblem(repeating)
      ? repeating.problem
      : "The interval of a retry is a duration, not a stretch of the calendar.";
    context.report(unreadableDuration(spanOf(context, retry, "interval"), { problem }));
    return { seconds: 0, repetitions: undefined };
  }
  const { repetitions } = repeating;
  if (repetitions === undefined && retry.maxAttempts === undefined)
    context.report(endlessRetry(spanOf(context, retry, "interval"), {}));
  return { seconds: exactly(context, retry, "interval", repeating.interval.duration), repetitions };
}

/** A number, also as text, multiplies as in later versions; a duration is added. */
function growthOf(context: Context, retry: RetryDefinition): { readonly factor: number; readonly step: number } {
  const { multiplier } = retry;
  if (multiplier === undefined) return { factor: 1, step: 0 };
  const span = spanOf(context, retry, "multiplier");
  const factor = typeof multiplier === "number" || /^\d+(?:\.\d+)?$/.test(multiplier) ? Number(multiplier) : undefined;
  if (factor !== undefined) {
    context.report(numericMultiplier(span, { factor }));
    return { factor, step: 0 };
  }
  const duration = parseDuration(String(multiplier));
  if (!isProblem(duration)) return { factor: 1, step: exactly(context, retry, "multiplier", duration) };
  context.report(unreadableDuration(span, duration));
  return { factor: 1, step: 0 };
}

const error = variable("error");
const trace = member(error, "data", "trace");

/** The error as the language shows it: `{ name, message, trace }`, the trace only where the error has one. */
const errorObject: Expression = call(
  "merge",
  object(["name", "message"].map((name) => [name, firstOr(member(error, name), literal(""))] as const)),
  firstOr(object([["trace", trace]]), object([])),
);

/** The members that the language's error object can have. */
const errorMembers: ReadonlySet<string> = new Set(["name", "message", "trace"]);

/** An expression over the error as the language shows it. */
const overError = (build: (error: Expression) => Expression): Expression => resolve(build(placeholder));

/** The condition in `owner.expression` after an error: `error`, `exception` and their members `name`, `message` and `trace` are that error's. */
const conditionOnError = (context: Context, owner: { readonly expression?: Condition }): Expression =>
  overError((error) => readCondition(context, owner, scopeOf(error)));

/** The same after success: the error is null, its members are missing. Reports nothing, as the condition has been read before. */
const conditionOnSuccess = (context: Context, owner: { readonly expression?: Condition }): Expression =>
  readCondition({ ...context, report: () => {} }, owner, scopeOf(literal(null)));

/** Stands for the error until it is known what a path takes from it. No variable has such a name. */
const placeholder: Expression = variable("the error");

function scopeOf(error: Expression): ConditionScope {
  const withError = conditional(
    binary("==", call("type", data), literal("object")),
    binary("+", data, object(["error", "exception"].map((name) => [name, error] as const))),
    data,
  );
  const isError = (name: string) => name === "error" || name === "exception";
  return {
    root: withError,
    data: withError,
    member: (name) => (isError(name) ? error : member(data, name)),
    identifier: (name) => {
      if (isError(name)) return error;
      return errorMembers.has(name) ? member(error, name) : undefined;
    },
    identifiers: ["error", "exception", ...errorMembers],
  };
}

/** Puts the error into a condition: its members straight from the error value, the whole as the language shows it. */
function resolve(expression: Expression): Expression {
  if (expression === placeholder) return errorObject;
  if (expression.kind === "query" && expression.source === placeholder) return resolvePath(expression);
  const parts = childrenOf(expression).map((child) => child.expression);
  if (expression.kind === "call" && parts.includes(placeholder))
    return resolveCall(expression.name, parts) ?? rebuilt(expression, parts);
  return rebuilt(expression, parts);
}

const rebuilt = (expression: Expression, parts: readonly Expression[]): Expression =>
  withChildren(expression, parts.map(resolve));

function resolvePath(path: Extract<Expression, { kind: "query" }>): Expression {
  const [first, ...rest] = path.segments;
  const selector = first?.descend || first?.selectors.length !== 1 ? undefined : first.selectors[0];
  const name = selector?.kind === "name" ? selector.name : undefined;
  const filtered = rest.some((segment) => segment.selectors.some(({ kind }) => kind === "filter"));
  if (name !== undefined && !errorMembers.has(name)) return member(literal(null), name);
  if (name === "trace" && !filtered) return query(member(error, "data"), path.segments);
  if ((name === "name" || name === "message") && !filtered) return query(error, path.segments);
  return rebuilt(
    path,
    childrenOf(path).map((child) => child.expression),
  );
}

/** What is certain because there is an error: it is not null. */
function resolveCall(name: string, args: readonly Expression[]): Expression | undefined {
  switch (name) {
    case "truthy":
      return literal(true);
    case "isEmpty":
      return literal(false);
    case "compareInCondition": {
      const [left, operator, right] = args as readonly [Expression, Expression, Expression];
      const other = left === placeholder ? right : left;
      if (other.kind !== "literal" || other.value !== null) return undefined;
      return literal(operator.kind === "literal" && operator.value === "!=");
    }
    default:
      return undefined;
  }
}
