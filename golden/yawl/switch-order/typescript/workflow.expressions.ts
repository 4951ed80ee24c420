// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, memberOf as named, testRegex, toText } from "./runtime.js";

const route__1_ = { source: "^[0-9]+(?=\\n?$)", flags: "u", groups: [], ligatures: false, negated: false, words: false };

function route_(input, $state_1) {
  let v2;
  l3: {
    {
      const v4 = named($state_1, "total");
      if (v4 !== undefined) {
        v2 = v4;
        break l3;
      }
    }
    v2 = null;
    break l3;
  }
  const v5 = toText(v2);
  const $condition_6 = toText(testRegex(v5, route__1_));
  return $condition_6 === true || $condition_6 === "true";
}

export const route = (v1: Json): Json => route_(null, v1);
