import { isObject, type Json, type JsonObject, type MutableJsonObject, own, setOwn } from "../../../json.ts";
import { fail } from "../../core/failure.ts";
import { compareValues, equalValues } from "../../library/order.ts";

/** The messages for merging an object into another kind of value. */
export const dataMergeError = {
  name: "DataMergeError",
  merge: "An object cannot be merged into a value that is not an object.",
  place: "A value cannot be placed inside a value that is not an object.",
} as const;

/**
 * `merge(target, value)`: merges objects recursively, in the target's order; merging one into another kind of value is
 * a `DataMergeError`.
 */
export function mergeJson(target: Json, value: Json): Json {
  if (!isObject(value)) return value;
  if (!isObject(target)) fail(dataMergeError.name, dataMergeError.merge);
  return mergeObjects(target, value);
}

/**
 * `merge(target, value, arrays)`: merges objects recursively, as in `merge`. Of two arrays, `union` appends the elements
 * that are not present, and `replace` yields the second; another value is appended to an array unless it is present.
 * Never fails.
 */
export function combineJson(target: Json, value: Json, arrays: Json): Json {
  if (isObject(target) && isObject(value)) {
    const result: MutableJsonObject = { ...target };
    for (const key of Object.keys(value)) {
      const before = own(target, key);
      setOwn(result, key, before === undefined ? value[key]! : combineJson(before, value[key]!, arrays));
    }
    return result;
  }
  if (!Array.isArray(target)) return value;
  if (!Array.isArray(value)) return withNew(target, [value]);
  return arrays === "union" ? withNew(target, value) : value;
}

/** An array with the further elements that it does not contain, each once. */
function withNew(target: readonly Json[], more: readonly Json[]): readonly Json[] {
  const all = target.concat(more);
  const order = all.map((_, index) => index).sort((a, b) => compareValues(all[a]!, all[b]!) || a - b);
  const repeated = order.map((index, i) => i > 0 && equalValues(all[order[i - 1]!]!, all[index]!));
  const dropped: boolean[] = [];
  for (const [i, index] of order.entries()) dropped[index] = index >= target.length && repeated[i]!;
  return all.filter((_, index) => !dropped[index]);
}

/** `mergeResult(target, value, key)`: merges objects; other values except null become the member `key`. */
export function mergeResultJson(target: Json, value: Json, key: Json): Json {
  if (value === null) return target;
  if (isObject(value)) return mergeJson(target, value);
  return mergeJson(target, nested([text(key)], value));
}

/**
 * `assign(target, value)`: replaces members of an object; assigning an object to another kind of value is a
 * `DataMergeError`.
 */
export function assignJson(target: Json, value: Json): Json {
  if (!isObject(value)) return value;
  if (!isObject(target)) fail(dataMergeError.name, dataMergeError.merge);
  return { ...target, ...value };
}

/** `assignResult(target, value, key)`: assigns objects; other values except null become the member `key`. */
export function assignResultJson(target: Json, value: Json, key: Json): Json {
  if (value === null) return target;
  return assignJson(target, isObject(value) ? value : nested([text(key)], value));
}

/** `place(target, path, value)`: sets a nested member and creates missing objects; `target` must be an object. */
export function placeJson(target: Json, path: Json, value: Json): Json {
  const names = Array.isArray(path) ? path.map(text) : [];
  if (names.length === 0) return value;
  if (!isObject(target)) fail(dataMergeError.name, dataMergeError.place);
  const result = { ...target };
  let object: MutableJsonObject = result;
  for (const name of names.slice(0, -1)) {
    const inner = own(object, name);
    const copy = isObject(inner) ? { ...inner } : {};
    setOwn(object, name, copy);
    object = copy;
  }
  setOwn(object, names[names.length - 1]!, value);
  return result;
}

