import type { Json, JsonObject, MutableJsonObject } from "../../json.ts";
import { raise, raiseLimit, raiseOne, raiseTwo } from "./failure.ts";
import { byteCount } from "./json-text.ts";
import { equalValues, isLess } from "./order.ts";
import { hasKey, isList, isRecord, putMember } from "./types.ts";

/** `left + right`. Adding null, `[]` or `{}` returns the left value itself, as path mode observes. */
export function plus(left: Json, right: Json): Json {
  if (typeof left === "number" && typeof right === "number") return left + right;
  if (typeof left === "string" && typeof right === "string") return concatStrings(left, right);
  if (left === null) return right;
  if (right === null) return left;
  if (isList(left) && isList(right)) return concatArrays(left, right);
  if (isRecord(left) && isRecord(right)) return mergeMembers(left, right);
  return raiseTwo(left, right, "cannot be added");
}

/** V8 copies the members of two objects at once, or of an array of keys, more slowly. JSON inherits no members. */
function mergeMembers(left: JsonObject, right: JsonObject): JsonObject {
  const result = { ...left };
  let isChanged = false;
  for (const key in right) {
    putMember(result, key, right[key]!);
    isChanged = true;
  }
  return isChanged ? result : left;
}

/** V8's strings have fewer than 2^29 units. */
function concatStrings(left: string, right: string): string {
  return left.length + right.length > 500000000 ? raiseLimit("An expression needs too much memory.") : left + right;
}

function concatArrays(left: readonly Json[], right: readonly Json[]): readonly Json[] {
  if (right.length === 0) return left;
  return left.length + right.length > 10000000 ? raiseLimit("An array is too long.") : left.concat(right);
}

/** `left - right` of numbers or arrays. */
export function minus(left: Json, right: Json): Json {
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (isList(left) && isList(right)) return left.filter((item) => !right.some((other) => equalValues(item, other)));
  return raiseTwo(left, right, "cannot be subtracted");
}

/** `left * right`: multiplies, repeats a string, or merges deeply. */
export function times(left: Json, right: Json): Json {
  if (typeof left === "number" && typeof right === "number") return left * right;
  if (typeof left === "string" && typeof right === "number") return repeatString(left, right);
  if (typeof left === "number" && typeof right === "string") return repeatString(right, left);
  if (isRecord(left) && isRecord(right)) return mergeDeep(left, right);
  return raiseTwo(left, right, "cannot be multiplied");
}

function repeatString(text: string, count: number): string | null {
  if (!(count >= 0)) return null;
  const whole = Math.min(Math.floor(count), 2147483647);
  if (byteCount(text) * whole >= 2147483647) return raise("Repeat string result too long");
  if (text.length * whole > 100000000) return raiseLimit("A repeated string is too long.");
  return text.repeat(whole);
}

function mergeDeep(left: JsonObject, right: JsonObject): JsonObject {
  if (Object.keys(right).length === 0) return left;
  const result = { ...left };
  let level: (readonly [MutableJsonObject, JsonObject])[] = [[result, right]];
  let copies = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > 10000) raise("Object merge too deep");
    const inner: typeof level = [];
    for (const [target, source] of level) {
      for (const key of Object.keys(source)) {
        const value = source[key]!;
        const present = hasKey(target, key) ? target[key]! : null;
        const copy = isRecord(present) && isRecord(value) ? { ...present } : undefined;
        putMember(target, key, copy || value);
        if (copy) inner.push([copy, value as JsonObject]);
      }
    }
    level = inner;
    copies += inner.length;
    if (copies > 1000000) raiseLimit("A value is too large.");
  }
  return result;
}

/** `left / right`: divides or splits. */
export function divide(left: Json, right: Json): Json {
  if (typeof left === "number" && typeof right === "number") {
    return right === 0 ? raiseTwo(left, right, "cannot be divided because the divisor is zero") : left / right;
  }
  if (typeof left === "string" && typeof right === "string") return splitString(left, right);
  return raiseTwo(left, right, "cannot be divided");
}

/** Splits a string; an empty separator splits into code points. */
export function splitString(text: string, separator: string): string[] {
  if (text === "") return [];
  return separator === "" ? Array.from(text) : text.split(separator);
}

/** `left % right` of the truncated numbers, saturated at ±2^63, with the sign of the left. */
export function modulo(left: Json, right: Json): Json {
  if (typeof left !== "number" || typeof right !== "number")
    return raiseTwo(left, right, "cannot be divided (remainder)");
  if (Number.isNaN(left) || Number.isNaN(right)) return NaN;
  const size = Math.abs(Math.trunc(right));
  if (size === 0) return raiseTwo(left, right, "cannot be divided (remainder) because the divisor is zero");
  return wholeRemainder(Math.trunc(left), size, right < 0) + 0;
}

/** jq saturates at 2^63 - 1, which is not a double: its remainders derive from those of 2^63. */
function wholeRemainder(left: number, size: number, negative: boolean): number {
  const limit = 2 ** 63;
  if (size >= limit) {
    if (Math.abs(left) < limit) return left;
    if (left > 0) return negative ? limit : 0;
    return negative ? 0 : -1;
  }
  if (left < limit) return Math.max(left, -limit) % size;
  const remainder = limit % size;
  return remainder === 0 ? size - 1 : remainder - 1;
}

/** `-input`, never -0. */
export function negate(input: Json): number {
  return typeof input === "number" ? 0 - input : raiseOne(input, "cannot be negated");
}

/** `abs`; keeps -0. */
export function absolute(input: Json): Json {
  return isLess(input, 0) ? negate(input) : input;
}
