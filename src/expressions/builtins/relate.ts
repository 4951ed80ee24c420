import type { Json } from "../../json.ts";
import { compareStrings, equalValues } from "../library/order.ts";
import { orderOf } from "./order.ts";

/** How two values are compared. */
export type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">=";

/**
 * `compareInCondition(L, op, R)`: a comparison in a condition. What a side yields decides what it is: nothing is missing, one output is that value, several are
 * their array. With a missing side only `!=` against null is true. Equality is deep and typed; order is that of `orderOf`.
 */
export function compareInCondition(left: readonly Json[], operator: Json, right: readonly Json[]): boolean {
  const [a, b] = [sideOf(left), sideOf(right)];
  if (a === undefined || b === undefined) return operator === "!=" && (a === null || b === null);
  if (operator === "==") return equalValues(a, b);
  if (operator === "!=") return !equalValues(a, b);
  const order = orderOf(a, b);
  return order !== undefined && holds(order, operator);
}

/**
 * `comparesNodes(L, op, R)`: a comparison in a JSONPath filter (RFC 9535, 2.3.5.2.2). Each side yields one value or nothing. Nothing equals only
 * nothing; equality is deep and typed; `<` orders two numbers, or two strings by code point, and nothing else; `<=` is `<` or `==`.
 */
export function comparesNodes(left: readonly Json[], operator: Json, right: readonly Json[]): boolean {
  const [a, b] = [left[0], right[0]];
  const equal = a === undefined || b === undefined ? a === b : equalValues(a, b);
  if (operator === "==") return equal;
  if (operator === "!=") return !equal;
  if (equal) return operator === "<=" || operator === ">=";
  if (typeof a === "number" && typeof b === "number") return holds(a - b, operator);
  return typeof a === "string" && typeof b === "string" && holds(compareStrings(a, b), operator);
}

function sideOf(outputs: readonly Json[]): Json | undefined {
  return outputs.length < 2 ? outputs[0] : outputs;
}

function holds(order: number, operator: Json): boolean {
  switch (operator) {
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    default:
      throw new Error(`Unknown comparison: ${JSON.stringify(operator)}`);
  }
}
