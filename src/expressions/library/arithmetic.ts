import type { Json, JsonObject, MutableJsonObject } from "../../json.ts";
import { raise, raiseLimit, raiseOne, raiseTwo } from "./failure.ts";
import { byteCount } from "./json-text.ts";
import { equalValues, isLess } from "./order.ts";
import { hasKey, isList, isRecord, putMember } from "./types.ts";

/**
 * `left + right`: numbers are added, strings and arrays joined, objects merged at their top level; null, `[]` and `{}` change nothing: the left is given
 * itself, as jq sees where it tells paths.
 */
export function plus(left: Json, right: Json): Json {
  if (typeof left === "number" && typeof right === "number") return left + right;
  if (typeof left === "string" && typeof right === "string") return left + right;
  if (left === null) return right;
  if (right === null) return left;
  if (isList(left) && isList(right)) return joined(left, right);
  if (isRecord(left) && isRecord(right)) return Object.keys(right).length === 0 ? left : { ...left, ...right };
  return raiseTwo(left, right, "cannot be added");
}

function joined(left: readonly Json[], right: readonly Json[]): readonly Json[] {
  if (right.length === 0) return left;
  return left.length + right.length > 10000000 ? raiseLimit("An array is too long.") : left.concat(right);
}

/** `left - right`: numbers are subtracted; of an array, all elements go that equal one of the other array. */
export function minus(left: Json, right: Json): Json {
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (isList(left) && isList(right)) return left.filter((item) => !right.some((other) => equalValues(item, other)));
  return raiseTwo(left, right, "cannot be subtracted");
}

/** `left * right`: numbers are multiplied, a string and a number repeat the string, objects are merged at all levels. */
export function times(left: Json, right: Json): Json {
  if (typeof left === "number" && typeof right === "number") return left * right;
  if (typeof left === "string" && typeof right === "number") return repeated(left, right);
  if (typeof left === "number" && typeof right === "string") return repeated(right, left);
  if (isRecord(left) && isRecord(right)) return merged(left, right);
  return raiseTwo(left, right, "cannot be multiplied");
}

function repeated(text: string, count: number): string | null {
  if (!(count >= 0)) return null;
  const whole = Math.min(Math.floor(count), 2147483647);
  if (byteCount(text) * whole >= 2147483647) return raise("Repeat string result too long");
  if (text.length * whole > 100000000) return raiseLimit("A repeated string is too long.");
  return text.repeat(whole);
}

function merged(left: JsonObject, right: JsonObject): JsonObject {
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

/** `left / right`: numbers are divided, a string is split by another. */
export function divide(left: Json, right: Json): Json {
  if (typeof left === "number" && typeof right === "number") {
    return right === 0 ? raiseTwo(left, right, "cannot be divided because the divisor is zero") : left / right;
  }
  if (typeof left === "string" && typeof right === "string") return splitText(left, right);
  return raiseTwo(left, right, "cannot be divided");
}

/** The pieces of a text between separators; its code points where the separator is empty; none of an empty text. */
export function splitText(text: string, separator: string): string[] {
  if (text === "") return [];
  return separator === "" ? Array.from(text) : text.split(separator);
}

/** `left % right`: the remainder of the whole parts of two numbers, which end at ±2^63, with the sign of the left. */
export function modulo(left: Json, right: Json): Json {
  if (typeof left !== "number" || typeof right !== "number")
    return raiseTwo(left, right, "cannot be divided (remainder)");
  if (Number.isNaN(left) || Number.isNaN(right)) return NaN;
  const size = Math.abs(Math.trunc(right));
  if (size === 0) return raiseTwo(left, right, "cannot be divided (remainder) because the divisor is zero");
  return wholeRemainder(Math.trunc(left), size, right < 0) + 0;
}

/** The largest whole number is 2^63 - 1, which no double has: remainders of it, and by it, are worked out from those of 2^63. */
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

/** `-input`: 0 has no sign. */
export function negate(input: Json): number {
  return typeof input === "number" ? 0 - input : raiseOne(input, "cannot be negated");
}

/** `abs`: what is less than 0 is negated, all else stays. */
export function absolute(input: Json): Json {
  return isLess(input, 0) ? negate(input) : input;
}
