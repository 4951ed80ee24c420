import type { Json, JsonObject, MutableJsonObject } from "../../json.ts";

/** jq's type names of JSON values. */
export type JqTypeName = "null" | "boolean" | "number" | "string" | "array" | "object";

/** `type`. */
export function typeOf(input: Json): JqTypeName {
  if (input === null) return "null";
  return Array.isArray(input) ? "array" : (typeof input as JqTypeName);
}

/** Whether a value is an object. */
export function isRecord(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is an array. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** jq's truthiness. */
export function isTrue(value: Json): boolean {
  return value !== null && value !== false;
}

/** `not`. */
export function isFalse(value: Json): boolean {
  return value === null || value === false;
}

/** Whether an object has an own member. */
export function hasKey(object: JsonObject, key: string): boolean {
  // biome-ignore lint/suspicious/noPrototypeBuiltins: Object.hasOwn is younger than ES2019.
  return Object.prototype.hasOwnProperty.call(object, key);
}

/** Sets a member, even `__proto__`. */
export function putMember(object: MutableJsonObject, key: string, value: Json): void {
  if (key === "__proto__")
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

/** `isfinite`; true for nan. */
export function isFiniteNumber(input: Json): boolean {
  return typeof input === "number" && !isInfiniteNumber(input);
}

/** `isinfinite`. */
export function isInfiniteNumber(input: Json): boolean {
  return input === Infinity || input === -Infinity;
}

/** `isnan`. */
export function isNotNumber(input: Json): boolean {
  return typeof input === "number" && Number.isNaN(input);
}

/** `isnormal`. */
export function isNormalNumber(input: Json): boolean {
  return typeof input === "number" && Math.abs(input) >= 2.2250738585072014e-308 && !isInfiniteNumber(input);
}
