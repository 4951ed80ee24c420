import type { Json } from "../../json.ts";
import { setAt, valueAt } from "./access.ts";
import { plus } from "./arithmetic.ts";
import { deletePaths, getPath, valueBelow } from "./paths.ts";
import { isList, isRecord, putMember } from "./types.ts";

/** A value under modification. Unshared containers that were copied for it are updated in place. */
export interface Draft {
  root: Json;
  readonly owned: Set<Json>;
}

/** Starts a draft; only owned parts are updated in place. */
export function draftOf(root: Json, owned: Set<Json> = new Set()): Draft {
  return { root, owned };
}

/** `state + added`, in place if the state is owned. */
export function appendTo(state: Json, added: Json, owned: Set<Json>): Json {
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

/** Reads a path. The caller may keep the value, so its ancestors are no longer owned. */
export function readAt(draft: Draft, path: readonly Json[]): Json {
  const value = getPath(draft.root, path);
  if (draft.owned.has(value)) draft.owned.clear();
  return value;
}

/** Sets the value at a path, like `setpath`. */
export function writeAt(draft: Draft, path: readonly Json[], value: Json): void {
  const { root, owned } = draft;
  const wholes = [root];
  for (let i = 0; i < path.length; i++) wholes.push(valueBelow(wholes[i]!, path[i]!));
  let result = value;
  for (let i = path.length - 1; i >= 0; i--) result = setKey(wholes[i]!, path[i]!, result, owned);
  draft.root = result;
}

/** Reads a key of a value whose owned parts are updated in place; the caller may keep what it reads. */
export function takeAt(input: Json, key: Json, owned: Set<Json>): Json {
  const value = valueAt(input, key);
  if (typeof value === "object" && owned.has(value)) owned.clear();
  return value;
}

/** Sets a key, in place if the input is owned. */
export function putAt(input: Json, key: Json, value: Json, owned: Set<Json>): Json {
  return setKey(input, key, value, owned);
}

function setKey(input: Json, key: Json, value: Json, owned: Set<Json>): Json {
  if (owned.has(input) && setInPlace(input, key, value)) return input;
  const copy = setAt(input, key, value);
  owned.add(copy);
  return copy;
}

function setInPlace(input: Json, key: Json, value: Json): boolean {
  if (typeof key === "string" && isRecord(input)) putMember(input as { [key: string]: Json }, key, value);
  else if (typeof key === "number" && isList(input) && key >= 0 && Math.trunc(key) <= input.length)
    (input as Json[])[Math.trunc(key)] = value;
  else return false;
  return true;
}

/** The final value, without some paths. */
export function finishDraft(draft: Draft, deleted: readonly Json[]): Json {
  return deletePaths(draft.root, deleted);
}