/** `omit(value, names)`: an object without members of these names; other values unchanged. */
export function omitJson(value: Json, names: Json): Json {
  if (!isObject(value) || !Array.isArray(names)) return value;
  const kept: MutableJsonObject = {};
  for (const key of Object.keys(value)) if (!names.includes(key)) setOwn(kept, key, value[key]!);
  return kept;
}

/** The error for a step output that is not an object. */
export const outputError = {
  name: "STEP_INVALID_OUTPUT",
  message: "The output of a step has to be an object.",
} as const;

/** `mergeOutput(state, output)`: replaces members; `STEP_INVALID_OUTPUT` unless the output is an object. */
export function mergeOutputJson(state: Json, output: Json): Json {
  if (!isObject(output)) fail(outputError.name, outputError.message);
  return { ...(isObject(state) ? state : {}), ...output };
}

/**
 * `mergeEvent(target, event, key, token)`: merges the data of a CloudEvent, then its attribute `token` unless such a
 * member exists.
 */
export function mergeEventJson(target: Json, event: Json, key: Json, token: Json): Json {
  return withAttribute(mergeResultJson(target, eventData(event), key), event, text(token));
}

/**
 * `assignEvent(target, event, key, token)`: the attribute `token` of a CloudEvent, then the target with the event's data
 * assigned.
 */
export function assignEventJson(target: Json, event: Json, key: Json, token: Json): Json {
  const assigned = assignResultJson(target, eventData(event), key);
  const attribute = attributeOf(event, text(token));
  if (attribute === undefined) return assigned;
  return isObject(assigned)
    ? { ...(nested([text(token)], attribute) as JsonObject), ...assigned }
    : placeJson(assigned, [text(token)], attribute);
}

const eventData = (event: Json): Json => (isObject(event) ? (own(event, "data") ?? null) : null);

function withAttribute(merged: Json, event: Json, name: string): Json {
  const attribute = attributeOf(event, name);
  if (attribute === undefined || (isObject(merged) && own(merged, name) !== undefined)) return merged;
  return placeJson(merged, [name], attribute);
}

/** A context attribute of a CloudEvent, case-insensitive. */
export function attributeOf(event: Json, name: string): Json | undefined {
  const key = attributeKey(event, name);
  return key === undefined ? undefined : own(event as JsonObject, key);
}

/** The key of an event's attribute, case-insensitive. */
export function attributeKey(event: Json, name: string): string | undefined {
  const folded = name.toLowerCase();
  return isObject(event) && folded !== "data"
    ? Object.keys(event).find((key) => key.toLowerCase() === folded)
    : undefined;
}

/** `difference(value, base)`: the changed members of two objects, recursively; null if equal, else `value`. */
export function differenceJson(value: Json, base: Json): Json {
  if (isObject(value) && isObject(base)) return changedMembers(value, base);
  return equalValues(value, base) ? null : value;
}

/** `text(x)`: strings unchanged, else compact JSON. */
export const text = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

function mergeObjects(target: JsonObject, value: JsonObject): JsonObject {
  const result: MutableJsonObject = { ...target };
  for (const key of Object.keys(value)) {
    const [before, after] = [own(target, key), value[key]!];
    setOwn(result, key, isObject(before) && isObject(after) ? mergeObjects(before, after) : after);
  }
  return result;
}

function changedMembers(value: JsonObject, base: JsonObject): JsonObject {
  const result: MutableJsonObject = {};
  for (const key of Object.keys(value)) {
    const [after, before] = [value[key]!, own(base, key)];
    if (before === undefined) setOwn(result, key, after);
    else if (!isObject(after) || !isObject(before)) {
      if (!equalValues(after, before)) setOwn(result, key, after);
    } else {
      const inner = changedMembers(after, before);
      if (Object.keys(inner).length > 0) setOwn(result, key, inner);
    }
  }
  return result;
}

function nested(path: readonly string[], value: Json): Json {
  return path.reduceRight<Json>((inner, name) => {
    const object: MutableJsonObject = {};
    setOwn(object, name, inner);
    return object;
  }, value);
}
