import type { Json, JsonObject } from "../../json.ts";
import { raise, raiseLimit } from "./failure.ts";
import { excerpt } from "./json-text.ts";
import { equalValues } from "./order.ts";
import { codePointCount, codePointSlice } from "./text.ts";
import { hasKey, isList, isRecord, putMember, typeOf } from "./types.ts";

/** `input[key]`: a member, element, slice (`{start, end}`) or the occurrences of a subarray; null if missing. */
export function valueAt(input: Json, key: Json): Json {
  if (typeof key === "string" && isRecord(input)) return hasKey(input, key) ? input[key]! : null;
  if (isList(input)) {
    if (typeof key === "number") return elementAt(input, key);
    if (isRecord(key)) return sliceOf(input, key);
    if (isList(key)) return subarrayIndexes(input, key);
  }
  if (typeof input === "string" && isRecord(key)) return sliceOf(input, key);
  if (input === null && (typeof key === "string" || typeof key === "number" || isRecord(key))) return null;
  return raise(`Cannot index ${typeOf(input)} with ${typeOf(key)} (${excerpt(key)})`);
}

function elementAt(list: readonly Json[], index: number): Json {
  const place = Math.trunc(index < 0 ? Math.max(index, -2147483648) : index);
  const element = list[place < 0 ? place + list.length : place];
  return element === undefined ? null : element;
}

/** `.[]` as an array. */
export function elementsOf(input: Json): readonly Json[] {
  if (isList(input)) return input;
  if (isRecord(input)) return Object.keys(input).map((key) => input[key]!);
  return raise(`Cannot iterate over ${typeOf(input)} (${excerpt(input)})`);
}

/** `input[start:end]`. */
export function slice(input: Json, start: Json, end: Json): Json {
  return valueAt(input, { start, end });
}

function sliceOf(input: string | readonly Json[], key: JsonObject): Json {
  const [start, end] = sliceBounds(typeof input === "string" ? codePointCount(input) : input.length, key);
  return typeof input === "string" ? codePointSlice(input, start, end) : input.slice(start, end);
}

/** The bounds of a slice: the start is rounded down, the end up. */
export function sliceBounds(length: number, key: JsonObject): readonly [number, number] {
  const from = hasKey(key, "start") && key.start === null ? 0 : key.start;
  const to = hasKey(key, "end") && key.end === null ? length : key.end;
  if (typeof from !== "number" || typeof to !== "number") return raise("Array/string slice indices must be integers");
  const start = Math.floor(Math.min(Math.max(from < 0 ? from + length : from || 0, 0), length));
  const end = Number.isNaN(to) ? length : to < 0 ? to + length : to;
  return [start, Math.min(Math.max(Math.ceil(end < 0 ? start : end), start), length)];
}

function subarrayIndexes(list: readonly Json[], wanted: readonly Json[]): number[] {
  const places: number[] = [];
  for (let place = 0; wanted.length > 0 && place + wanted.length <= list.length; place++) {
    if (wanted.every((item, i) => equalValues(list[place + i]!, item))) places.push(place);
  }
  return places;
}

/** `input[key] = value`: a copy with one part replaced; null becomes a container. */
export function setAt(input: Json, key: Json, value: Json): Json {
  if (typeof key === "string" && (isRecord(input) || input === null)) {
    const result = { ...input };
    putMember(result, key, value);
    return result;
  }
  if (typeof key === "number" && (isList(input) || input === null))
    return withElement(input === null ? [] : input, key, value);
  if (isRecord(key) && (isList(input) || input === null)) return withSlice(input === null ? [] : input, key, value);
  if (isRecord(key) && typeof input === "string") return raise("Cannot update string slices");
  return raise(`Cannot update field at ${typeOf(key)} index of ${typeOf(input)}`);
}

function withElement(list: readonly Json[], index: number, value: Json): Json {
  const place = writableIndex(list.length, index);
  const result = list.slice();
  while (result.length < place) result.push(null);
  result[place] = value;
  return result;
}

/** The index to set: possibly past the end, never before the start. */
export function writableIndex(length: number, index: number): number {
  if (Number.isNaN(index)) return raise("Cannot set array element at NaN index");
  const whole = Math.trunc(Math.max(index, -2147483648));
  const place = whole < 0 ? whole + length : whole;
  if (place < 0) return raise("Out of bounds negative array index");
  if (place > 536870911) return raise("Array index too large");
  return place > length + 10000000 ? raiseLimit("An array is too long.") : place;
}

function withSlice(list: readonly Json[], key: JsonObject, value: Json): Json {
  const [start, end] = sliceBounds(list.length, key);
  if (!isList(value)) return raise("A slice of an array can only be assigned another array");
  return list.slice(0, start).concat(value, list.slice(end));
}

/** An object key; fails unless it is a string. */
export function objectKey(key: Json): string {
  return typeof key === "string" ? key : raise(`Cannot use ${typeOf(key)} (${excerpt(key)}) as object key`);
}
