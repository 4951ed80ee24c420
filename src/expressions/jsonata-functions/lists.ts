import { isObject, type Json, type JsonObject, type MutableJsonObject, setOwn } from "../../json.ts";
import { failWith } from "./failures.ts";
import { native } from "./native.ts";
import { itemsIn } from "./operators.ts";
import { isArray, isFunctionLike, isNumeric, lookup, namesIn, single, truthy, type Value } from "./values.ts";

/** A function of an element, its index and the whole array. */
type ElementFunction = (item: Value, index: number, list: readonly Json[]) => Value;

/** A function of a member, its name and the whole object. */
type MemberFunction = (member: Json, name: string, object: Value) => Value;

/** `$count(list)` */
export const $count = (list: Value): number => itemsIn(list).length;

/** `$map(list, function)` */
export const $map: (list: Value, apply: ElementFunction) => Value = native(
  "map",
  "af",
  (list: readonly Json[] | undefined, apply: ElementFunction) =>
    single((list ?? []).map(apply).filter((value) => value !== undefined)),
);

/** `$filter(list, function)` */
export const $filter: (list: Value, condition: ElementFunction) => Value = native(
  "filter",
  "af",
  (list: readonly Json[] | undefined, condition: ElementFunction) =>
    single((list ?? []).filter((item, i, all) => truthy(condition(item, i, all)))),
);

/** `$single(list, function)` */
export const $single: (list: Value, condition?: ElementFunction) => Value = native(
  "single",
  "af?",
  (list: readonly Json[] | undefined, condition: ElementFunction = () => true) => {
    if (!list) return undefined;
    const found: Json[] = [];
    for (const [i, item] of list.entries()) {
      if (!truthy(condition(item, i, list))) continue;
      if (found.length > 0) return failSingle("D3138", "more");
      found.push(item);
    }
    return found.length === 0 ? failSingle("D3139", "0") : found[0];
  },
);

const failSingle = (code: string, count: string): never =>
  failWith(code, `The $single() function expected exactly 1 matching result.  Instead it matched ${count}.`);

/** `$reduce(list, function, initial)`. */
export const $reduce: (
  list: Value,
  apply: (result: Value, item: Value, index: number, list: readonly Json[]) => Value,
  initial?: Value,
) => Value = native("reduce", "afj?", reduce);

function reduce(
  list: readonly Json[] | undefined,
  apply: (result: Value, item: Json, index: number, list: readonly Json[]) => Value,
  initial: Value,
): Value {
  if (!list) return undefined;
  const isSeeded = initial !== undefined || list.length === 0;
  let result = isSeeded ? initial : list[0];
  for (let i = isSeeded ? 0 : 1; i < list.length; i++) result = apply(result, list[i]!, i, list);
  return result;
}

/** `$append(list, list)` */
export function $append(first: Value, second: Value): Value {
  if (first === undefined) return second;
  return second === undefined ? first : [...itemsIn(first), ...itemsIn(second)];
}

/** `$reverse(list)` */
export const $reverse: (list: Value) => readonly Json[] | undefined = native("reverse", "a", (list?: readonly Json[]) =>
  list?.slice().reverse(),
);

/** `$sort(list, function)`: whether the first of two elements comes after the second. */
export const $sort: (list: Value, isAfter?: (left: Json, right: Json) => Value) => readonly Json[] | undefined = native(
  "sort",
  "af?",
  sort,
);

function sort(
  list: readonly Json[] | undefined,
  isAfter?: (left: Json, right: Json) => Value,
): readonly Json[] | undefined {
  if (!list || list.length <= 1) return list;
  if (isAfter) return merged(list, isAfter);
  if (!list.every(isNumeric) && !list.every((item) => typeof item === "string"))
    return failWith(
      "D3070",
      "The single argument form of the sort function can only be applied to an array of strings or an array of numbers.  Use the second argument to specify a comparison function",
    );
  return merged(list, (left, right) => (left as string) > (right as string));
}

/** Merge sort with the package's comparisons. */
function merged(list: readonly Json[], isAfter: (left: Json, right: Json) => Value): readonly Json[] {
  if (list.length <= 1) return list;
  const middle = Math.floor(list.length / 2);
  const [left, right] = [merged(list.slice(0, middle), isAfter), merged(list.slice(middle), isAfter)];
  const found: Json[] = [];
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length)
    if (isAfter(left[i]!, right[j]!)) found.push(right[j++]!);
    else found.push(left[i++]!);
  return [...found, ...left.slice(i), ...right.slice(j)];
}

