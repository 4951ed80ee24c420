import type { Json } from "../../../json.ts";
import { iterated } from "../../library/access.ts";
import { raise } from "../../library/failure.ts";
import { excerpt } from "../../library/json-text.ts";
import { isList, isRecord } from "../../library/types.ts";
import { iteratedIf } from "./access.ts";

/** A path with further keys; undefined: no path is wanted. */
export function extended(path: readonly Json[] | undefined, keys: readonly Json[]): readonly Json[] | undefined {
  return path === undefined ? undefined : path.concat(keys);
}

/**
 * Whether a value is still the one at the last place of a path: jq compares where they are in memory. Numbers and strings that are not `copied` are new
 * ones, although they may be equal.
 */
export function isSame(value: Json, at: Json, copied: boolean): boolean {
  return value === at && (copied || (typeof value !== "number" && typeof value !== "string"));
}

/** The value at the last place for one that may be equal, but is not the same if it is a number or text: then what nothing is the same as. */
export function apart(value: Json, at: Json): Json {
  return isSame(value, at, false) ? at : [];
}

/** Fails unless a value is the one at the last place, before a key of it is added to the path. */
export function checkAccess(value: Json, at: Json, copied: boolean, key: Json): void {
  if (!isSame(value, at, copied)) raise(`Invalid path expression near attempt to access element ${excerpt(key)} of ${excerpt(value)}`);
}

/** Fails unless a value is the one at the last place, before it is iterated over. */
export function checkIteration(value: Json, at: Json, copied: boolean): void {
  if (!isSame(value, at, copied)) raise(`Invalid path expression near attempt to iterate through ${excerpt(value)}`);
}

/** Fails unless a value is the one at the last place. */
export function checkPlace(value: Json, at: Json, copied: boolean): void {
  if (!isSame(value, at, copied)) raise(`Invalid path expression with result ${excerpt(value)}`);
}

/** The keys or indices of an input; fails where it cannot be iterated over. */
export function keysIn(input: Json): readonly (string | number)[] {
  return isRecord(input) ? Object.keys(input) : iterated(input).map((_, index) => index);
}

/** The keys or indices of an input; none of what has none. */
export function keysInIf(input: Json): readonly (string | number)[] {
  return isRecord(input) ? Object.keys(input) : iteratedIf(input).map((_, index) => index);
}

/** A value and all that is in it, each with its path, if there is one. */
export function everywhere(input: Json, path: readonly Json[] | undefined): readonly (readonly [Json, readonly Json[] | undefined])[] {
  const found: (readonly [Json, readonly Json[] | undefined])[] = [];
  const open = [[input, path] as const];
  while (open.length > 0) {
    const next = open.pop()!;
    found.push(next);
    const value = next[0];
    const keys = keysInIf(value);
    for (let i = keys.length - 1; i >= 0; i--) {
      const key = keys[i]!;
      open.push([isList(value) ? value[key as number]! : (value as { readonly [key: string]: Json })[key]!, extended(next[1], [key])]);
    }
  }
  return found;
}
