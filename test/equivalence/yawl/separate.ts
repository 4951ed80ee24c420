import { isObject, type Json, type JsonObject } from "../../../src/json.ts";

/** Begins each branch with a wait and makes loops sequential. */
export function separateSteps(definition: JsonObject): JsonObject {
  let count = 0;
  const inside = (value: Json): Json => {
    if (Array.isArray(value)) return value.map((item: Json) => inside(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        const inner = inside(item as Json);
        if (key === "foreach" && isObject(inner)) return [key, { ...inner, concurrency: 1 }];
        return [key, key === "branches" && isObject(inner) ? mapValues(inner, late) : inner];
      }),
    );
  };
  const late = ({ start, steps, ...scope }: JsonObject): JsonObject => {
    const id = `pause ${++count}`;
    const wait = { wait: { duration: "1", next: start! } };
    return { ...scope, start: id, steps: { [id]: wait, ...(steps as JsonObject) } };
  };
  return inside(definition) as JsonObject;
}

const mapValues = (object: JsonObject, change: (value: JsonObject) => JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, isObject(value) ? change(value) : value!]));
