import { assertNever, equalJson, isObject, type Json } from "../json.ts";
import type { Binary } from "./ast.ts";
import { mergeObjects } from "./builtins/merge.ts";
import { compareJson, typeName } from "./compare.ts";
import { fail } from "./failure.ts";

/**
 * jq 1.8's operators. What they cannot do fails with `ExpressionError` and a message that names the two types.
 * Comparison is jq's order of all values.
 */
export function calculate(operator: Binary["operator"], left: Json, right: Json): Json {
  switch (operator) {
    case "+":
      return add(left, right);
    case "-":
      return subtract(left, right);
    case "*":
      return multiply(left, right);
    case "/":
      return divide(left, right);
    case "%":
      return remainder(left, right);
    case "==":
      return equalJson(left, right);
    case "!=":
      return !equalJson(left, right);
    case "<":
      return compareJson(left, right) < 0;
    case "<=":
      return compareJson(left, right) <= 0;
    case ">":
      return compareJson(left, right) > 0;
    case ">=":
      return compareJson(left, right) >= 0;
    default:
      return assertNever(operator);
  }
}

/** Strings that `*` would make longer than this many UTF-16 units fail with `LimitError`. */
export const longestString = 10_000_000;

function add(left: Json, right: Json): Json {
  if (left === null) return right;
  if (right === null) return left;
  if (typeof left === "number" && typeof right === "number") return finite(left + right);
  if (typeof left === "string" && typeof right === "string") return left + right;
  if (Array.isArray(left) && Array.isArray(right)) return [...left, ...right];
  if (isObject(left) && isObject(right)) return { ...left, ...right };
  return refuse(left, right, "added");
}

function subtract(left: Json, right: Json): Json {
  if (typeof left === "number" && typeof right === "number") return finite(left - right);
  if (Array.isArray(left) && Array.isArray(right)) return left.filter((item: Json) => !right.some((other: Json) => equalJson(item, other)));
  return refuse(left, right, "subtracted");
}

function multiply(left: Json, right: Json): Json {
  if (typeof left === "number" && typeof right === "number") return finite(left * right);
  if (typeof left === "string" && typeof right === "number") return repeat(left, right);
  if (typeof left === "number" && typeof right === "string") return repeat(right, left);
  if (isObject(left) && isObject(right)) return mergeObjects(left, right);
  return refuse(left, right, "multiplied");
}

function divide(left: Json, right: Json): Json {
  if (typeof left === "number" && typeof right === "number") {
    return right === 0 ? refuse(left, right, "divided because the divisor is zero") : finite(left / right);
  }
  if (typeof left === "string" && typeof right === "string") return left === "" ? [] : right === "" ? [...left] : left.split(right);
  return refuse(left, right, "divided");
}

function remainder(left: Json, right: Json): Json {
  if (typeof left !== "number" || typeof right !== "number") return refuse(left, right, "divided");
  const [dividend, divisor] = [integer(left), integer(right)];
  if (divisor === 0n) return refuse(left, right, "divided (remainder) because the divisor is zero");
  return Number(dividend % (divisor < 0n ? -divisor : divisor));
}

function repeat(text: string, times: number): Json {
  if (times < 0) return null;
  if (text.length * times > longestString) fail("LimitError", "A repeated string is too long.");
  return text.repeat(Math.floor(times));
}

/** The largest number in place of an infinity, as jq prints it; and zero without a sign, as JSON texts are compared. */
const finite = (value: number): number => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value)) + 0;

const largest = 2n ** 63n - 1n;

function integer(value: number): bigint {
  const whole = BigInt(Math.trunc(value));
  if (whole > largest) return largest;
  return whole < -largest - 1n ? -largest - 1n : whole;
}

const refuse = (left: Json, right: Json, done: string): never =>
  fail("ExpressionError", `${typeName(left)} and ${typeName(right)} cannot be ${done}`);
