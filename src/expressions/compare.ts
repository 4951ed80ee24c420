import { isObject, type Json } from "../json.ts";

/** jq's names of the types of JSON values. */
export type TypeName = "null" | "boolean" | "number" | "string" | "array" | "object";

/** The type of a value, by jq's name. */
export function typeName(value: Json): TypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value as TypeName;
}

/** jq's idea of truth: null and false are false, everything else is true. */
export const isTruthy = (value: Json): boolean => value !== null && value !== false;

/**
 * jq's order of all values: null, false, true, numbers, strings by code point, arrays by their elements, objects first by their
 * sorted keys and then by their values in that order. Negative, zero or positive.
 */
export function compareJson(a: Json, b: Json): number {
  if (typeof a === "number" && typeof b === "number") return a - b || 0;
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  if (isObject(a) && isObject(b)) {
    const [keysOfA, keysOfB] = [Object.keys(a).sort(compareText), Object.keys(b).sort(compareText)];
    return (
      compareLists(keysOfA, keysOfB) ||
      compareLists(
        keysOfA.map((key) => a[key]!),
        keysOfB.map((key) => b[key]!),
      )
    );
  }
  return rank(a) - rank(b);
}

/** The order of strings by Unicode code point, not by UTF-16 unit. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return weight(x) - weight(y);
  }
  return a.length - b.length;
}

/** Moves surrogates behind all other units, where the code points that they stand for belong. */
const weight = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

function compareLists(a: readonly Json[], b: readonly Json[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const order = compareJson(a[i]!, b[i]!);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function rank(value: Json): number {
  if (value === null) return 0;
  if (typeof value === "boolean") return value ? 2 : 1;
  if (typeof value === "number") return 3;
  if (typeof value === "string") return 4;
  return Array.isArray(value) ? 5 : 6;
}
