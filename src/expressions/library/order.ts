import type { Json, JsonObject } from "../../json.ts";
import { raise, raiseLimit } from "./failure.ts";
import { hasKey, isList } from "./types.ts";

/**
 * jq's total order: null, false, true, numbers, strings by code point, arrays elementwise, objects by their sorted keys
 * and then by their values. nan is less than every number. Fails beyond 10,000 levels.
 */
export function compareValues(left: Json, right: Json): number {
  if (typeof left === "number" && typeof right === "number") return compareNumbers(left, right);
  if (typeof left === "string" && typeof right === "string") return compareStrings(left, right);
  return compareFrom(left, right, 0, { left: maxComparisons });
}

interface Levels {
  readonly end: number;
  readonly parts: ComparisonBudget;
  later: Json[] | undefined;
}

/** Values with shared substructure may be exponentially large. */
interface ComparisonBudget {
  left: number;
}

const maxComparisons = 2000000;

function spendComparisons({ parts }: Levels, count: number): void {
  parts.left -= count;
  if (parts.left < 0) raiseLimit("A value is too large.");
}

function deferComparison(levels: Levels, left: Json, right: Json): void {
  if (!levels.later) levels.later = [];
  levels.later.push(left, right);
}

/** The first unequal pair decides; deferred pairs come first. */
function compareFrom(left: Json, right: Json, depth: number, parts: ComparisonBudget): number {
  const levels: Levels = { end: depth + 500, parts, later: undefined };
  const order = compareInside(left, right, depth, levels);
  const { end, later } = levels;
  if (later) {
    for (let i = 0; i < later.length; i += 2) {
      const earlier = compareFrom(later[i]!, later[i + 1]!, end, parts);
      if (earlier !== 0) return earlier;
    }
  }
  return order;
}

function compareInside(left: Json, right: Json, depth: number, levels: Levels): number {
  if (depth > 10000) return raise("Comparison too deep");
  if (typeof left === "number" && typeof right === "number") return compareNumbers(left, right);
  if (typeof left === "string" && typeof right === "string") return compareStrings(left, right);
  const rank = rankOf(left);
  if (rank < 5 || rank !== rankOf(right)) return rank - rankOf(right);
  if (depth >= levels.end) {
    deferComparison(levels, left, right);
    return 0;
  }
  if (isList(left)) return compareLists(left, right as readonly Json[], depth + 1, levels);
  return compareRecords(left as JsonObject, right as JsonObject, depth + 1, levels);
}

function compareNumbers(left: number, right: number): number {
  if (Number.isNaN(left)) return -1;
  if (Number.isNaN(right)) return 1;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Compares strings by code point. */
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

function compareLists(left: readonly Json[], right: readonly Json[], depth: number, levels: Levels): number {
  const length = Math.min(left.length, right.length);
  spendComparisons(levels, length);
  for (let i = 0; i < length; i++) {
    const order = compareInside(left[i]!, right[i]!, depth, levels);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** Keys count as an array one level below the object. */
function compareRecords(left: JsonObject, right: JsonObject, depth: number, levels: Levels): number {
  const keys = sortedKeys(left);
  const others = sortedKeys(right);
  if (depth + Math.sign(Math.min(keys.length, others.length)) > 10000) raise("Comparison too deep");
  const order = compareLists(keys, others, depth, levels);
  if (order !== 0) return order;
  for (const key of keys) {
    const order = compareInside(left[key]!, right[key]!, depth, levels);
    if (order !== 0) return order;
  }
  return 0;
}

/** The keys of an object in code point order. Engines sort few strings slowly. */
export function sortedKeys(object: JsonObject): string[] {
  const keys = Object.keys(object);
  if (keys.length > 16) return keys.sort(compareStrings);
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i]!;
    let place = i;
    for (; place > 0 && compareStrings(keys[place - 1]!, key) > 0; place--) keys[place] = keys[place - 1]!;
    keys[place] = key;
  }
  return keys;
}

function rankOf(value: Json): number {
  if (value === null) return 0;
  if (typeof value === "boolean") return value ? 2 : 1;
  if (typeof value === "number") return 3;
  if (typeof value === "string") return 4;
  return Array.isArray(value) ? 5 : 6;
}

/** `==`. nan equals nothing, but a container with nan equals itself. Fails beyond 10,000 levels. */
export function equalValues(left: Json, right: Json): boolean {
  if (left === right) return true;
  return typeof left === "object" && typeof right === "object" && equalFrom(left, right, 0, { left: maxComparisons });
}

function equalFrom(left: Json, right: Json, depth: number, parts: ComparisonBudget): boolean {
  const levels: Levels = { end: depth + 500, parts, later: undefined };
  const equal = equalInside(left, right, depth, levels);
  const { end, later } = levels;
  if (later) {
    for (let i = 0; i < later.length; i += 2) if (!equalFrom(later[i]!, later[i + 1]!, end, parts)) return false;
  }
  return equal;
}

function equalInside(left: Json, right: Json, depth: number, levels: Levels): boolean {
  if (depth > 10000) return raise("Equality check too deep");
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (depth >= levels.end) {
    deferComparison(levels, left, right);
    return true;
  }
  if (isList(left)) {
    spendComparisons(levels, left.length);
    return (
      isList(right) &&
      left.length === right.length &&
      left.every((item, i) => equalInside(item, right[i]!, depth + 1, levels))
    );
  }
  if (isList(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  spendComparisons(levels, keys.length);
  return keys.every(
    (key) =>
      hasKey(right as JsonObject, key) && equalInside(left[key]!, (right as JsonObject)[key]!, depth + 1, levels),
  );
}

/** `!=`. */
export function unequalValues(left: Json, right: Json): boolean {
  return !equalValues(left, right);
}

/** `<`. */
export function isLess(left: Json, right: Json): boolean {
  if (typeof left === "number" && typeof right === "number") return left < right || Number.isNaN(left);
  return compareValues(left, right) < 0;
}

/** `<=`. */
export function isLessOrEqual(left: Json, right: Json): boolean {
  if (typeof left === "number" && typeof right === "number") return left <= right || Number.isNaN(left);
  return compareValues(left, right) <= 0;
}

/** `>`. */
export function isGreater(left: Json, right: Json): boolean {
  return !isLessOrEqual(left, right);
}

/** `>=`. */
export function isGreaterOrEqual(left: Json, right: Json): boolean {
  return !isLess(left, right);
}
