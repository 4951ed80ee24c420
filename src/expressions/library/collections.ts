import type { Json, JsonObject } from "../../json.ts";
import { iterated, slice, valueAt } from "./access.ts";
import { minus, plus } from "./arithmetic.ts";
import { raise, raiseLimit, raiseOne, raiseTwo } from "./failure.ts";
import { byteCount, excerpt, toJson } from "./json-text.ts";
import { equalValues, isLess, sortedKeys } from "./order.ts";
import { max } from "./sorting.ts";
import { codePointCount } from "./text.ts";
import { hasKey, isList, isRecord, isTrue, putMember, typeOf } from "./types.ts";

/** `length`: elements, members, code points; the absolute value of a number; 0 of null. */
export function length(input: Json): number {
  if (isList(input)) return input.length;
  if (typeof input === "string") return codePointCount(input);
  if (typeof input === "number") return Math.abs(input);
  if (input === null) return 0;
  return isRecord(input) ? Object.keys(input).length : raiseOne(input, "has no length");
}

/** `utf8bytelength`. */
export function utf8Length(input: Json): number {
  return typeof input === "string" ? byteCount(input) : raiseOne(input, "only strings have UTF-8 byte length");
}

/** `keys`: an object's keys by code point, or an array's indices. */
export function keys(input: Json): Json[] {
  return isRecord(input) ? sortedKeys(input) : keysInOrder(input);
}

/** `keys_unsorted`: an object's keys as they came, or an array's indices. */
export function keysInOrder(input: Json): Json[] {
  if (isRecord(input)) return Object.keys(input);
  return isList(input) ? input.map((_, index) => index) : raiseOne(input, "has no keys");
}

/** `has(key)`: whether an object has a member or an array an element; null has none. */
export function has(input: Json, key: Json): boolean {
  if (input === null) return false;
  if (isRecord(input) && typeof key === "string") return hasKey(input, key);
  if (isList(input) && typeof key === "number") return key > -1 && Math.trunc(key) < input.length;
  return raise(`Cannot check whether ${typeOf(input)} has a ${typeOf(key)} key`);
}

/** `contains(part)`: strings by text, arrays and objects by whether each element or member of the part is contained in one. */
export function contains(input: Json, part: Json): boolean {
  const comparable = typeof input === "boolean" ? input === part : typeOf(input) === typeOf(part);
  return comparable ? isPart(input, part) : raiseTwo(input, part, "cannot have their containment checked");
}

function isPart(whole: Json, part: Json): boolean {
  if (typeof whole === "string" && typeof part === "string") return whole.includes(part);
  if (isList(whole) && isList(part)) return part.every((item) => whole.some((candidate) => isPart(candidate, item)));
  if (isRecord(whole) && isRecord(part)) return Object.keys(part).every((key) => hasKey(whole, key) && isPart(whole[key]!, part[key]!));
  return equalValues(whole, part);
}

/** `in(whole)`: whether the input is a key or index of another value. */
export function isIn(input: Json, whole: Json): boolean {
  return has(whole, input);
}

/** `inside(whole)`: whether the input is contained in another value. */
export function inside(input: Json, whole: Json): boolean {
  return contains(whole, input);
}

/** `first`: the element at 0. */
export function firstElement(input: Json): Json {
  return valueAt(input, 0);
}

/** `last`: the element at -1. */
export function lastElement(input: Json): Json {
  return valueAt(input, -1);
}

/** `add`: all elements or members joined by `+`; null of none. */
export function add(input: Json): Json {
  return sum(iterated(input));
}

/** The sum of values by `+`, from the first to the last; null of none. */
export function sum(values: readonly Json[]): Json {
  if (values.length > 1 && values.every(isList)) return joinedLists(values);
  if (values.length > 1 && values.every(isRecord)) return unitedRecords(values);
  return values.reduce<Json>(plus, null);
}

