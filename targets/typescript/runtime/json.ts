import { setOwn } from "../../../src/json.ts";

export { own, setOwn } from "../../../src/json.ts";

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Undefined members count as absent. */
export interface JsonObject {
  readonly [name: string]: Json | undefined;
}

/** A JSON object under construction. */
export interface MutableJsonObject {
  [name: string]: Json | undefined;
}

/** Whether two JSON values are equal. The order of members does not matter. */
export function equalJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (isArray(a) || isArray(b))
    return isArray(a) && isArray(b) && a.length === b.length && a.every((item, i) => equalJson(item, b[i]));
  const names = namesOf(a);
  return (
    names.length === namesOf(b).length && names.every((name) => Object.hasOwn(b, name) && equalJson(a[name], b[name]))
  );
}

/** Whether a value is an object but not an array. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !isArray(value);

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value);

const namesOf = (object: JsonObject): readonly string[] =>
  Object.keys(object).filter((name) => object[name] !== undefined);

/**
 * Copies a value as `JSON.parse(JSON.stringify(value))` does; undefined for values without JSON, such as functions.
 * Throws for values that JSON cannot represent, such as cycles.
 */
export function copyOf(value: unknown): Json | undefined {
  const copy = plainCopy(value, 0);
  if (copy !== undefined) return copy;
  const text: string | undefined = JSON.stringify(value);
  return text === undefined ? undefined : (JSON.parse(text) as Json);
}

const maxDepth = 1000;

/** The same for plain data; undefined for anything else. */
function plainCopy(value: unknown, depth: number): Json | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value || 0 : undefined;
  if (typeof value !== "object" || depth > maxDepth) return undefined;
  return Array.isArray(value) ? copyArray(value, depth) : copyObject(value, depth);
}

function copyArray(array: readonly unknown[], depth: number): Json | undefined {
  const copy = new Array<Json>(array.length);
  for (let i = 0; i < array.length; i++) {
    const item = plainCopy(array[i], depth + 1);
    if (item === undefined) return undefined;
    copy[i] = item;
  }
  return copy;
}

function copyObject(object: object, depth: number): Json | undefined {
  const prototype: unknown = Object.getPrototypeOf(object);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const copy: MutableJsonObject = {};
  for (const name of Object.keys(object)) {
    const member = plainCopy((object as { readonly [name: string]: unknown })[name], depth + 1);
    if (member === undefined) return undefined;
    setOwn(copy, name, member);
  }
  return copy;
}
