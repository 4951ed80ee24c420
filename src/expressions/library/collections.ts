import type { Json, JsonObject } from "../../json.ts";
import { elementsOf, objectKey, slice, valueAt } from "./access.ts";
import { minus, plus } from "./arithmetic.ts";
import { raise, raiseLimit, raiseOne, raiseTwo } from "./failure.ts";
import { byteCount, toJson } from "./json-text.ts";
import { equalValues, isLess, sortedKeys } from "./order.ts";
import { max } from "./sorting.ts";
import { codePointCount } from "./text.ts";
import { hasKey, isList, isRecord, isTrue, putMember, typeOf } from "./types.ts";

/** `length`; the absolute value of a number, 0 of null. */
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

/** `keys`, in code point order. */
export function keys(input: Json): Json[] {
  return isRecord(input) ? sortedKeys(input) : keysInOrder(input);
}

/** `keys_unsorted`, in insertion order. */
export function keysInOrder(input: Json): Json[] {
  if (isRecord(input)) return Object.keys(input);
  return isList(input) ? input.map((_, index) => index) : raiseOne(input, "has no keys");
}

/** `has(key)`; false for null. */
export function has(input: Json, key: Json): boolean {
  if (input === null) return false;
  if (isRecord(input) && typeof key === "string") return hasKey(input, key);
  if (isList(input) && typeof key === "number") return key > -1 && Math.trunc(key) < input.length;
  return raise(`Cannot check whether ${typeOf(input)} has a ${typeOf(key)} key`);
}

/** `contains(part)`, recursively. */
export function contains(input: Json, part: Json): boolean {
  const comparable = typeof input === "boolean" ? input === part : typeOf(input) === typeOf(part);
  return comparable ? containsPart(input, part) : raiseTwo(input, part, "cannot have their containment checked");
}

interface ContainmentCheck {
  readonly whole: Json;
  readonly part: Json;
  readonly keys: readonly string[] | undefined;
  wanted: number;
  candidate: number;
}

/** The JavaScript stack cannot hold 10,000 levels. */
function containsPart(whole: Json, part: Json): boolean {
  const open: ContainmentCheck[] = [];
  let answer = compareOrPush(whole, part, open);
  let turns = 0;
  for (let top = open[0]; top !== undefined; top = open[open.length - 1]) {
    turns++;
    if (turns > maxIterations) return raiseLimit("A value is too large.");
    answer = resumeSearch(top, answer, open);
  }
  return answer === true;
}

/** Values with shared substructure may be exponentially large. */
const maxIterations = 2000000;

/** Undefined for containers, whose search is pushed. */
function compareOrPush(whole: Json, part: Json, open: ContainmentCheck[]): boolean | undefined {
  if (open.length > 10000) return raise("Containment check too deep");
  if (typeof whole === "string" && typeof part === "string") return whole.includes(part);
  const keys = isRecord(whole) && isRecord(part) ? Object.keys(part) : undefined;
  if (!keys && !(isList(whole) && isList(part))) return equalValues(whole, part);
  open.push({ whole, part, keys, wanted: 0, candidate: 0 });
  return undefined;
}

function resumeSearch(
  search: ContainmentCheck,
  before: boolean | undefined,
  open: ContainmentCheck[],
): boolean | undefined {
  const { whole, part, keys } = search;
  const size = keys ? 1 : (whole as readonly Json[]).length;
  const parts = keys || (part as readonly Json[]);
  for (let answer = before; ; ) {
    if (answer === true) search.wanted++;
    search.candidate = answer === false ? search.candidate + 1 : 0;
    const wanted = parts[search.wanted];
    if (wanted === undefined || search.candidate >= size) break;
    if (!keys) answer = compareOrPush((whole as readonly Json[])[search.candidate]!, wanted, open);
    else if (!hasKey(whole as JsonObject, wanted as string)) break;
    else
      answer = compareOrPush((whole as JsonObject)[wanted as string]!, (part as JsonObject)[wanted as string]!, open);
    if (answer === undefined) return undefined;
  }
  open.pop();
  return search.wanted >= parts.length;
}

/** `in(whole)`. */
export function isIn(input: Json, whole: Json): boolean {
  return has(whole, input);
}

/** `inside(whole)`. */
export function inside(input: Json, whole: Json): boolean {
  return contains(whole, input);
}

/** `first` of an array. */
export function firstElement(input: Json): Json {
  return valueAt(input, 0);
}

/** `last` of an array. */
export function lastElement(input: Json): Json {
  return valueAt(input, -1);
}

