// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, memberOf as named, raise } from "./runtime.js";

const orderTell__1_ = { name: "SYS.FilterError", message: "`$.receipt` selects nothing." };

function orderTell_(input, result: Json) {
  let found: Json | undefined;
  search: {
    {
      const value = named(result, "receipt");
      if (value !== undefined) {
        found = value;
        break search;
      }
    }
    found = raise(orderTell__1_);
  }
  let match: Json | undefined;
  search: {
    {
      const value = named(found, "number");
      if (value !== undefined) {
        match = value;
        break search;
      }
    }
    match = null;
  }
  return { receipt: match };
}

export const orderTell = (v1: Json): Json => orderTell_(null, v1);
