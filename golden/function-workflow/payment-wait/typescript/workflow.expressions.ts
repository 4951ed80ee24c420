// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, memberOf as named, elementOf as numbered, raise } from "./runtime.js";

const requestOutput__1_ = { name: "SYS.FilterError", message: "`$[0]` selects nothing." };

function requestOutput_(input, results: Json) {
  {
    const values: Json[] = [];
    {
      let found: Json | undefined;
      search: {
        {
          const result = named(results, "order");
          if (result !== undefined) {
            found = result;
            break search;
          }
        }
        found = null;
      }
      values.push(found);
    }
    {
      let found: Json | undefined;
      search: {
        {
          const result = named(results, "request");
          if (result !== undefined) {
            found = result;
            break search;
          }
        }
        found = null;
      }
      values.push(found);
    }
    const value = numbered(values, 0);
    if (value !== undefined) return value;
  }
  return raise(requestOutput__1_);
}

export const requestOutput = (v1: Json): Json => requestOutput_(null, v1);
const payOutput__1_ = { name: "SYS.FilterError", message: "`$[0]` selects nothing." };

function payOutput_(input, results: Json) {
  {
    const values: Json[] = [];
    let found: Json | undefined;
    search: {
      {
        const result = named(results, "payment");
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
  return raise(payOutput__1_);
}

export const payOutput = (v1: Json): Json => payOutput_(null, v1);
