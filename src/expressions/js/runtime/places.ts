import type { Json } from "../../../json.ts";
import { elementsOf } from "../../library/access.ts";
import { isList, isRecord } from "../../library/types.ts";
import { itemsOf } from "./access.ts";

/** A path with further keys; undefined: no path is wanted. */
export function extended(path: readonly Json[] | undefined, keys: readonly Json[]): readonly Json[] | undefined {
  return path === undefined ? undefined : path.concat(keys);
}

/** The keys or indices of an input; fails where it cannot be iterated over. */
export function keysIn(input: Json): readonly (string | number)[] {
  return isRecord(input) ? Object.keys(input) : elementsOf(input).map((_, index) => index);
}

/** The keys or indices of an input; empty for a scalar. */
export function keysInIf(input: Json): readonly (string | number)[] {
  return isRecord(input) ? Object.keys(input) : itemsOf(input).map((_, index) => index);
}

/** A value and its descendants, each with its path if paths are tracked. */
export function everywhere(
  input: Json,
  path: readonly Json[] | undefined,
): readonly (readonly [Json, readonly Json[] | undefined])[] {
  const found: (readonly [Json, readonly Json[] | undefined])[] = [];
  const open = [[input, path] as const];
  while (open.length > 0) {
    const next = open.pop()!;
    found.push(next);
    const value = next[0];
    const keys = keysInIf(value);
    for (let i = keys.length - 1; i >= 0; i--) {
      const key = keys[i]!;
      open.push([
        isList(value) ? value[key as number]! : (value as { readonly [key: string]: Json })[key]!,
        extended(next[1], [key]),
      ]);
    }
  }
  return found;
}

/** The element or member of a value under one of its own keys. */
export function childOf(value: Json, key: string | number): Json {
  return isList(value) ? value[key as number]! : (value as { readonly [key: string]: Json })[key]!;
}
