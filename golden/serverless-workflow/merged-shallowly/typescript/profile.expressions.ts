// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import {
  type Json,
  attributeKey,
  mergeOutput as mergeOutputJson,
  memberOf as named,
  elementOf as numbered,
  place as placeJson,
  text,
  typeOf,
} from "./runtime.js";

const awaitEvent__1_ = ["customer"];

function awaitEvent_(input, data: Json, received: Json) {
  const outputs: Json[] = [];
  let found: Json | undefined;
  search: {
    {
      const value = numbered(named(received, "events"), 0);
      if (value !== undefined) {
        const result = named(value, "event");
        if (result !== undefined) {
          const current = named(result, "data");
          if (current !== undefined) {
            found = current;
            break search;
          }
        }
      }
    }
    found = null;
  }
  const merged = found === null ? data : mergeOutputJson(data, typeOf(found) === "object" ? found : { Moved: found });
  let isFound = false;
  if (named(merged, "customer") !== undefined) isFound = true;
  if (isFound) {
    outputs.push(merged);
  } else {
    let isDone = false;
    {
      const value = numbered(named(received, "events"), 0);
      if (value !== undefined) {
        const result = named(value, "event");
        if (result !== undefined) {
          const key = attributeKey(result, text("customer"));
          if (key !== undefined) {
            result[key];
            isDone = true;
          }
        }
      }
    }
    if (isDone) {
      const value = numbered(named(received, "events"), 0);
      if (value !== undefined) {
        const result = named(value, "event");
        if (result !== undefined) {
          const key = attributeKey(result, text("customer"));
          if (key !== undefined) outputs.push(placeJson(merged, awaitEvent__1_, result[key]));
        }
      }
    } else {
      outputs.push(merged);
    }
  }
  return outputs;
}

export const awaitEvent = (v1: Json, v2: Json): Json => awaitEvent_(null, v1, v2)[0];
