import type { Json } from "../../json.ts";
import { raise, raiseLimit } from "./failure.ts";
import { excerpt } from "./json-text.ts";

/**
 * Whether a number or string is a copy of what it was made from, and not a new one that may be equal: undefined where that is not known, as of variables,
 * of parts of what was made, and of errors that are caught.
 */
export type Copied = boolean | undefined;

/** Whether a value is still the one at the last place of a path: jq compares where they are in memory. Ends with a limit where it is not known. */
export function isSame(value: Json, at: Json, copied: Copied): boolean {
  if (!Object.is(value, at)) return false;
  if (copied === true || (typeof value !== "number" && typeof value !== "string")) return true;
  return copied ?? raiseLimit(`Whether ${excerpt(value)} is the value at its place or one like it is not known.`);
}

/** Fails unless a value is the one at the last place, before a key of it is added to the path. */
export function checkAccess(value: Json, at: Json, copied: Copied, key: Json): void {
  if (!isSame(value, at, copied))
    raise(`Invalid path expression near attempt to access element ${excerpt(key)} of ${excerpt(value)}`);
}

/** Fails unless a value is the one at the last place, before it is iterated over. */
export function checkIteration(value: Json, at: Json, copied: Copied): void {
  if (!isSame(value, at, copied)) raise(`Invalid path expression near attempt to iterate through ${excerpt(value)}`);
}

/** Fails unless a value is the one at the last place. */
export function checkPlace(value: Json, at: Json, copied: Copied): void {
  if (!isSame(value, at, copied)) raise(`Invalid path expression with result ${excerpt(value)}`);
}
