// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, memberOf as named } from "./runtime.js";

function found_(input, state: Json) {
  let found: Json | undefined;
  search: {
    {
      const value = named(state, "found");
      if (value !== undefined) {
        found = value;
        break search;
      }
    }
    found = null;
  }
  return found === true || found === "true";
}

export const found = (v1: Json): Json => found_(null, v1);
