import type { Charset } from "./literals.ts";

/** Options for printing code. */
export interface PrintOptions {
  readonly types: boolean;
  /** Unicode by default. */
  readonly charset?: Charset | undefined;
  /** The maximum number of columns where possible. Default: 120. */
  readonly width?: number | undefined;
}

/** Options with their defaults. */
export interface Style {
  readonly types: boolean;
  readonly charset: Charset;
  readonly width: number;
}

/** Completes options. */
export const styleOf = ({ types, charset = "unicode", width = 120 }: PrintOptions): Style => ({
  types,
  charset,
  width,
});

/** Where an expression is, as far as its layout depends on it. */
export type Place =
  | "argument"
  | "arrowBody"
  | "assigned"
  | "branch"
  | "indentedBranch"
  | "callee"
  | "logicalOperand"
  | "object"
  | "operand"
  | "other"
  | "returned"
  | "statement"
  | "template"
  | "test"
  | "unaryOperand";
