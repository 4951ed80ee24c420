import { type Expression, simplify } from "../../expressions/index.ts";
import type { Backoff } from "../../ir/workflow.ts";
import { isProblem, parseDuration, parseRepeating } from "../../text/iso8601.ts";
import type { Span } from "../../text/source.ts";
import { type Context, spanOf } from "./context.ts";
import { exactly, secondsAt } from "./data/durations.ts";
import { conditionOnError, conditionOnSuccess } from "./data/error-scope.ts";
import type { Retry } from "./definition.ts";
import { endlessRetry, numericMultiplier, unreadableDuration } from "./diagnostics/kinds.ts";

/** A retry definition, understood. */
export interface RetryRule {
  /** After an error. */
  readonly onError: Expression;
  /** After success: what the state gave may be a reason to try again. */
  readonly onSuccess: Expression;
  readonly limit: number;
  readonly delay: Backoff;
  readonly span: Span;
}

/** A retry definition: the interval's repetitions and `maxAttempts`, whichever is less, limit it; its multiplier is a duration that is added. */
export function retryRule(context: Context, retry: Retry): RetryRule {
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
  retry: Retry,
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
function growthOf(context: Context, retry: Retry): { readonly factor: number; readonly step: number } {
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
