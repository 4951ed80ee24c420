import type { Expression } from "../expressions/index.ts";
import type { Json } from "../json.ts";
import type { Span } from "../text/source.ts";
import type { Seconds } from "./seconds.ts";
import type { ValueSpans } from "./spans.ts";
import type { Reference } from "./workflow.ts";

/**
 * The first retry applies whose `when`, over `$error` and the variables, yields true. Each allows `limit` retries per
 * visit of the step, and none that would begin later than `within` seconds after the first attempt began; then the
 * handlers apply.
 */
export interface Retry {
  readonly when: Expression;
  /** Unlimited by default. */
  readonly limit?: number | undefined;
  readonly within?: Seconds | undefined;
  readonly delay: Backoff;
  readonly spans?: RetrySpans | undefined;
  readonly span: Span;
}

/** The maximum number of retries. */
export const maxRetries = ({ limit }: Pick<Retry, "limit">): number => limit ?? Number.POSITIVE_INFINITY;

/** The spans of a retry's limits and of the parts of its delay. */
export type RetrySpans = ValueSpans<"limit" | "within" | keyof Backoff>;

/**
 * The delay before the n-th retry (from 1) in seconds: `base` · `factor`^(n−1) + (n−1) · `step`, at most `cap`, with
 * the jitter.
 */
export interface Backoff {
  readonly base: Seconds;
  readonly factor: number;
  readonly step: number;
  readonly cap?: Seconds | undefined;
  readonly jitter?: Jitter | undefined;
}

/** A delay without computed parts. */
export interface ConstantBackoff extends Backoff {
  readonly base: number;
  readonly cap?: number | undefined;
  readonly jitter?: Exclude<Jitter, { readonly kind: "range" | "full" }> | undefined;
}

/**
 * A random number of seconds to add: of up to ± `amount` (`spread`), of up to ± `amount` times the delay (`fraction`),
 * or between `from` and `to` (`range`). In scenarios it is 0, and `from` for a range. With `full`, the delay is a
 * random part of what it would be, and all of it in scenarios.
 */
export type Jitter =
  | { readonly kind: "full" }
  | { readonly kind: "spread" | "fraction"; readonly amount: number }
  | { readonly kind: "range"; readonly from: number; readonly to: number };

/**
 * The first handler wins whose `when`, over `$error` and the variables, yields true. Binds an `ErrorValue`. An
 * unhandled error fails the scope and propagates outward.
 */
export interface Handler {
  readonly when: Expression;
  readonly bind?: string | undefined;
  readonly next: Reference;
  readonly span: Span;
}

/** A language's names for generic errors. */
export interface ErrorNames {
  /** Replaces `ExpressionError` (a failed expression) and `DataError` (an unusable value). */
  readonly expression: string;
  /** Replaces `Timeout`. */
  readonly timeout: string;
  /** For calls that the platform fails, not the function. */
  readonly calls?: CallErrorNames | undefined;
}

/** A language's names for platform errors of calls. */
export interface CallErrorNames {
  /** The run may not call the function. */
  readonly denied: string;
  readonly argument: string;
  /** The result cannot be stored. */
  readonly result: string;
  readonly failed: string;
}

/** The value of `$error`; front ends convert it. */
export interface ErrorValue {
  readonly origin: "function" | "timeout" | "heartbeat" | "expression" | "denied" | "noMatch" | "limit" | "fail";
  readonly name: string;
  readonly message: string;
  /** Such as `{ trace }`. */
  readonly data?: Json | undefined;
  /** Skips handlers and retries. */
  readonly fatal?: boolean | undefined;
}
