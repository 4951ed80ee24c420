import { call, type Expression, equalExpressions, evaluateOne, literal, variable } from "../expressions/index.ts";
import type { Json } from "../json.ts";
import type { ErrorValue } from "./recovery.ts";

/** A standard error of a language whose errors are problem details (RFC 9457). */
export type StandardError = {
  readonly status: number;
  readonly title: string;
};

/** The standard errors of a language, and which of them an error without a standard name is. */
export interface StandardErrors {
  /** Precedes the name of a standard error in `type`. */
  readonly prefix: string;
  readonly errors: { readonly [name: string]: StandardError };
  /** By origin; `function` is for errors of functions with other names. */
  readonly origins: { readonly [origin in ErrorValue["origin"]]: string };
}

/**
 * `Workflow.raisedError` for problem details: `data` is `{ type, status, title, detail, instance }`, with the pointer as
 * `instance`. If a function names its error by a standard name or a URI, which is the type, its message is the title.
 * Another name is the title of the standard error for functions, and the message the detail. `type`, `status` and
 * `detail` in the data of an error take precedence. Failed expressions and timeouts have no detail: their messages differ
 * between platforms.
 */
export const problemDetails = ({ prefix, errors, origins }: StandardErrors): Expression =>
  call("problem", variable("error"), variable("pointer"), literal({ prefix, errors, origins }));

/** An error with problem details by standard errors as JSON, as `problemDetails` makes it. */
export function problemOf({ data = null, ...error }: ErrorValue, pointer: Json, standard: Json): ErrorValue {
  const { origin, name, message } = error;
  const value = problemDetails(standard as unknown as StandardErrors);
  const variables = new Map<string, Json>([
    ["error", { origin, name, message, data }],
    ["pointer", pointer],
  ]);
  return evaluateOne(value, { input: null, variables }) as unknown as ErrorValue;
}

/** The standard errors of an expression that `problemDetails` built, as JSON; undefined for others. */
export function standardErrorsOf(raisedError: Expression): Json | undefined {
  if (raisedError.kind !== "call" || raisedError.name !== "problem" || raisedError.isLocal) return undefined;
  const [error, pointer, standard] = raisedError.args;
  if (!error || !pointer || standard?.kind !== "literal") return undefined;
  const isPlain = equalExpressions(error, variable("error")) && equalExpressions(pointer, variable("pointer"));
  return isPlain ? standard.value : undefined;
}
