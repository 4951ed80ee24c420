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
import type { RetrySpans } from "../../ir/recovery.ts";
import type { Handler } from "../../ir/workflow.ts";
import type { Json } from "../../json.ts";
import { isTimeSyntaxError, parseDuration, parseRepeating } from "../../text/iso8601.ts";
import { invalidDuration } from "../shared/diagnostics/kinds.ts";
import { pathAt, secondsAt, spanOf, statedSpan, toSeconds } from "../shared/properties.ts";
import { mayRetryOnSuccess, type RetryRule, retryLoop } from "../shared/retry-loop.ts";
import { complete, declare, reserveAttempt, type StepFragment, sequence } from "../shared/steps.ts";
import type { Context, Writer } from "./context.ts";
import { assignData, data, mergeByPath, mergeObject, readCondition, setAtPath } from "./data.ts";
import { numericMultiplier, unlimitedRetry } from "./diagnostics/kinds.ts";
import { transitionTo } from "./transitions.ts";

/**
 * Serverless Workflow (draft of 2020), Retry Definition and Error Definition: each attempt starts with the state's
 * original data. Rules that may retry after success need a loop.
 */
export function withErrorHandling(writer: Writer, work: (inner: Writer) => StepFragment): StepFragment {
  const { retry = [], onError = [] } = writer.state;
  const rules = retry.map((each) => retryRule(writer.context, each));
  const loops = rules.some(mayRetryOnSuccess);
  if (rules.length + onError.length === 0) return work(writer);
  if (!loops) return attemptWork(writer, work, rules, onError);
  const loop = (inner: Writer) =>
    retryLoop(inner, { rules, data: "data", span: spanOf(writer.context, writer.state, "retry", "key") }, work);
  return onError.length === 0 ? loop(writer) : attemptWork(writer, loop, [], onError);
}

/** The error of a timeout. */
export const timeoutError: { readonly [key: string]: Json } = { origin: "timeout", name: "Timeout", message: "" };

/** Whether some `onError` catches a timeout; a constant where possible. */
export function catchesTimeout({ context, state }: Writer): Expression {
  const taken = (state.onError ?? []).map((handler) =>
    substitute(
      conditionOnError({ ...context, report: () => {} }, handler),
      new Map([["error", literal(timeoutError)]]),
    ),
  );
  return simplify(balanced("or", taken));
}

function attemptWork(
  writer: Writer,
  work: (inner: Writer) => StepFragment,
  rules: readonly RetryRule[],
  onError: readonly ErrorDefinition[],
): StepFragment {
  const { step, fill } = reserveAttempt(writer, data, work);
  const handlers = onError.map((handler) => handlerOf(writer, handler));
  const retries = rules.map(({ onError: when, ...rule }) => ({
    when: simplify(when),
    limit: rule.limit,
    delay: rule.delay,
    spans: rule.spans,
    span: rule.span,
  }));
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

function dataWithError({ context }: Writer, { errorDataFilter: filter }: ErrorDefinition): Expression {
  const whole = (error: Expression) => setAtPath(data, ["error"], error);
  if (filter?.dataOutputPath === undefined) return withError(whole);
  const path = pathAt(context, filter, "dataOutputPath", data);
  const [first, ...rest] = path?.chain ?? [];
  if (first !== undefined && !errorFields.has(first)) return withError((error) => setAtPath(data, path!.chain!, error));
  if (first !== undefined && first !== "trace" && rest.length === 0)
    return withError((error) => mergeObject(context, data, object([[first, member(error, first)]])));
  return withError(
    (error) =>
      mergeByPath(context, filter, "dataOutputPath", { target: data, roots: [error], key: literal("error") }) ??
      whole(error),
  );
}

/** The interval's repetitions or `maxAttempts`, whichever is smaller. */
function retryRule(context: Context, retry: RetryDefinition): RetryRule {
  const { seconds, repetitions } = intervalOf(context, retry);
  return {
    onError: conditionOnError(context, retry),
    onSuccess: simplify(conditionOnSuccess(context, retry)),
    limit: Math.min(repetitions ?? Number.POSITIVE_INFINITY, retry.maxAttempts ?? repetitions ?? 1),
    delay: { base: seconds, ...growthOf(context, retry) },
    spans: retrySpans(context, retry),
    span: spanOf(context, retry),
  };
}

const retrySpans = (context: Context, retry: RetryDefinition): RetrySpans => ({
  limit: statedSpan(context, retry, "maxAttempts"),
  base: statedSpan(context, retry, "interval"),
  factor: statedSpan(context, retry, "multiplier"),
  step: statedSpan(context, retry, "multiplier"),
});

function intervalOf(
  context: Context,
  retry: RetryDefinition,
): { readonly seconds: number; readonly repetitions: number | undefined } {
  const { interval } = retry;
  if (interval === undefined) return { seconds: 0, repetitions: undefined };
  if (!interval.startsWith("R")) return { seconds: secondsAt(context, retry, "interval") ?? 0, repetitions: undefined };
  const repeating = parseRepeating(interval);
  if (isTimeSyntaxError(repeating) || repeating.interval.kind !== "duration") {
    const message = isTimeSyntaxError(repeating)
      ? repeating.message
      : "The interval of a retry must be a duration, without a start or an end.";
    context.report(invalidDuration(spanOf(context, retry, "interval"), { message }));
    return { seconds: 0, repetitions: undefined };
  }
  const { repetitions } = repeating;
  if (repetitions === undefined && retry.maxAttempts === undefined)
    context.report(unlimitedRetry(spanOf(context, retry, "interval"), {}));
  return { seconds: toSeconds(context, retry, "interval", repeating.interval.duration), repetitions };
}

/** A number multiplies as in later versions; a duration is added. */
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
  if (!isTimeSyntaxError(duration)) return { factor: 1, step: toSeconds(context, retry, "multiplier", duration) };
  context.report(invalidDuration(span, duration));
  return { factor: 1, step: 0 };
}

