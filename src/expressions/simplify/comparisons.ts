import { assertNever, type Json } from "../../json.ts";
import { canFail, factsOf, isTotal, outputs } from "../analysis/effects.ts";
import { comparisonIn } from "../builtins/builtins.ts";
import type { Binary, Expression, Logic } from "../core/ast.ts";
import { call, literal } from "../core/build.ts";
import { equalExpressions } from "../core/equal.ts";
import { equalValues } from "../library/order.ts";

/**
 * Simplifies two comparisons of one expression with constants if one implies or contradicts the other: `x != "A" or x
 * == "B"` is `x != "A"`. A missing value equals nothing and differs only from null, so `x != "A" or x != "B"` means
 * `exists(x)`.
 */
export function comparedTwice({ operator, left, right }: Logic): Expression | undefined {
  const [first, second] = [comparisonOf(left), comparisonOf(right)];
  if (!first || !second || !equalExpressions(first.of, second.of) || canFail(first.of)) return undefined;
  const same = equalValues(first.to, second.to);
  if (first.equal === second.equal) return same ? left : bothOrNeither(operator, first, second);
  if (same) return operator === "and" ? literal(false) : unlessMissing(first, second);
  if ((first.mayMiss || second.mayMiss) && (first.to === null || second.to === null)) return undefined;
  // The comparison for equality implies the other one.
  return first.equal === (operator === "and") ? left : right;
}

/** Decides comparisons of total expressions with different types: `[E] == "x"` is false. */
export function comparedApart({ operator, left, right }: Binary): Expression | undefined {
  if ((operator !== "==" && operator !== "!=") || !isTotal(left) || !isTotal(right)) return undefined;
  const types = [factsOf(left).type, factsOf(right).type];
  if (types[0] === types[1] || types.includes(undefined)) return undefined;
  return literal(operator === "!=");
}

/** A value cannot equal two constants, and differs from at least one of them. */
function bothOrNeither(operator: Logic["operator"], first: Compared, second: Compared): Expression | undefined {
  switch (operator) {
    case "and":
      return first.equal ? literal(false) : undefined;
    case "or":
      return first.equal ? undefined : unlessMissing(first, second);
    default:
      return assertNever(operator);
  }
}

/** True for any present value; a missing value differs only from null. */
function unlessMissing(first: Compared, second: Compared): Expression | undefined {
  if (!first.mayMiss && !second.mayMiss) return literal(true);
  return first.to === null || second.to === null ? undefined : call("exists", first.of);
}

/** A comparison of an expression with a constant. */
interface Compared {
  readonly of: Expression;
  readonly to: Json;
  /** Whether it is `==`; otherwise `!=`. */
  readonly equal: boolean;
  readonly mayMiss: boolean;
}

function comparisonOf(expression: Expression): Compared | undefined {
  if (expression.kind === "binary") return compared(expression.left, expression.operator, expression.right, false);
  const asked = comparisonIn(expression);
  return asked && compared(asked.left, asked.operator, asked.right, true);
}

function compared(left: Expression, operator: Json, right: Expression, mayMiss: boolean): Compared | undefined {
  if ((operator !== "==" && operator !== "!=") || right.kind !== "literal") return undefined;
  if (!mayMiss && outputs(left) !== "one") return undefined;
  return { of: left, to: right.value, equal: operator === "==", mayMiss };
}
