import type { Expression } from "../expressions/index.ts";
import type { Json } from "../json.ts";
import type { Span } from "../text/source.ts";
import type { Reference } from "./workflow.ts";

/**
 * When a step has failed, its retries are tried in order: the first whose `when` (over `$error` and the variables) gives true governs.
 * It allows `limit` retries per visit of the step, each entry counting for itself; when they are used up, the handlers have their turn.
 */
export interface Retry {
  readonly when: Expression;
  readonly limit: number;
  readonly delay: Backoff;
  readonly span: Span;
}

/**
 * The wait before the n-th retry (n from 1), in seconds: `base` · `factor`^(n−1) + (n−1) · `step`, but at most `cap`; then jitter:
 * a random share of ± `spread` seconds or ± `fraction` of it (0 in scenarios).
 */
export interface Backoff {
  readonly base: number;
  readonly factor: number;
  readonly step: number;
  readonly cap?: number | undefined;
  readonly jitter?: { readonly kind: "spread" | "fraction"; readonly amount: number } | undefined;
}

/**
 * Where the run goes after an error: the first handler whose `when` (over `$error` and the variables as they are) gives true. The error
 * (an `ErrorValue`) is then in the variable `bind`. What no handler takes fails the scope, and so outward.
 */
export interface Handler {
  readonly when: Expression;
  readonly bind?: string | undefined;
  readonly next: Reference;
  readonly span: Span;
}

/** What errors are called that nothing has named. */
export interface ErrorNames {
  /** The failure of an expression, instead of `ExpressionError`, and of a step that cannot use what it gives, instead of `DataError`. */
  readonly expression: string;
  /** A step that took longer than its timeout allows, instead of `Timeout`. */
  readonly timeout: string;
  /** A call that the platform lets fail, not the function, instead of the platform's own name. */
  readonly calls?: CallErrorNames | undefined;
}

/** What errors of calls are called that a platform raises by itself. */
export interface CallErrorNames {
  /** The run may not call the function. */
  readonly denied: string;
  /** What the function would be given is refused. */
  readonly argument: string;
  /** What the function gives has no place in the data. */
  readonly result: string;
  /** It failed, and nothing says how. */
  readonly failed: string;
}

/** An error, as handlers and retries see it in `$error`. Front ends build their language's error object from it. */
export interface ErrorValue {
  readonly origin: "function" | "timeout" | "expression" | "denied" | "noMatch" | "limit" | "fail";
  readonly name: string;
  readonly message: string;
  /** What else the error carries, such as `{ trace }`; absent if nothing. */
  readonly data?: Json | undefined;
  /** No handler and no retry takes it. */
  readonly fatal?: boolean | undefined;
}
