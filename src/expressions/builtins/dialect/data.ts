import { isObject, type Json, type JsonObject, type MutableJsonObject, own, setOwn } from "../../../json.ts";
import { fail } from "../../interpreter/failure.ts";
import { equalValues } from "../../library/order.ts";

/** The error of an object that has to go into something that is no object: its name, and the message of each function that raises it. */
export const dataMergeError = {
  name: "DataMergeError",
  merge: "An object cannot be merged into a value that is not an object.",
  place: "A value cannot be placed inside a value that is not an object.",
} as const;

/**
 * `merge(target, value)`: where both are objects, member by member, recursively; else `value`. Keys keep the target's order and new ones
 * follow. At the root an object fits only into an object: else it fails with `DataMergeError`.
 */
export function mergeJson(target: Json, value: Json): Json {
  if (!isObject(value)) return value;
  if (!isObject(target)) fail(dataMergeError.name, dataMergeError.merge);
  return mergeObjects(target, value);
}

/**
 * `mergeResult(target, value, key)`: how a result without a path goes into the data. Null leaves `target` as it is, an object is merged into it,
 * anything else is merged as the member `key`.
 */
export function mergeResultJson(target: Json, value: Json, key: Json): Json {
  if (value === null) return target;
  if (isObject(value)) return mergeJson(target, value);
  return mergeJson(target, nested([text(key)], value));
}

/**
 * `place(target, path, value)`: `target` with `value` at the member path, replacing what is there; objects are made on the way, also in
 * place of what is no object. The empty path gives `value`. Fails with `DataMergeError` where `target` is no object.
 */
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

/** The error of what a step of YaWL puts out and is no object. */
export const outputError = {
  name: "STEP_INVALID_OUTPUT",
  message: "The output of a step has to be an object.",
} as const;

/** `mergeOutput(state, output)`: the state with the members of the output in the places of its own. Fails with `STEP_INVALID_OUTPUT` where that is no object. */
export function mergeOutputJson(state: Json, output: Json): Json {
  if (!isObject(output)) fail(outputError.name, outputError.message);
  return { ...(isObject(state) ? state : {}), ...output };
}

/**
 * `mergeEvent(target, event, key, token)`: the data of a CloudEvent as a result, and its attribute `token`, whatever its case, as the member of
 * that name where there is none. What is no event leaves `target` as it is.
 */
export function mergeEventJson(target: Json, event: Json, key: Json, token: Json): Json {
  const merged = mergeResultJson(target, isObject(event) ? (own(event, "data") ?? null) : null, key);
  const name = text(token);
  const attribute = attributeOf(event, name);
  if (attribute === undefined || (isObject(merged) && own(merged, name) !== undefined)) return merged;
  return placeJson(merged, [name], attribute);
}

/** The context attribute of a CloudEvent with that name, without regard to case; undefined: it has none. */
export function attributeOf(event: Json, name: string): Json | undefined {
  const key = attributeKey(event, name);
  return key === undefined ? undefined : own(event as JsonObject, key);
}

/** Whether an event has an attribute of that name, without regard to case: its key; undefined where it has none. */
export function attributeKey(event: Json, name: string): string | undefined {
  const folded = name.toLowerCase();
  return isObject(event) && folded !== "data"
    ? Object.keys(event).find((key) => key.toLowerCase() === folded)
    : undefined;
}

/**
 * `difference(value, base)`: what of `value` is new. Of two objects the members of `value` that `base` lacks or has differently, recursively,
 * in the order of `value`, and `{}` when there are none. Otherwise null where both are equal, else `value`.
 */
export function differenceJson(value: Json, base: Json): Json {
  if (isObject(value) && isObject(base)) return changedMembers(value, base);
  return equalValues(value, base) ? null : value;
}

/** `text(x)`: a string as it is; anything else as compact JSON. */
export const text = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Two objects merged member by member, recursively; where not both are objects the second wins. */
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
