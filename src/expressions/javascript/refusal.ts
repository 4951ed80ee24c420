import type { Span } from "../../text/source.ts";
import type { Expression } from "../core/ast.ts";

/** An expression that JavaScript is not made of, and why. */
export interface Refusal {
  readonly refused: string;
  /** Where, if that is known. */
  readonly span: Span | undefined;
}

/** Ends the writing of a program. */
export class RefusalSignal extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.refused);
    this.refusal = refusal;
  }
}

/** Gives up on an expression. */
export function refuse(expression: Expression, reason: string): never {
  throw new RefusalSignal({ refused: reason, span: expression.span });
}
