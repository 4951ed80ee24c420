import { assertNever, type Json } from "../../json.ts";
import { canFail, effectsOf, isTotal, outputs } from "../analysis/effects.ts";
import { comparisonOf } from "../builtins/builtins.ts";
import type { Binary, Expression, Logic } from "../core/ast.ts";
import { call, literal } from "../core/build.ts";
import { equalExpressions } from "../core/equal.ts";
import { isBinary } from "../core/views.ts";
import { equalValues } from "../library/order.ts";

/**
 * Simplifies two comparisons of one expression with constants if one implies or contradicts the other: `x != "A" or x
 * == "B"` → `x != "A"`. A missing value equals null and differs from nothing, so `x != "A" or x != "B"` → `exists(x)`.
 */
export function mergeComparisons({ name: operator, args: [left, right] }: Logic): Expression | undefined {
  const [first, second] = [constantComparisonOf(left), constantComparisonOf(right)];
  if (!first || !second || !equalExpressions(first.of, second.of) || canFail(first.of)) return undefined;
  const same = equalValues(first.to, second.to);
  if (first.equal === second.equal) return same ? left : combineDifferentConstants(operator, first, second);
  if (same) return operator === "and" ? literal(false) : unlessMissing(first, second);
  const equality = first.equal ? first : second;
  if (equality.mayMiss && equality.to === null) return undefined;
  // The equality implies the other comparison.
  return first.equal === (operator === "and") ? left : right;
}

/** Decides comparisons of total expressions with different types: `[E] == "x"` → `false`. */
export function compareDisjointTypes({ name: operator, args: [left, right] }: Binary): Expression | undefined {
  if ((operator !== "==" && operator !== "!=") || !isTotal(left) || !isTotal(right)) return undefined;
  const types = [effectsOf(left).type, effectsOf(right).type];
  if (types[0] === types[1] || types.includes(undefined)) return undefined;
  return literal(operator === "!=");
}

/** No value equals two constants. */
function combineDifferentConstants(
  operator: Logic["name"],
  first: ConstantComparison,
  second: ConstantComparison,
): Expression | undefined {
  switch (operator) {
    case "and":
      return first.equal ? literal(false) : undefined;
    case "or":
      return first.equal ? undefined : unlessMissing(first, second);
    default:
      return assertNever(operator);
  }
}

/** A missing value equals null and differs from nothing. */
function unlessMissing(first: ConstantComparison, second: ConstantComparison): Expression {
  const isCertain = !first.mayMiss && !second.mayMiss;
  const isNull = [first, second].some(({ equal, to }) => equal && to === null);
  return isCertain || isNull ? literal(true) : call("exists", first.of);
}

interface ConstantComparison {
  readonly of: Expression;
  readonly to: Json;
  readonly equal: boolean;
  readonly mayMiss: boolean;
}

function constantComparisonOf(expression: Expression): ConstantComparison | undefined {
  if (isBinary(expression)) return constantComparison(expression.args[0], expression.name, expression.args[1], false);
  const asked = comparisonOf(expression);
  return asked && constantComparison(asked.left, asked.operator, asked.right, true);
}

function constantComparison(
  left: Expression,
  operator: Json,
  right: Expression,
  mayMiss: boolean,
): ConstantComparison | undefined {
  if ((operator !== "==" && operator !== "!=") || right.kind !== "literal") return undefined;
  if (!mayMiss && outputs(left) !== "one") return undefined;
  return { of: left, to: right.value, equal: operator === "==", mayMiss };
}