/** `$zip(list, …)` */
export const $zip: (...lists: readonly Value[]) => readonly Json[] = native(
  "zip",
  "a+",
  (...lists: readonly (readonly Json[] | undefined)[]) => {
    const length = Math.min(...lists.map((list) => list?.length ?? 0));
    return Array.from({ length }, (_, i) => lists.map((list) => list![i]!));
  },
);

/** `$merge(objects)` */
export const $merge: (objects: Value) => Json | undefined = native("merge", "a<o>", (list?: readonly JsonObject[]) => {
  if (!list) return undefined;
  const found: MutableJsonObject = {};
  for (const object of list) for (const [name, member] of Object.entries(object)) setOwn(found, name, member);
  return found;
});

/** `$keys(object)` */
export const $keys = (value: Value): Value => single(keysOf(value));

function keysOf(value: Value): readonly string[] {
  if (isArray(value)) return Object.keys(Object.fromEntries(value.flatMap(keysOf).map((key) => [key, true])));
  return isFunctionLike(value) ? [] : namesIn(value);
}

/** `$lookup(object, name)` */
export const $lookup: (value: Value, name: Value) => Value = native("lookup", "x-s", (value: Value, name?: string) =>
  lookup(value, String(name)),
);

/** `$spread(object)` */
export function $spread(value: Value): Value {
  if (isArray(value)) return value.length === 0 ? undefined : value.flatMap((item) => spreadOf(item));
  return isObject(value) ? single(spreadOf(value)) : value;
}

function spreadOf(value: Json): readonly Json[] {
  if (isArray(value)) return value.flatMap(spreadOf);
  if (!isObject(value)) return [value];
  return Object.entries(value).map(([name, member]) => {
    const part: MutableJsonObject = {};
    setOwn(part, name, member);
    return part;
  });
}

/** `$each(object, function)` */
export const $each: (object: Value, apply: MemberFunction) => Value = native(
  "each",
  "o-f",
  (object: Value, apply: MemberFunction) =>
    single(
      Object.entries((object ?? {}) as JsonObject)
        .map(([name, member]) => apply(member, name, object))
        .filter((value) => value !== undefined),
    ),
);

/** `$sift(object, function)` */
export const $sift: (object: Value, condition: MemberFunction) => Json | undefined = native(
  "sift",
  "o-f?",
  (object: Value, condition: MemberFunction) => {
    const found: MutableJsonObject = {};
    for (const [name, member] of Object.entries((object ?? {}) as JsonObject))
      if (truthy(condition(member, name, object))) setOwn(found, name, member);
    return Object.keys(found).length > 0 ? found : undefined;
  },
);

/** `$boolean(value)` */
export const $boolean = (value: Value): boolean | undefined => (value === undefined ? undefined : truthy(value));

/** `$not(value)` */
export const $not = (value: Value): boolean | undefined => (value === undefined ? undefined : !truthy(value));

/** `$partition(list, size)` of Step Functions. */
export const $partition: (list: Value, size: Value) => readonly Json[] | undefined = native(
  "partition",
  "an",
  partition,
);

/** Chunks of a list; undefined if the size is less than 1. */
export function partition(list: readonly Json[], given: number): readonly Json[] | undefined {
  const size = Math.trunc(given);
  if (size < 1) return undefined;
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));
}

/** `$range(first, last, step)` of Step Functions. */
export const $range: (first: Value, last: Value, step: Value) => readonly number[] | number | undefined = native(
  "range",
  "nnn",
  rangeBetween,
);

/** A range of one number is that number, and a step in the wrong direction gives nothing, as on AWS. */
export function rangeBetween(from: number, upTo: number, by: number): readonly number[] | number | undefined {
  const [first, last, step] = [from, upTo, by].map(Math.trunc) as [number, number, number];
  const length = step === 0 ? 0 : Math.floor((last - first) / step) + 1;
  if (!(length >= 1)) return undefined;
  if (length > maxRange) return failWith("D2014", `The range has more than ${maxRange} numbers.`);
  return length === 1 ? first : Array.from({ length }, (_, i) => first + i * step);
}

/** As many as Step Functions makes. */
const maxRange = 360_145;
