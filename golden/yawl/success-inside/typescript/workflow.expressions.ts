// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, memberOf as named } from "./runtime.js";

function found_(input, $state_1) {
  let v2;
  l3: {
    {
      const v4 = named($state_1, "found");
      if (v4 !== undefined) {
        v2 = v4;
        break l3;
      }
    }
    v2 = null;
    break l3;
  }
  return v2 === true || v2 === "true";
}

export const found = (v1: Json): Json => found_(null, v1);