const error = variable("error");
const trace = member(error, "data", "trace");

/** `trace` only if the error has one. */
const errorObject: Expression = call(
  "merge",
  object(["name", "message"].map((name) => [name, firstOr(member(error, name), literal(""))] as const)),
  firstOr(object([["trace", trace]]), object([])),
);

const errorFields: ReadonlySet<string> = new Set(["name", "message", "trace"]);

const withError = (build: (error: Expression) => Expression): Expression => substituteError(build(placeholder));

const conditionOnError = (context: Context, owner: { readonly expression?: Condition }): Expression =>
  withError((error) => readCondition(context, owner, scopeOf(error)));

const conditionOnSuccess = (context: Context, owner: { readonly expression?: Condition }): Expression =>
  readCondition({ ...context, report: () => {} }, owner, scopeOf(literal(null)));

/** Stands for the error until its uses are known. */
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
      return errorFields.has(name) ? member(error, name) : undefined;
    },
    identifiers: ["error", "exception", ...errorFields],
  };
}

/** Fields come directly from the error value, the whole error as the language shows it. */
function substituteError(expression: Expression): Expression {
  if (expression === placeholder) return errorObject;
  if (expression.kind === "query" && expression.source === placeholder) return substituteInPath(expression);
  const parts = childrenOf(expression).map((child) => child.expression);
  if (expression.kind === "call" && parts.includes(placeholder))
    return substituteInCall(expression.name, parts) ?? substituteInParts(expression, parts);
  return substituteInParts(expression, parts);
}

const substituteInParts = (expression: Expression, parts: readonly Expression[]): Expression =>
  withChildren(expression, parts.map(substituteError));

function substituteInPath(path: Extract<Expression, { kind: "query" }>): Expression {
  const [first, ...rest] = path.segments;
  const selector = first?.descend || first?.selectors.length !== 1 ? undefined : first.selectors[0];
  const name = selector?.kind === "name" ? selector.name : undefined;
  const filtered = rest.some((segment) => segment.selectors.some(({ kind }) => kind === "filter"));
  if (name !== undefined && !errorFields.has(name)) return member(literal(null), name);
  if (name === "trace" && !filtered) return query(member(error, "data"), path.segments);
  if ((name === "name" || name === "message") && !filtered) return query(error, path.segments);
  return substituteInParts(
    path,
    childrenOf(path).map((child) => child.expression),
  );
}

/** The whole error is not null. */
function substituteInCall(name: string, args: readonly Expression[]): Expression | undefined {
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
