import {
  binary,
  bind,
  call,
  childrenOf,
  conditional,
  type Expression,
  freeVariables,
  literal,
  member,
  simplify,
  substitute,
  variable,
} from "../../expressions/index.ts";
import type { RetryDefinition, State } from "../../generated/serverless-workflow-definition.ts";
import type { RetrySpans } from "../../ir/recovery.ts";
import { isTimeSyntaxError, parseDuration, parseRepeating } from "../../text/iso8601.ts";
import { invalidDuration } from "../shared/diagnostics/kinds.ts";
import { pathAt, secondsAt, selectedOr, spanOf, statedSpan, toSeconds } from "../shared/properties.ts";
import type { RetryRule } from "../shared/retry-loop.ts";
import { assign, declare, type StepFragment } from "../shared/steps.ts";
import type { Context, Writer } from "./context.ts";
import { data, readCondition } from "./data.ts";
import { numericMultiplier, unlimitedRetry } from "./diagnostics/kinds.ts";
import { errorFields, errorMembers, errorNames, isErrorName, scopeOf, withError } from "./error-value.ts";

/** The rules of a state, and whether they read the data of the attempt. */
export interface RetryRules {
  readonly rules: readonly RetryRule[];
  /** The variable with the data of the attempt, if a rule needs it. */
  readonly attemptData: string | undefined;
}

/**
 * Serverless Workflow (draft of 2020), Retry Definition: rules see the state's data output, which has only an `error`
 * of this attempt. So the data of the attempt begins without the input's `error`, and receives the same results.
 */
export function retryRules({ context, state }: Writer): RetryRules {
  const rules = (state.retry ?? []).map((each) => retryRule(context, state, each));
  const isNeeded = rules.some(({ onError, onSuccess }) => readsErrorOrAll(onError) || readsErrorOrAll(onSuccess));
  if (isNeeded) return { rules, attemptData: attempt.name };
  const onData = (expression: Expression) => simplify(substitute(expression, new Map([[attempt.name, data]])));
  return {
    rules: rules.map((rule) => ({ ...rule, onError: onData(rule.onError), onSuccess: onData(rule.onSuccess) })),
    attemptData: undefined,
  };
}

/** Begins an attempt: the data without an earlier error. */
export const beginAttempt = (writer: Writer, name: string): StepFragment => {
  const value = call("omit", data, literal(errorNames));
  const span = spanOf(writer.context, writer.state, "retry", "key");
  return assign(writer, "attempt", span, { variable: declare(writer, name), value });
};

const attempt = { kind: "variable", name: "attempt" } as const;

/** Whether an expression reads an `error` of the attempt's data, or all of it. */
function readsErrorOrAll(expression: Expression): boolean {
  if (expression.kind === "variable") return expression.name === attempt.name;
  const parts = childrenOf(expression).map((child) => child.expression);
  if (expression.kind !== "query" || expression.source.kind !== "variable") return parts.some(readsErrorOrAll);
  const [first] = expression.segments;
  const [selector] = first?.selectors ?? [];
  const isPlain =
    first && !first.descend && first.selectors.length === 1 && selector?.kind === "name" && !isErrorName(selector.name);
  return isPlain
    ? parts.filter((part) => part !== expression.source).some(readsErrorOrAll)
    : parts.some(readsErrorOrAll);
}

/** The data output of the attempt, as the filter of the state selects it. */
function withOutput(
  context: Context,
  { stateDataFilter: filter }: State,
  build: (output: Expression) => Expression,
): Expression {
  if (filter?.dataOutputPath === undefined) return build(attempt);
  const path = pathAt({ ...context, report: () => {} }, filter, "dataOutputPath", attempt);
  return path ? bind("output", selectedOr(path, attempt), build(variable("output"))) : build(attempt);
}

const conditionAfterFailure = (context: Context, state: State, retry: RetryDefinition): Expression =>
  withOutput(context, state, (output) =>
    withError((error) => {
      const members = errorMembers(error);
      const isObject = binary("==", call("type", output), literal("object"));
      const all = conditional(isObject, binary("+", output, members), members);
      const identifier = scopeOf(error).identifier!;
      const ofOutput = (name: string) => (isErrorName(name) ? error : member(output, name));
      return readCondition(context, retry, { ...scopeOf(error), root: all, data: all, member: ofOutput, identifier });
    }),
  );

/** False if the condition reads only the fields of an error by their bare names: `name ne 'Fatal'` is about errors. */
function conditionAfterSuccess(context: Context, state: State, retry: RetryDefinition): Expression {
  const mayHaveError = mayPutError(context, state);
  let readsError = false;
  return withOutput(context, state, (output) => {
    const ofOutput = (name: string) => (isErrorName(name) && !mayHaveError ? literal(null) : member(output, name));
    const identifier = (name: string) => {
      if (isErrorName(name)) return ofOutput(name);
      readsError ||= errorFields.has(name);
      return errorFields.has(name) ? member(literal(null), name) : undefined;
    };
    const scope = { ...scopeOf(literal(null)), root: output, data: output, member: ofOutput, identifier };
    const condition = readCondition({ ...context, report: () => {} }, retry, scope);
    return readsError && freeVariables(condition).size === 0 ? literal(false) : condition;
  });
}

/** Whether what the state does may put an `error` into its data output. */
function mayPutError(context: Context, state: State): boolean {
  if (state.stateDataFilter?.dataOutputPath !== undefined) return true;
  if (state.type === "foreach") return state.outputCollection !== undefined;
  if (state.type !== "operation") return true;
  return state.actions.some(({ actionDataFilter: filter }) => {
    if (filter?.dataResultsPath === undefined) return true;
    const chain = pathAt({ ...context, report: () => {} }, filter, "dataResultsPath", attempt, "place")?.chain;
    const [first, last] = [chain?.[0], chain?.at(-1)];
    return first === undefined || last === undefined || isErrorName(first) || isErrorName(last);
  });
}

/** The interval's repetitions or `maxAttempts`, whichever is smaller. */
function retryRule(context: Context, state: State, retry: RetryDefinition): RetryRule {
  const { seconds, repetitions } = intervalOf(context, retry);
  return {
    onError: conditionAfterFailure(context, state, retry),
    onSuccess: simplify(conditionAfterSuccess(context, state, retry)),
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
