import type { Json, JsonObject } from "../../json.ts";
import { hasKey, isList, isRecord } from "./types.ts";

/**
 * jq's order of all values: null, false, true, numbers, strings by code point, arrays by their elements, objects first by their sorted keys and then
 * by their values. Negative, zero or positive. A nan comes before every number, another nan too.
 */
export function compareValues(left: Json, right: Json): number {
  if (typeof left === "number" && typeof right === "number") return compareNumbers(left, right);
  if (typeof left === "string" && typeof right === "string") return compareStrings(left, right);
  if (isList(left) && isList(right)) return compareLists(left, right);
  if (isRecord(left) && isRecord(right)) return compareRecords(left, right);
  return rankOf(left) - rankOf(right);
}

function compareNumbers(left: number, right: number): number {
  if (Number.isNaN(left)) return -1;
  if (Number.isNaN(right)) return 1;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The order of strings by Unicode code point, not by UTF-16 unit. */
export function compareStrings(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const a = left.charCodeAt(i);
    const b = right.charCodeAt(i);
    if (a !== b) return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1;
  }
  return left.length - right.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

function compareLists(left: readonly Json[], right: readonly Json[]): number {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const order = compareValues(left[i]!, right[i]!);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function compareRecords(left: JsonObject, right: JsonObject): number {
  const keys = sortedKeys(left);
  const order = compareLists(keys, sortedKeys(right));
  if (order !== 0) return order;
  for (const key of keys) {
    const order = compareValues(left[key]!, right[key]!);
    if (order !== 0) return order;
  }
  return 0;
}

/** The keys of an object in the order of their code points. */
export function sortedKeys(object: JsonObject): string[] {
  return Object.keys(object).sort(compareStrings);
}

function rankOf(value: Json): number {
  if (value === null) return 0;
  if (typeof value === "boolean") return value ? 2 : 1;
  if (typeof value === "number") return 3;
  if (typeof value === "string") return 4;
  return Array.isArray(value) ? 5 : 6;
}

/** `==`: deep equality, whatever the order of keys; nan equals nothing, but an array or object with a nan equals itself. */
export function equalValues(left: Json, right: Json): boolean {
  if (left === right) return true;
  if (isList(left)) return isList(right) && left.length === right.length && left.every((item, i) => equalValues(item, right[i]!));
  if (!isRecord(left) || !isRecord(right)) return false;
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => hasKey(right, key) && equalValues(left[key]!, right[key]!));
}

/** `!=`. */
export function unequalValues(left: Json, right: Json): boolean {
  return !equalValues(left, right);
}

/** `<`. */
export function isLess(left: Json, right: Json): boolean {
  return compareValues(left, right) < 0;
}

/** `<=`. */
export function isLessOrEqual(left: Json, right: Json): boolean {
  return compareValues(left, right) <= 0;
}

/** `>`. */
export function isGreater(left: Json, right: Json): boolean {
  return compareValues(left, right) > 0;
}

/** `>=`. */
export function isGreaterOrEqual(left: Json, right: Json): boolean {
  return compareValues(left, right) >= 0;
}
