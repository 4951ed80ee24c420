import type { Expression } from "../ast.ts";

/** A part of an expression, and what is different there. */
export interface Child {
  readonly expression: Expression;
  /** Whether `.` is another value than outside. */
  readonly rebinds: boolean;
  /** The variable that has a value there and not outside; the same for all parts of one expression that have one. */
  readonly binds?: string | undefined;
}

/** A part in which nothing is different. */
export const plain = (expression: Expression): Child => ({ expression, rebinds: false });

/** A part in which `.` is another value, and perhaps a variable is bound. */
export const rebound = (expression: Expression, binds?: string): Child => ({ expression, rebinds: true, binds });
