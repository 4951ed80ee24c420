import { isObject, type Json, type JsonObject } from "../../json.ts";
import { failInfinite } from "./failures.ts";

/** A value of JSONata; undefined is nothing. */
export type Value = Json | undefined;

/** Whether a value is an array. */
export const isArray = (value: unknown): value is readonly Json[] => Array.isArray(value);

/** Whether a value is a number that is not NaN. Fails for infinite ones. */
export function isNumeric(value: unknown): value is number {
  if (typeof value !== "number" || Number.isNaN(value)) return false;
  return Number.isFinite(value) || failInfinite(value);
}

/** Whether JSONata takes a value for a function, as it does with objects that have one of its internal members. */
export const isFunctionLike = (value: unknown): boolean =>
  typeof value === "function" ||
  (typeof value === "object" &&
    value !== null &&
    ((value as Marked)._jsonata_function === true || (value as Marked)._jsonata_lambda === true));

interface Marked {
  readonly _jsonata_function?: unknown;
  readonly _jsonata_lambda?: unknown;
}

/** The names of the members of an object or the indexes of an array; none of other values. */
export const namesIn = (value: Value): readonly string[] =>
  typeof value === "object" && value !== null ? Object.keys(value) : [];

/** The value of a sequence: nothing if it is empty, its only item, or all as an array. */
export const single = (items: readonly Value[]): Value => (items.length > 1 ? (items as readonly Json[]) : items[0]);

/** The member of that name; of arrays, those of their elements. */
export function lookup(value: Value, name: string): Value {
  return isArray(value) ? single(membersIn(value, name)) : memberIn(value, name);
}

function membersIn(list: readonly Json[], name: string): readonly Json[] {
  return list.flatMap((item): readonly Json[] => {
    const found = isArray(item) ? membersIn(item, name) : memberIn(item, name);
    if (found === undefined) return [];
    return isArray(found) ? found : [found];
  });
}

const memberIn = (value: Value, name: string): Value =>
  isObject(value) && Object.hasOwn(value, name) && !isFunctionLike(value) ? (value as JsonObject)[name] : undefined;

/** The effective boolean of a value; undefined for nothing. */
export function booleanOf(value: Value): boolean | undefined {
  if (value === undefined) return undefined;
  if (isArray(value)) return value.filter(booleanOf).length > 0;
  if (typeof value === "string") return value !== "";
  if (typeof value === "number") return isNumeric(value) && value !== 0;
  if (isObject(value)) return !isFunctionLike(value) && Object.keys(value).length > 0;
  return value === true;
}

/** Whether a value counts as true. */
export const truthy = (value: Value): boolean => booleanOf(value) === true;

/** The string that a value is converted to. */
export function stringFrom(value: Json): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" && !Number.isFinite(value))
    throw { code: "D3001", message: "Attempting to invoke string function on Infinity or NaN" };
  if (isFunctionLike(value)) return "";
  return JSON.stringify(value, (_, part: Json) => {
    if (isNumeric(part)) return Number.isInteger(part) ? part : Number(part.toPrecision(15));
    return isFunctionLike(part) ? "" : part;
  });
}
