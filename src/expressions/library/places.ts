import type { Json } from "../../json.ts";
import { raise } from "./failure.ts";
import { excerpt } from "./json-text.ts";

/**
 * Whether a value is still the one at the last place of a path: jq compares where they are in memory. Numbers and strings that are not `copied` are new
 * ones, although they may be equal.
 */
export function isSame(value: Json, at: Json, copied: boolean): boolean {
  return Object.is(value, at) && (copied || (typeof value !== "number" && typeof value !== "string"));
}

/** Fails unless a value is the one at the last place, before a key of it is added to the path. */
export function checkAccess(value: Json, at: Json, copied: boolean, key: Json): void {
  if (!isSame(value, at, copied))
    raise(`Invalid path expression near attempt to access element ${excerpt(key)} of ${excerpt(value)}`);
}

/** Fails unless a value is the one at the last place, before it is iterated over. */
export function checkIteration(value: Json, at: Json, copied: boolean): void {
  if (!isSame(value, at, copied)) raise(`Invalid path expression near attempt to iterate through ${excerpt(value)}`);
}

/** Fails unless a value is the one at the last place. */
export function checkPlace(value: Json, at: Json, copied: boolean): void {
  if (!isSame(value, at, copied)) raise(`Invalid path expression with result ${excerpt(value)}`);
}
