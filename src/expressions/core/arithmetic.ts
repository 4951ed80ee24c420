import { assertNever, type Json } from "../../json.ts";
import { divide, minus, modulo, plus, times } from "../library/arithmetic.ts";
import { equalValues, isGreater, isGreaterOrEqual, isLess, isLessOrEqual } from "../library/order.ts";
import type { Binary } from "./ast.ts";

/** jq's operators. Numbers can come out infinite, or as no number; comparison is jq's order of all values. */
export function calculate(operator: Binary["operator"], left: Json, right: Json): Json {
  switch (operator) {
    case "+":
      return plus(left, right);
    case "-":
      return minus(left, right);
    case "*":
      return times(left, right);
    case "/":
      return divide(left, right);
    case "%":
      return modulo(left, right);
    case "==":
      return equalValues(left, right);
    case "!=":
      return !equalValues(left, right);
    case "<":
      return isLess(left, right);
    case "<=":
      return isLessOrEqual(left, right);
    case ">":
      return isGreater(left, right);
    case ">=":
      return isGreaterOrEqual(left, right);
    default:
      return assertNever(operator);
  }
}
