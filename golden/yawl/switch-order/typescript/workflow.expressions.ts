// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, memberOf as named, testRegex, toText } from "./runtime.js";

const route__1_ = { source: "^[0-9]+(?=\\n?$)", flags: "u", groups: [], ligatures: false, negated: false, words: false };

function route_(input, state: Json) {
  let found: Json | undefined;
  search: {
    {
      const value = named(state, "total");
      if (value !== undefined) {
        found = value;
        break search;
      }
    }
    found = null;
  }
  const condition = toText(testRegex(toText(found), route__1_));
  return condition === true || condition === "true";
}

export const route = (v1: Json): Json => route_(null, v1);
