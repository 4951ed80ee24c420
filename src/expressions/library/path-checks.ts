import type { Json } from "../../json.ts";
import { raise, raiseLimit } from "./failure.ts";
import { excerpt } from "./json-text.ts";

/**
 * Whether a number or string is a copy of its source. Undefined for variables, parts of constructed values and caught
 * errors.
 */
export type CopyState = boolean | undefined;

/** Whether a value is still the one at the current path; jq compares addresses. A limit error if unknown. */
export function isAtPath(value: Json, at: Json, copied: CopyState): boolean {
  if (!Object.is(value, at)) return false;
  if (copied === true || (typeof value !== "number" && typeof value !== "string")) return true;
  return copied ?? raiseLimit(`Whether ${excerpt(value)} is the value at its place or one like it is not known.`);
}

/** Fails unless a value is at the current path, before accessing a key. */
export function checkAccess(value: Json, at: Json, copied: CopyState, key: Json): void {
  if (!isAtPath(value, at, copied))
    raise(`Invalid path expression near attempt to access element ${excerpt(key)} of ${excerpt(value)}`);
}

/** Fails unless a value is at the current path, before iterating. */
export function checkIteration(value: Json, at: Json, copied: CopyState): void {
  if (!isAtPath(value, at, copied)) raise(`Invalid path expression near attempt to iterate through ${excerpt(value)}`);
}

/** Fails unless a value is at the current path. */
export function checkPathResult(value: Json, at: Json, copied: CopyState): void {
  if (!isAtPath(value, at, copied)) raise(`Invalid path expression with result ${excerpt(value)}`);
}
