import { type Json, type JsonObject, type MutableJsonObject, setOwn } from "../../json.ts";
import { failWith, finite, shown } from "./failures.ts";
import { isArray, isNumeric, stringFrom, type Value } from "./values.ts";

/** `A < B` and so on, of two numbers or two strings; undefined if one of them is nothing. */
export function compare(left: Value, operator: "<" | "<=" | ">" | ">=", right: Value): boolean | undefined {
  if (!isComparable(left) || !isComparable(right))
    return failWith(
      "T2010",
      `The expressions either side of operator ${shown(operator)} must evaluate to numeric or string values`,
    );
  if (left === undefined || right === undefined) return undefined;
  if (typeof left !== typeof right)
    return failWith(
      "T2009",
      `The values ${shown(left)} and ${shown(right)} either side of operator ${shown(operator)} must be of the same data type`,
    );
  switch (operator) {
    case "<":
      return left < right;
    case "<=":
      return left <= right;
    case ">":
      return left > right;
    case ">=":
      return left >= right;
  }
}

const isComparable = (value: Value): value is number | string | undefined =>
  value === undefined || typeof value === "number" || typeof value === "string";

/** `A + B` and so on; undefined if one of them is nothing. */
export function calculate(left: Value, operator: "+" | "-" | "*" | "/" | "%", right: Value): number | undefined {
  if (left !== undefined && !isNumeric(left))
    return failWith("T2001", `The left side of the ${shown(operator)} operator must evaluate to a number`);
  if (right !== undefined && !isNumeric(right))
    return failWith("T2002", `The right side of the ${shown(operator)} operator must evaluate to a number`);
  if (left === undefined || right === undefined) return undefined;
  switch (operator) {
    case "+":
      return finite(left + right);
    case "-":
      return finite(left - right);
    case "*":
      return finite(left * right);
    case "/":
      return finite(left / right);
    case "%":
      return finite(left % right);
  }
}

/** `-A` */
export function negative(value: Value): number | undefined {
  if (value === undefined || isNumeric(value)) return value === undefined ? undefined : -value;
  return failWith("D1002", `Cannot negate a non-numeric value: ${shown(value)}`);
}

/** `A = B`; false if one of them is nothing. */
export const equal = (left: Value, right: Value): boolean =>
  left !== undefined && right !== undefined && isSame(left, right);

/** `A != B`; false if one of them is nothing. */
export const unequal = (left: Value, right: Value): boolean =>
  left !== undefined && right !== undefined && !isSame(left, right);

/** Whether two values are equal. Like the package, compares an array with an object by its length and indexes. */
export function isSame(left: Json, right: Json): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (isArray(left) && isArray(right))
    return left.length === right.length && left.every((item, i) => isSame(item, right[i]!));
  const [names, others] = [Object.getOwnPropertyNames(left).sort(), Object.getOwnPropertyNames(right).sort()];
  return (
    names.length === others.length &&
    names.every((name, i) => name === others[i]) &&
    names.every((name) => isSame((left as JsonObject)[name]!, (right as JsonObject)[name]!))
  );
}

/** `A in B`; false if one of them is nothing. */
export const includedIn = (value: Value, list: Value): boolean =>
  value !== undefined && list !== undefined && itemsIn(list).includes(value);

/** The string of a value in `A & B`: empty for nothing. */
export const textOf = (value: Value): string => (value === undefined ? "" : stringFrom(value));

/** The elements of an array, or a single value; none for nothing. */
export function itemsIn(value: Value): readonly Json[] {
  if (value === undefined) return [];
  return isArray(value) ? value : [value];
}

/** `A..B`: the integers from A up to B. */
export function range(from: Value, upTo: Value): readonly number[] {
  if (from !== undefined && !Number.isInteger(from))
    return failWith("T2003", "The left side of the range operator (..) must evaluate to an integer");
  if (upTo !== undefined && !Number.isInteger(upTo))
    return failWith("T2004", "The right side of the range operator (..) must evaluate to an integer");
  if (typeof from !== "number" || typeof upTo !== "number" || from > upTo) return [];
  const size = upTo - from + 1;
  if (size > 1e7)
    return failWith(
      "D2014",
      `The size of the sequence allocated by the range operator (..) must not exceed 1e7.  Attempted to allocate ${size}.`,
    );
  return Array.from({ length: size }, (_, i) => from + i);
}

/** An object of the members that are something. */
export function record(members: { readonly [name: string]: Value }): Json {
  const found: MutableJsonObject = {};
  for (const [name, value] of Object.entries(members)) if (value !== undefined) setOwn(found, name, value);
  return found;
}