function joinedLists(lists: readonly (readonly Json[])[]): Json[] {
  const result: Json[] = [];
  for (const list of lists) for (const item of list) result.push(item);
  return result;
}

function unitedRecords(records: readonly JsonObject[]): JsonObject {
  const result: { [key: string]: Json } = {};
  for (const record of records) for (const key of Object.keys(record)) putMember(result, key, record[key]!);
  return result;
}

/** `any`: whether some element or member is true. */
export function any(input: Json): boolean {
  return iterated(input).some(isTrue);
}

/** `all`: whether each element or member is true. */
export function all(input: Json): boolean {
  return iterated(input).every(isTrue);
}

/** `flatten`: no arrays in the array any more. */
export function flatten(input: Json): Json[] {
  return flattened([], input, -1);
}

/** `flatten(depth)`: arrays in arrays opened that many levels deep. */
export function flattenTo(input: Json, depth: Json): Json[] {
  return isLess(depth, 0) ? raise("flatten depth must not be negative") : flattened([], input, depth);
}

/** `_flatten(depth)`: as `flatten(depth)`, and all levels for a negative depth. */
export function flattenBy(input: Json, depth: Json): Json[] {
  return flattened([], input, depth);
}

function flattened(result: Json[], input: Json, depth: Json): Json[] {
  for (const item of iterated(input)) {
    if (isList(item) && !equalValues(depth, 0)) flattened(result, item, minus(depth, 1));
    else result.push(item);
  }
  return result;
}

/** `reverse`. */
export function reverse(input: Json): Json[] {
  if (isList(input)) return input.slice().reverse();
  const count = length(input);
  if (!(count <= 0)) valueAt(input, count - 1);
  return [];
}

/** `join(separator)`: null is empty, numbers and booleans are written out; what is no string then cannot be added. */
export function join(input: Json, separator: Json): Json {
  return iterated(input).reduce<Json>((text, item, index) => {
    const before = index === 0 ? "" : plus(text, separator);
    return plus(before, typeof item === "number" || typeof item === "boolean" ? toJson(item) : item === null ? "" : item);
  }, "");
}

/** `transpose`: rows become columns; shorter ones are filled up with null. */
export function transpose(input: Json): Json[] {
  const rows = iterated(input);
  const columns: Json[] = [];
  const width = rows.length === 0 ? 0 : (max(rows.map((row) => length(row))) as number);
  for (let i = 0; !(i >= width); i++) columns.push(rows.map((row) => valueAt(row, i)));
  return columns;
}

/** `combinations` as an array: all ways to take one element of each array, the first varying slowest. */
export function combinations(input: Json): Json[] {
  if (length(input) === 0) return [[]];
  const choices = iterated(valueAt(input, 0));
  if (choices.length === 0) return [];
  const rest = combinations(slice(input, 1, null));
  if (choices.length * rest.length > 1000000) return raiseLimit("There are too many combinations.");
  const result: Json[] = [];
  for (const choice of choices) for (const others of rest) result.push([choice].concat(others as Json[]));
  return result;
}

/** `to_entries`: `{key, value}` of each member, or of each element with its index. */
export function toEntries(input: Json): Json[] {
  return keysInOrder(input).map((key) => ({ key, value: valueAt(input, key) }));
}

/** `from_entries`: an object of entries with `key`, `Key`, `name` or `Name`, and `value` or `Value`. */
export function fromEntries(input: Json): JsonObject {
  const result: { [key: string]: Json } = {};
  for (const entry of iterated(input)) putMember(result, entryKey(entry), valueAt(entry, has(entry, "value") ? "value" : "Value"));
  return result;
}

function entryKey(entry: Json): string {
  let key: Json = null;
  for (const name of ["key", "Key", "name", "Name"]) if (!isTrue(key)) key = valueAt(entry, name);
  return typeof key === "string" ? key : raise(`Cannot use ${typeOf(key)} (${excerpt(key)}) as object key`);
}
