// @ts-nocheck: compiled from expressions that no TypeScript reads well for.
import { type Json, get as member, testRegex, toText } from "./runtime/index.ts";

const route__total = (x) => typeof x === "object" && x !== null && x.total !== undefined ? x.total : member(x, "total");
const route__2_ = { source: "^[0-9]+(?=\\n?$)", flags: "u", groups: [], ligatures: false, negated: false, words: false };

function route_(input, $state_1) {
  const v2 = toText(route__total($state_1));
  const $condition_3 = toText(testRegex(v2, route__2_));
  return $condition_3 === true || $condition_3 === "true";
}

export const route = (v1: Json): Json => route_(null, v1);
