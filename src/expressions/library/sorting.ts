import type { Json } from "../../json.ts";
import { raiseOne, raiseTwo } from "./failure.ts";
import { compareValues, equalValues, isLess } from "./order.ts";
import { isList } from "./types.ts";

/** `sort`; the order of nans is unspecified. */
export function sort(input: Json): readonly Json[] {
  return isList(input) ? input.slice().sort(compareValues) : raiseOne(input, "cannot be sorted, as it is not an array");
}

/** `sort_by`, given each element's key; stable. */
export function sortBy(input: Json, keys: Json): readonly Json[] {
  return sortedEntries(input, keys).map((entry) => entry.item);
}

interface SortEntry {
  readonly item: Json;
  readonly key: Json;
}

function sortedEntries(input: Json, keys: Json): readonly SortEntry[] {
  if (!isList(input) || !isList(keys) || input.length !== keys.length) {
    return raiseTwo(input, keys, "cannot be sorted, as they are not both arrays");
  }
  const order = scalarKeys(keys) || keys;
  return input
    .map((item, index) => ({ item, key: order[index]! }))
    .sort((left, right) => compareValues(left.key, right.key));
}

/** The keys if all are scalars, or their elements if all are arrays of one scalar. Excludes nan. */
function scalarKeys(keys: readonly Json[]): readonly Json[] | undefined {
  const first = keys[0];
  const isWrapped = isList(first) && first.length === 1;
  const scalars = isWrapped ? keys.map((key) => (isList(key) && key.length === 1 ? key[0]! : NaN)) : keys;
  return scalars.every(isSortable) ? scalars : undefined;
}

/** Whether a value is a scalar with a place in the order, unlike nan. */
function isSortable(value: Json): boolean {
  return typeof value === "object" ? value === null : !Number.isNaN(value);
}

/** `group_by`, given each element's key. */
export function groupBy(input: Json, keys: Json): readonly Json[][] {
  const scalars = isList(input) && isList(keys) && input.length === keys.length && scalarKeys(keys);
  return scalars ? scalarGroups(input as readonly Json[], scalars) : adjacentGroups(sortedEntries(input, keys));
}

/** `group_by`, given one key of each element instead of arrays of one key, which sort alike. */
export const groupByKey = (input: Json, keys: readonly Json[]): readonly Json[][] =>
  isList(input) && input.length === keys.length && keys.every(isSortable)
    ? scalarGroups(input, keys)
    : groupBy(
        input,
        keys.map((key) => [key]),
      );

/** Sorts only the different keys. */
function scalarGroups(input: readonly Json[], keys: readonly Json[]): readonly Json[][] {
  const groups = new Map<Json, Json[]>();
  for (let i = 0; i < keys.length; i++) {
    const group = groups.get(keys[i]!);
    if (group) group.push(input[i]!);
    else groups.set(keys[i]!, [input[i]!]);
  }
  return Array.from(groups.keys())
    .sort(compareValues)
    .map((key) => groups.get(key)!);
}

function adjacentGroups(entries: readonly SortEntry[]): readonly Json[][] {
  const groups: Json[][] = [];
  let last: SortEntry | undefined;
  for (const entry of entries) {
    if (last && equalValues(last.key, entry.key)) groups[groups.length - 1]!.push(entry.item);
    else groups.push([entry.item]);
    last = entry;
  }
  return groups;
}

/** `unique_by`, given each element's key. */
export function uniqueBy(input: Json, keys: Json): readonly Json[] {
  const scalars = isList(input) && isList(keys) && input.length === keys.length && scalarKeys(keys);
  if (!scalars) return adjacentGroups(sortedEntries(input, keys)).map((group) => group[0]!);
  const first = new Map<Json, Json>();
  for (let i = 0; i < scalars.length; i++)
    if (!first.has(scalars[i]!)) first.set(scalars[i]!, (input as readonly Json[])[i]!);
  return Array.from(first.keys())
    .sort(compareValues)
    .map((key) => first.get(key)!);
}

/** The number of different values: `unique | length`. */
export function countUnique(input: Json): number {
  if (!isList(input) || !input.every(isSortable)) return unique(input).length;
  return new Set(input).size;
}

/** `unique`. */
export function unique(input: Json): readonly Json[] {
  return isList(input) ? uniqueBy(input, input) : raiseOne(input, "cannot be sorted, as it is not an array");
}

/** `min`: the first of equal elements; null for none. */
export function min(input: Json): Json {
  return minBy(input, input);
}

/** `max`: the last of equal elements; null for none. */
export function max(input: Json): Json {
  return maxBy(input, input);
}

/** `min_by`, given each element's key. */
export function minBy(input: Json, keys: Json): Json {
  return extreme(input, keys, true);
}

/** `max_by`, given each element's key. */
export function maxBy(input: Json, keys: Json): Json {
  return extreme(input, keys, false);
}

function extreme(input: Json, keys: Json, smallest: boolean): Json {
  if (!isList(input) || !isList(keys)) return raiseTwo(input, keys, "cannot be iterated over");
  if (input.length !== keys.length) return raiseTwo(input, keys, "have wrong length");
  if (input.length === 0) return null;
  let best = 0;
  for (let i = 1; i < input.length; i++) if (isLess(keys[i]!, keys[best]!) === smallest) best = i;
  return input[best]!;
}

/** `bsearch(target)`: the index, or -1 minus the insertion index. */
export function binarySearch(input: Json, target: Json): number {
  if (!isList(input)) return raiseOne(input, "cannot be searched from");
  let start = 0;
  let end = input.length;
  while (start < end) {
    const middle = Math.floor((start + end) / 2);
    const order = compareValues(target, input[middle]!);
    if (order === 0) return middle;
    if (order < 0) end = middle;
    else start = middle + 1;
  }
  return -1 - start;
}
