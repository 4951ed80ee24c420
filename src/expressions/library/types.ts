import type { Json, JsonObject, MutableJsonObject } from "../../json.ts";

/** jq's names of the types of JSON values. */
export type TypeName = "null" | "boolean" | "number" | "string" | "array" | "object";

/** `type`: jq's name of a value's type. */
export function typeOf(input: Json): TypeName {
  if (input === null) return "null";
  return Array.isArray(input) ? "array" : (typeof input as TypeName);
}

/** Whether a value is a JSON object: no array, not null. */
export function isRecord(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is a JSON array. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** jq's truth: false and null are false, everything else is true. */
export function isTrue(value: Json): boolean {
  return value !== null && value !== false;
}

/** `not`. */
export function isFalse(value: Json): boolean {
  return value === null || value === false;
}

/** Whether an object has a key of its own. */
export function hasKey(object: JsonObject, key: string): boolean {
  // biome-ignore lint/suspicious/noPrototypeBuiltins: Object.hasOwn is younger than ES2019.
  return Object.prototype.hasOwnProperty.call(object, key);
}

/** Gives an object a member, whatever its key. */
export function putMember(object: MutableJsonObject, key: string, value: Json): void {
  if (key === "__proto__")
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

/** `isfinite`: whether a value is a number but no infinite one; nan is finite. */
export function isFiniteNumber(input: Json): boolean {
  return typeof input === "number" && !isInfiniteNumber(input);
}

/** `isinfinite`: whether a value is an infinite number; false for what is no number. */
export function isInfiniteNumber(input: Json): boolean {
  return input === Infinity || input === -Infinity;
}

/** `isnan`: whether a value is not a number that is a number by type; false for what is no number. */
export function isNotNumber(input: Json): boolean {
  return typeof input === "number" && Number.isNaN(input);
}

/** `isnormal`: whether a value is a number that is neither zero, subnormal, infinite nor nan. */
export function isNormalNumber(input: Json): boolean {
  return typeof input === "number" && Math.abs(input) >= 2.2250738585072014e-308 && !isInfiniteNumber(input);
}
