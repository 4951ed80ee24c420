import { call, type Expression, literal, variable } from "../expressions/index.ts";
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
