// workflow 0.1, from yawl. Change the definition, not this file.
import {
  type Json,
  type JsonObject,
  absent,
  elementsOf,
  memberOf,
  raise,
  typeOf,
} from "./runtime.js";

const getShelves = (value: Json): Json =>
  (value as JsonObject | null)?.shelves ?? absent(value, "shelves");

export function decide(state: Json): Json {
  const condition = memberOf(state, "found") ?? null;
  return condition === true || condition === "true";
}

export function shelvesValue(global: Json): Json {
  const items = getShelves(global);
  return Array.isArray(items)
    ? elementsOf(items).map((item: Json) => 
        typeOf(item) === "object"
          ? item
          : raise({
              name: "STEP_INVALID_ARGUMENT",
              message: "The input of foreach step shelves is not an array of objects.",
            }),
      )
    : raise({
        name: "STEP_INVALID_ARGUMENT",
        message: "The input of foreach step shelves is not an array of objects.",
      });
}
