import type { Json, MutableJsonObject } from "../../json.ts";
import { setAt, sliceBounds, valueAt, writableIndex } from "./access.ts";
import { raise, raiseLimit } from "./failure.ts";
import { compareValues, equalValues } from "./order.ts";
import { hasKey, isList, isRecord, typeOf } from "./types.ts";

/** `getpath(path)`; null if missing. */
export function getPath(input: Json, path: Json): Json {
  if (!isList(path)) return raise("Path must be specified as an array");
  checkDepth(path);
  return path.reduce<Json>((value, key) => valueAt(value, key), input);
}

/** `setpath(path; value)`; creates missing containers. */
export function setPath(input: Json, path: Json, value: Json): Json {
  if (!isList(path)) return raise("Path must be specified as an array");
  checkDepth(path);
  const wholes: Json[] = [];
  let inner = input;
  for (const key of path) {
    wholes.push(inner);
    inner = valueBelow(inner, key);
  }
  return rebuildContainers(wholes, path, 0, value);
}

/** The value at a key below which something will be set. */
export function valueBelow(input: Json, key: Json): Json {
  const value = valueAt(input, key);
  if (typeof key === "number") writableIndex(isList(input) ? input.length : 0, key);
  else if (isList(key)) setAt(input, key, null);
  return value;
}

function checkDepth(path: readonly Json[]): void {
  if (path.length > 10000) raise("Path too deep");
}

/** `delpaths(paths)`; all paths refer to the input. */
export function deletePaths(input: Json, paths: Json): Json {
  if (!isList(paths)) return raise("Paths must be specified as an array");
  const sorted = paths.slice().sort(compareValues);
  for (const path of sorted) {
    if (!isList(path)) return raise(`Path must be specified as array, not ${typeOf(path)}`);
    checkDepth(path);
  }
  if (sorted.length === 0) return input;
  return (sorted[0] as readonly Json[]).length === 0
    ? null
    : deleteFrom(input, sorted as readonly (readonly Json[])[], 0);
}

/** Iterates over a common prefix longer than `depth` to save stack. */
function deleteFrom(input: Json, paths: readonly (readonly Json[])[], depth: number): Json {
  const first = paths[0]!;
  const last = paths[paths.length - 1]!;
  const wholes: Json[] = [];
  let inner = input;
  let level = depth;
  while (first.length > level + 1 && (first === last || equalValues(first[level]!, last[level]!))) {
    const below = valueAt(inner, first[level]!);
    if (below === null) return rebuildContainers(wholes, first, depth, inner);
    wholes.push(inner);
    inner = below;
    level++;
  }
  return rebuildContainers(wholes, first, depth, deleteHere(inner, paths, level));
}

function rebuildContainers(wholes: readonly Json[], path: readonly Json[], depth: number, inner: Json): Json {
  let result = inner;
  for (let i = wholes.length - 1; i >= 0; i--) result = setAt(wholes[i]!, path[depth + i]!, result);
  return result;
}

/** Nested paths first, then keys at this level. */
function deleteHere(input: Json, paths: readonly (readonly Json[])[], depth: number): Json {
  const keys: Json[] = [];
  let result = input;
  for (let first = 0, next = 1; first < paths.length; first = next++) {
    const key = paths[first]![depth]!;
    while (next < paths.length && equalValues(key, paths[next]![depth]!)) next++;
    if (paths[first]!.length === depth + 1) {
      keys.push(key);
      continue;
    }
    const inner = valueAt(result, key);
    if (inner !== null) result = setAt(result, key, deleteFrom(inner, paths.slice(first, next), depth + 1));
  }
  return withoutKeys(result, keys);
}

function withoutKeys(input: Json, keys: readonly Json[]): Json {
  if (input === null || keys.length === 0) return input;
  if (isList(input)) return withoutElements(input, keys);
  if (!isRecord(input)) return raise(`Cannot delete fields from ${typeOf(input)}`);
  const result: MutableJsonObject = { ...input };
  for (const key of keys) {
    if (typeof key !== "string") return raise(`Cannot delete ${typeOf(key)} field of object`);
    if (hasKey(result, key)) delete result[key];
  }
  return result;
}

function withoutElements(list: readonly Json[], keys: readonly Json[]): Json {
  const gone = list.map(() => false);
  for (const key of keys) {
    if (typeof key === "number") {
      const place = Math.trunc(key) + (key < 0 ? list.length : 0);
      if (place >= 0 && place < list.length) gone[place] = true;
    } else if (isRecord(key)) {
      const [start, end] = sliceBounds(list.length, key);
      gone.fill(true, start, end);
    } else {
      return raise(`Cannot delete ${typeOf(key)} element of array`);
    }
  }
  return list.filter((_, index) => !gone[index]);
}

/** `tostream` as an array. */
export function streamEvents(input: Json): Json[] {
  const events: Json[] = [];
  addEvents(events, [], input, { keys: 0 });
  return events;
}

/** Values with shared substructure may be exponentially large. */
interface EventSize {
  keys: number;
}

function addEvents(events: Json[], path: readonly Json[], value: Json, size: EventSize): void {
  const keys = isList(value) ? value.map((_, index) => index) : isRecord(value) ? Object.keys(value) : [];
  for (const key of keys) addEvents(events, path.concat([key]), valueAt(value, key), size);
  size.keys += path.length + 1;
  if (size.keys > 10000000) raiseLimit("A value is too large.");
  events.push(keys.length > 0 ? [path.concat([keys[keys.length - 1]!])] : [path, value]);
}
