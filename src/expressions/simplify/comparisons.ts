import { assertNever, type Json } from "../../json.ts";
import { canFail, factsOf, isTotal, outputs } from "../analysis/effects.ts";
import { comparisonIn } from "../builtins/builtins.ts";
import type { Binary, Expression, Logic } from "../core/ast.ts";
import { call, literal } from "../core/build.ts";
import { equalExpressions } from "../core/equal.ts";
import { equalValues } from "../library/order.ts";

/**
 * `x != "A" or x == "B"` is `x != "A"`: of two comparisons of one thing with constants, one says nothing that the other does not say, or both decide.
 * Undefined where this is not so. The thing may be missing: it then differs from nothing but null, and equals nothing, so that
 * `x != "A" or x != "B"` asks whether it is there.
 */
export function comparedTwice({ operator, left, right }: Logic): Expression | undefined {
  const [first, second] = [comparisonOf(left), comparisonOf(right)];
  if (!first || !second || !equalExpressions(first.of, second.of) || canFail(first.of)) return undefined;
  const same = equalValues(first.to, second.to);
  if (first.equal === second.equal) return same ? left : bothOrNeither(operator, first, second);
  if (same) return operator === "and" ? literal(false) : unlessMissing(first, second);
  if ((first.mayMiss || second.mayMiss) && (first.to === null || second.to === null)) return undefined;
  // The one that asks for equality is the narrower of the two.
  return first.equal === (operator === "and") ? left : right;
}

/** `[E] == "x"` is false: values of two types are never equal. Undefined where this is not so, or one of the values may fail. */
export function comparedApart({ operator, left, right }: Binary): Expression | undefined {
  if ((operator !== "==" && operator !== "!=") || !isTotal(left) || !isTotal(right)) return undefined;
  const types = [factsOf(left).type, factsOf(right).type];
  if (types[0] === types[1] || types.includes(undefined)) return undefined;
  return literal(operator === "!=");
}

/** Two values at once there cannot be, and any value differs from one of two. */
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

/** What holds of anything that is there: a thing that may be missing has to be, which differs from null then. */
function unlessMissing(first: Compared, second: Compared): Expression | undefined {
  if (!first.mayMiss && !second.mayMiss) return literal(true);
  return first.to === null || second.to === null ? undefined : call("exists", first.of);
}

/** What is compared with which constant. */
interface Compared {
  readonly of: Expression;
  readonly to: Json;
  /** Whether the comparison holds for equal ones; else for others. */
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
