// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, itemsOf as iteratedIf, firstOf as limited, memberOf as named, plus, typeOf } from "./runtime.js";

function watchEvent2_(input, data: Json, received: Json) {
  let steps = 0;
  try {
    let state: Json = data;
    const value = named(received, "events");
    if (value !== undefined) {
      for (const item of iteratedIf(value)) {
        const before = state;
        state = null;
        if (typeOf(before) === "object") {
          const result = named(item, "event");
          if (result !== undefined) state = plus(before, result);
        } else {
          const result = named(item, "event");
          if (result !== undefined) state = result;
        }
      }
    }
    return state;
  } catch (error) {
    throw limited(error);
  }
}

export const watchEvent2 = (v1: Json, v2: Json): Json => watchEvent2_(null, v1, v2);
export const watchEvent = watchEvent2;
