import type { Json } from "../../json.ts";
import { fail } from "../evaluate/failure.ts";
import { equalValues } from "../library/order.ts";
import { orderOf } from "./order.ts";

/** The operators of a switch condition, as Serverless Workflow writes them. */
export const operators = [
  "exists",
  "notexists",
  "null",
  "notnull",
  "equals",
  "notequals",
  "lessthan",
  "lessthanorequals",
  "greaterthan",
  "greaterthanorequals",
  "matches",
  "notmatches",
] as const;

/** One of `operators`. */
export type Operator = (typeof operators)[number];

/**
 * `switchCondition(values, operator, operand)`: a switch condition of Serverless Workflow. `values` is the array of what the path selected.
 * Of no values only `notexists` is true. `exists` and `notexists` count; `null` wants some null, `notnull` none. The others are true if any
 * value satisfies them, `notequals` and `notmatches` only if every value does; null satisfies none of these.
 *
 * A text as operand equals scalars written like it, and never arrays or objects; any other operand equals what is deeply equal to it.
 * Order is that of `orderOf`. `matches` is an unanchored search in strings; values that are no strings satisfy neither it nor `notmatches`.
 */
export function switchCondition(values: Json, operator: Json, operand: Json): boolean {
  const list: readonly Json[] = Array.isArray(values) ? values : [values];
  if (operator === "notexists") return list.length === 0;
  if (list.length === 0) return false;
  switch (operator) {
    case "exists":
      return true;
    case "null":
      return list.includes(null);
    case "notnull":
      return !list.includes(null);
    case "notequals":
    case "notmatches": {
      const holds = test(operator, operand);
      return list.every((value) => value !== null && holds(value));
    }
    default: {
      const holds = test(operator, operand);
      return list.some((value) => value !== null && holds(value));
    }
  }
}

function test(operator: Json, operand: Json): (value: Json) => boolean {
  switch (operator) {
    case "equals":
      return (value) => equalsOperand(value, operand);
    case "notequals":
      return (value) => !equalsOperand(value, operand);
    case "lessthan":
      return (value) => ordered(value, operand, (order) => order < 0);
    case "lessthanorequals":
      return (value) => ordered(value, operand, (order) => order <= 0);
    case "greaterthan":
      return (value) => ordered(value, operand, (order) => order > 0);
    case "greaterthanorequals":
      return (value) => ordered(value, operand, (order) => order >= 0);
    case "matches":
    case "notmatches": {
      const pattern = patternOf(operand);
      return (value) => typeof value === "string" && pattern.test(value) === (operator === "matches");
    }
    default:
      throw new Error(`Unknown operator: ${JSON.stringify(operator)}`);
  }
}

function equalsOperand(value: Json, operand: Json): boolean {
  if (typeof operand !== "string") return equalValues(value, operand);
  return typeof value === "object" ? false : String(value) === operand;
}

function ordered(value: Json, operand: Json, holds: (order: number) => boolean): boolean {
  const order = orderOf(value, operand);
  return order !== undefined && holds(order);
}

function patternOf(operand: Json): RegExp {
  try {
    if (typeof operand === "string") return new RegExp(operand);
  } catch {
    // Falls through to the failure below: the engine's own words would differ between machines.
  }
  return fail("ExpressionError", "The operand of `matches` is not a regular expression.");
}
