// @ts-nocheck: compiled from expressions that no TypeScript reads well for.
import { type Json, allElements as elements, get as member, raise, typeOf } from "./runtime/index.ts";

const pickValue__lines = (x) => typeof x === "object" && x !== null && x.lines !== undefined
  ? x.lines
  : member(x, "lines");
const pickValue__2_ = {
  name: "STEP_INVALID_ARGUMENT",
  message: "The input of foreach step pick is not an array of objects.",
};
const pickValue__3_ = {
  name: "STEP_INVALID_ARGUMENT",
  message: "The input of foreach step pick is not an array of objects.",
};

function pickValue_(input, $state_1) {
  const $items_2 = pickValue__lines($state_1);
  if (typeOf($items_2) === "array") {
    const r3 = [];
    for (const v4 of elements($items_2)) {
      r3.push(typeOf(v4) === "object" ? v4 : raise(pickValue__3_));
    }
    return r3;
  } else {
    return raise(pickValue__2_);
  }
}

export const pickValue = (v1: Json): Json => pickValue_(null, v1);