/** `add`; null for none. */
export function add(input: Json): Json {
  return sum(elementsOf(input));
}

/** The sum of values by `+`; null for none. */
export function sum(values: readonly Json[]): Json {
  const first = values[0];
  if (first === undefined) return null;
  if (typeof first === "number") return sumFrom(values, first);
  if (values.length > 1 && values.every(isList)) return concatLists(values);
  if (values.length > 1 && values.every(isRecord)) return mergeRecords(values);
  return values.reduce<Json>(plus, null);
}

/** Engines add numbers alone faster. */
function sumFrom(values: readonly Json[], first: number): Json {
  let total = first;
  let i = 1;
  for (; i < values.length; i++) {
    const value = values[i]!;
    if (typeof value !== "number") break;
    total += value;
  }
  return i === values.length ? total : values.slice(i).reduce<Json>(plus, total);
}

function concatLists(lists: readonly (readonly Json[])[]): Json[] {
  const result: Json[] = [];
  for (const list of lists) for (const item of list) result.push(item);
  return result;
}

function mergeRecords(records: readonly JsonObject[]): JsonObject {
  const result: { [key: string]: Json } = {};
  for (const record of records) for (const key of Object.keys(record)) putMember(result, key, record[key]!);
  return result;
}

/** `any`. */
export function any(input: Json): boolean {
  return elementsOf(input).some(isTrue);
}

/** `all`. */
export function all(input: Json): boolean {
  return elementsOf(input).every(isTrue);
}

/** `flatten`, all levels. */
export function flatten(input: Json): Json[] {
  return flattenLevels(input, -1);
}

/** `flatten(depth)`. */
export function flattenTo(input: Json, depth: Json): Json[] {
  return isLess(depth, 0) ? raise("flatten depth must not be negative") : flattenLevels(input, depth);
}

/** `_flatten(depth)`; a negative depth means all levels. */
export function flattenBy(input: Json, depth: Json): Json[] {
  return flattenLevels(input, depth);
}

function flattenLevels(input: Json, depth: Json): Json[] {
  const result: Json[] = [];
  const open = [{ items: elementsOf(input), next: 0, depth }];
  let turns = 0;
  for (let top = open[0]; top !== undefined; top = open[open.length - 1]) {
    if (top.next >= top.items.length) {
      open.pop();
      continue;
    }
    const item = top.items[top.next++]!;
    turns++;
    if (turns > maxIterations) return raiseLimit("A value is too large.");
    if (isList(item) && !equalValues(top.depth, 0)) open.push({ items: item, next: 0, depth: minus(top.depth, 1) });
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

/** `join(separator)`; null is empty, arrays and objects fail. */
export function join(input: Json, separator: Json): Json {
  return elementsOf(input).reduce<Json>((text, item, index) => {
    const before = index === 0 ? "" : plus(text, separator);
    return plus(
      before,
      typeof item === "number" || typeof item === "boolean" ? toJson(item) : item === null ? "" : item,
    );
  }, "");
}

/** `transpose`; pads short rows with null. */
export function transpose(input: Json): Json[] {
  const rows = elementsOf(input);
  const columns: Json[] = [];
  const width = rows.length === 0 ? 0 : (max(rows.map((row) => length(row))) as number);
  for (let i = 0; !(i >= width); i++) columns.push(rows.map((row) => valueAt(row, i)));
  return columns;
}

/** `combinations` as an array; the first array varies slowest. */
export function combinations(input: Json): Json[] {
  if (length(input) === 0) return [[]];
  const choices = elementsOf(valueAt(input, 0));
  if (choices.length === 0) return [];
  const rest = combinations(slice(input, 1, null));
  if (choices.length * rest.length > 1000000) return raiseLimit("There are too many combinations.");
  const result: Json[] = [];
  for (const choice of choices) for (const others of rest) result.push([choice].concat(others as Json[]));
  return result;
}

/** `to_entries`, also of arrays. */
export function toEntries(input: Json): Json[] {
  return keysInOrder(input).map((key) => ({ key, value: valueAt(input, key) }));
}

/** `from_entries`; entries have `key`, `Key`, `name` or `Name`, and `value` or `Value`. */
export function fromEntries(input: Json): JsonObject {
  const result: { [key: string]: Json } = {};
  for (const entry of elementsOf(input))
    putMember(result, entryKey(entry), valueAt(entry, has(entry, "value") ? "value" : "Value"));
  return result;
}

function entryKey(entry: Json): string {
  let key: Json = null;
  for (const name of ["key", "Key", "name", "Name"]) if (!isTrue(key)) key = valueAt(entry, name);
  return objectKey(key);
}
