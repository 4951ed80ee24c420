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

const waitOutput2__1_ = { name: "SYS.FilterError", message: "`$.data.text` selects nothing." };

function waitOutput2_(input, data: Json, received: Json) {
  let found: Json | undefined;
  search: {
    {
      const value = numbered(named(received, "events"), 0);
      if (value !== undefined) {
        const result = named(value, "event");
        if (result !== undefined) {
          const current = named(named(result, "data"), "text");
          if (current !== undefined) {
            found = current;
            break search;
          }
        }
      }
    }
    found = raise(waitOutput2__1_);
  }
  return { seen: typeOf(data) === "object" && typeOf(found) === "object" ? plus(data, found) : found };
}

export const waitOutput2 = (v1: Json, v2: Json): Json => waitOutput2_(null, v1, v2);
const waitOutput__1_ = { name: "SYS.FilterError", message: "`$.data` selects nothing." };

function waitOutput_(input, data: Json, received: Json) {
  let steps = 0;
  try {
    let state: Json = data;
    const value = named(received, "events");
    if (value !== undefined) {
      for (const item of iteratedIf(value)) {
        const before = state;
        state = null;
        const result = named(item, "name");
        if (result !== undefined) {
          let found: Json | undefined;
          if (result === "Paid") {
            let match: Json | undefined;
            search: {
              {
                const current = named(item, "event");
                if (current !== undefined) {
                  const other = named(current, "data");
                  if (other !== undefined) {
                    match = other;
                    break search;
                  }
                }
              }
              match = raise(waitOutput__1_);
            }
            found = match;
          } else {
            const current = named(item, "event");
            if (current !== undefined) found = current;
          }
          if (found !== undefined) {
            state = typeOf(before) === "object" && typeOf(found) === "object" ? plus(before, found) : found;
          }
        }
      }
    }
    return { seen: state };
  } catch (error) {
    throw limited(error);
  }
}

export const waitOutput = (v1: Json, v2: Json): Json => waitOutput_(null, v1, v2);
