import type { Json } from "../../../json.ts";
import { placeFor, replacedAt, valueAt } from "../../library/access.ts";
import { plus } from "../../library/arithmetic.ts";
import { deletePaths, getPath } from "../../library/paths.ts";
import { isList, isRecord, putMember } from "../../library/types.ts";

/** A value being changed. Arrays and objects that were copied for it, and that nothing else has, are changed in place from then on. */
export interface Draft {
  root: Json;
  readonly owned: Set<Json>;
}

/** A draft of a value, which is not changed itself but for what is owned. */
export function draftOf(root: Json, owned: Set<Json> = new Set()): Draft {
  return { root, owned };
}

/** `state + added`; in place where the state is owned. */
export function grown(state: Json, added: Json, owned: Set<Json>): Json {
  if (owned.has(state)) {
    if (isList(state) && isList(added)) {
      for (const item of added) (state as Json[]).push(item);
      return state;
    }
    if (isRecord(state) && isRecord(added)) {
      for (const key of Object.keys(added)) putMember(state as { [key: string]: Json }, key, added[key]!);
      return state;
    }
  }
  const sum = plus(state, added);
  owned.clear();
  if (sum !== state && sum !== added && typeof sum === "object") owned.add(sum);
  return sum;
}

/** What is at a path. It may be kept by who asked: what has it inside is not changed in place any more. */
export function readAt(draft: Draft, path: readonly Json[]): Json {
  const value = getPath(draft.root, path);
  if (draft.owned.has(value)) draft.owned.clear();
  return value;
}

/** Sets the value at a path of at most 10,000 keys, as `setpath` does. */
export function writeAt(draft: Draft, path: readonly Json[], value: Json): void {
  draft.root = written(draft.owned, draft.root, path, 0, value);
}

function written(owned: Set<Json>, input: Json, path: readonly Json[], depth: number, value: Json): Json {
  if (depth === path.length) return value;
  const key = path[depth]!;
  const inner = valueAt(input, key);
  if (typeof key === "number") placeFor(isList(input) ? input.length : 0, key);
  else if (isList(key)) replacedAt(input, key, null);
  const changed = written(owned, inner, path, depth + 1, value);
  if (owned.has(input) && changedInPlace(input, key, changed)) return input;
  const copy = replacedAt(input, key, changed);
  owned.add(copy);
  return copy;
}

function changedInPlace(input: Json, key: Json, value: Json): boolean {
  if (typeof key === "string" && isRecord(input)) putMember(input as { [key: string]: Json }, key, value);
  else if (typeof key === "number" && isList(input) && key >= 0 && Math.trunc(key) <= input.length)
    (input as Json[])[Math.trunc(key)] = value;
  else return false;
  return true;
}

/** The changed value, without what is at some paths. */
export function finished(draft: Draft, deleted: readonly Json[]): Json {
  return deletePaths(draft.root, deleted);
}
