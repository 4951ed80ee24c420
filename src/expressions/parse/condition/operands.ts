import type { Expression } from "../../core/ast.ts";
import { call, conditional } from "../../core/build.ts";
import { type Parser, refuse } from "./parser.ts";
import type { Part } from "./pratt.ts";

/**
 * A part of a condition. `value`: something with an output at most, or several from a path; `literal`: a value that is written; `condition`: true
 * or false; `negated`: a condition that begins with `not`; `choice`: what a condition decides.
 */
export type Operand = Simple | Choice;

/** An operand that one expression stands for. */
export interface Simple extends Part {
  readonly kind: "value" | "literal" | "condition" | "negated";
  readonly expression: Expression;
}

interface Choice extends Part {
  readonly kind: "choice";
  readonly condition: Expression;
  readonly then: Operand;
  readonly otherwise: Operand;
}

/** What an operand is as a side of a comparison. */
export function asValue(operand: Operand): Expression {
  if (operand.kind !== "choice") return operand.expression;
  return conditional(operand.condition, asValue(operand.then), asValue(operand.otherwise));
}

/** What an operand is as a condition: a value is true if it is neither false nor null. */
export function asCondition(parser: Parser, operand: Operand): Expression {
  switch (operand.kind) {
    case "condition":
    case "negated":
      return operand.expression;
    case "value":
      return call("truthy", operand.expression);
    case "literal":
      if (isBoolean(operand)) return operand.expression;
      return refuse(parser, "syntax", "A value alone is not a condition.", operand);
    case "choice":
      return conditional(operand.condition, asCondition(parser, operand.then), asCondition(parser, operand.otherwise));
  }
}

/** Whether an operand is `true` or `false`. */
export const isBoolean = (operand: Operand): boolean =>
  operand.kind === "literal" && operand.expression.kind === "literal" && typeof operand.expression.value === "boolean";
