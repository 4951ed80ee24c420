// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, memberOf as named } from "./runtime.js";

function decide_(input, state: Json) {
  let found: Json | undefined;
  search: {
    {
      const value = named(state, "ready");
      if (value !== undefined) {
        found = value;
        break search;
      }
    }
    found = null;
  }
  return found === true || found === "true";
}

export const decide = (v1: Json): Json => decide_(null, v1);
