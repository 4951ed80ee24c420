import type { Expression } from "../expressions/index.ts";
import type { Json } from "../json.ts";
import type { Span } from "../text/source.ts";
import type { ValueSpans } from "./spans.ts";
import type { Reference } from "./workflow.ts";

/**
 * The first retry applies whose `when`, over `$error` and the variables, yields true. Each allows `limit` retries per
 * visit of the step; then the handlers apply.
 */
export interface Retry {
  readonly when: Expression;
  readonly limit: number;
  readonly delay: Backoff;
  readonly spans?: RetrySpans | undefined;
  readonly span: Span;
}

/** The spans of a retry's limit and of the parts of its delay. */
export type RetrySpans = ValueSpans<"limit" | keyof Backoff>;

/**
 * The delay before the n-th retry (from 1) in seconds: `base` · `factor`^(n−1) + (n−1) · `step`, at most `cap`, plus a
 * random jitter of up to ± `spread` seconds or ± `fraction` of it (0 in scenarios).
 */
export interface Backoff {
  readonly base: number;
  readonly factor: number;
  readonly step: number;
  readonly cap?: number | undefined;
  readonly jitter?: { readonly kind: "spread" | "fraction"; readonly amount: number } | undefined;
}

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
  readonly origin: "function" | "timeout" | "expression" | "denied" | "noMatch" | "limit" | "fail";
  readonly name: string;
  readonly message: string;
  /** Such as `{ trace }`. */
  readonly data?: Json | undefined;
  /** Skips handlers and retries. */
  readonly fatal?: boolean | undefined;
}
