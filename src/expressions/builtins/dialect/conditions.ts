import type { Json } from "../../../json.ts";
import { instantOf } from "../../../text/iso8601.ts";
import { fail } from "../../core/failure.ts";
import { createTester } from "../../library/backtracking.ts";
import { compareStrings, equalValues } from "../../library/order.ts";

/** An operator of a switch condition. */
export type SwitchOperator = (typeof operators)[number];

/**
 * `switchCondition(values, operator, operand)`: a switch condition of Serverless Workflow over an array of values.
 * Without values, only `notexists` holds. `exists` and `notexists` count values; `null` requires a null, `notnull`
 * forbids one. The others hold if some value satisfies them, `notequals` and `notmatches` if every value does; null
 * satisfies none.
 *
 * A string operand equals scalars spelled like it; other operands use deep equality. Order is that of `orderOf`.
 * `matches` searches strings, unanchored, for a regular expression of JavaScript with the flag `u`; other values satisfy
 * neither it nor `notmatches`.
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

/** The condition `equals` for one value or none (undefined). */
export const equals = (value: Json | undefined, operand: Json): boolean =>
  value !== undefined && value !== null && equalsOperand(value, operand);

/** The condition `notequals` for one value or none. */
export const notEquals = (value: Json | undefined, operand: Json): boolean =>
  value !== undefined && value !== null && !equalsOperand(value, operand);

/** The condition `lessthan` for one value or none. */
export const isBelow = (value: Json | undefined, operand: Json): boolean =>
  value !== undefined && ordered(value, operand, (order) => order < 0);

/** The condition `lessthanorequals` for one value or none. */
export const isAtMost = (value: Json | undefined, operand: Json): boolean =>
  value !== undefined && ordered(value, operand, (order) => order <= 0);

/** The condition `greaterthan` for one value or none. */
export const isAbove = (value: Json | undefined, operand: Json): boolean =>
  value !== undefined && ordered(value, operand, (order) => order > 0);

/** The condition `greaterthanorequals` for one value or none. */
export const isAtLeast = (value: Json | undefined, operand: Json): boolean =>
  value !== undefined && ordered(value, operand, (order) => order >= 0);

/** The condition `matches` for one value or none. */
export const matches = (value: Json | undefined, operand: Json): boolean =>
  value !== undefined && test("matches", operand)(value);

/** The condition `notmatches` for one value or none. */
export const notMatches = (value: Json | undefined, operand: Json): boolean =>
  value !== undefined && test("notmatches", operand)(value);

/** A comparison operator. */
export type ComparisonOperator = "==" | "!=" | "<" | "<=" | ">" | ">=";

/**
 * `compareInCondition(L, op, R)`: several outputs are an array; a missing side equals null, and `!=` is false for it.
 * Equality is deep and typed; order is that of `orderOf`.
 */
export function compareInCondition(left: readonly Json[], operator: Json, right: readonly Json[]): boolean {
  const [a, b] = [sideOf(left), sideOf(right)];
  if (a === undefined || b === undefined) return operator === "==" && (a ?? b ?? null) === null;
  if (operator === "==") return equalValues(a, b);
  if (operator === "!=") return !equalValues(a, b);
  const order = orderOf(a, b);
  return order !== undefined && comparesAs(order, operator);
}

/** `comparesNodes(L, op, R)`: a comparison in a JSONPath filter (RFC 9535, 2.3.5.2.2). Nothing equals only nothing. */
export function comparesNodes(left: readonly Json[], operator: Json, right: readonly Json[]): boolean {
  const [a, b] = [left[0], right[0]];
  const equal = a === undefined || b === undefined ? a === b : equalValues(a, b);
  if (operator === "==") return equal;
  if (operator === "!=") return !equal;
  if (equal) return operator === "<=" || operator === ">=";
  if (typeof a === "number" && typeof b === "number") return comparesAs(a - b, operator);
  return typeof a === "string" && typeof b === "string" && comparesAs(compareStrings(a, b), operator);
}

/** Compares numbers and their spellings, ISO 8601 timestamps, then strings by UTF-16 unit. Undefined if unordered. */
export function orderOf(a: Json, b: Json): number | undefined {
  const numbers = readBoth(numberOf, a, b) ?? readBoth(timeOf, a, b);
  if (numbers) return Math.sign(numbers[0] - numbers[1] || 0) || (numbers[0] === numbers[1] ? 0 : undefined);
  if (typeof a !== "string" || typeof b !== "string") return undefined;
  return a < b ? -1 : Number(a > b);
}

/** Milliseconds since 1970 of an ISO 8601 timestamp, or undefined. */
export function timeOf(value: Json): number | undefined {
  if (typeof value !== "string" || value.length > 64) return undefined;
  const [, local, fraction, offset] = timestamp.exec(value) ?? [];
  return local === undefined ? undefined : instantOf(local, fraction, offset);
}

/** A number or the value of its JSON spelling, or undefined. */
export function numberOf(value: Json): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && number.test(value) ? Number(value) : undefined;
}

const operators = [
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

function test(operator: Json, operand: Json): (value: Json) => boolean {
  switch (operator) {
    case "equals":
      return (value) => equals(value, operand);
    case "notequals":
      return (value) => notEquals(value, operand);
    case "lessthan":
      return (value) => isBelow(value, operand);
    case "lessthanorequals":
      return (value) => isAtMost(value, operand);
    case "greaterthan":
      return (value) => isAbove(value, operand);
    case "greaterthanorequals":
      return (value) => isAtLeast(value, operand);
    case "matches":
    case "notmatches": {
      const found = patternTester(operand);
      return (value) => typeof value === "string" && found(value) === (operator === "matches");
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

function patternTester(operand: Json): (text: string) => boolean {
  try {
    if (typeof operand === "string") return createTester(operand, "u");
  } catch {
    // The engine's message differs between machines.
  }
  return fail("ExpressionError", "The operand of `matches` is not a regular expression.");
}

function sideOf(outputs: readonly Json[]): Json | undefined {
  return outputs.length < 2 ? outputs[0] : outputs;
}

function comparesAs(order: number, operator: Json): boolean {
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

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const timestamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(?:Z|([+-](?:[01]\d|2[0-3]):[0-5]\d))$/;

function readBoth(read: (value: Json) => number | undefined, a: Json, b: Json): readonly [number, number] | undefined {
  const [x, y] = [read(a), read(b)];
  return x === undefined || y === undefined ? undefined : [x, y];
}
