// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import {
  type Json,
  itemsOf as iteratedIf,
  firstOf as limited,
  memberOf as named,
  elementOf as numbered,
  plus,
  raise,
  typeOf,
} from "./runtime.js";

const watchOutput__1_ = { name: "SYS.FilterError", message: "`$.data` selects nothing." };

function watchOutput_(input, data: Json, received: Json) {
  let steps = 0;
  try {
    let state: Json = data;
    const value = named(received, "events");
    if (value !== undefined) {
      for (const item of iteratedIf(value)) {
        const before = state;
        let found: Json | undefined;
        search: {
          {
            const result = named(item, "event");
            if (result !== undefined) {
              const current = named(result, "data");
              if (current !== undefined) {
                found = current;
                break search;
              }
            }
          }
          found = raise(watchOutput__1_);
        }
        state = typeOf(before) === "object" && typeOf(found) === "object" ? plus(before, found) : found;
      }
    }
    return state;
  } catch (error) {
    throw limited(error);
  }
}

export const watchOutput = (v1: Json, v2: Json): Json => watchOutput_(null, v1, v2);
const waitOutput__1_ = { name: "SYS.FilterError", message: "`$[0]` selects nothing." };

function waitOutput_(input, results: Json) {
  {
    const values: Json[] = [];
    let found: Json | undefined;
    search: {
      {
        const result = named(results, "response");
        if (result !== undefined) {
          found = result;
          break search;
        }
      }
      found = null;
    }
    values.push(found);
    const value = numbered(values, 0);
    if (value !== undefined) return value;
  }
  return raise(waitOutput__1_);
}

export const waitOutput = (v1: Json): Json => waitOutput_(null, v1);
