// @ts-nocheck: compiled from expressions that no TypeScript reads well for.
import { type Json, allElements as elements, get as member, raise, typeOf } from "./runtime/index.ts";

const checkValue__lines = (x) => typeof x === "object" && x !== null && x.lines !== undefined
  ? x.lines
  : member(x, "lines");
const checkValue__2_ = {
  name: "STEP_INVALID_ARGUMENT",
  message: "The input of foreach step check is not an array of objects.",
};
const checkValue__3_ = {
  name: "STEP_INVALID_ARGUMENT",
  message: "The input of foreach step check is not an array of objects.",
};

function checkValue_(input, $state_1) {
  const $items_2 = checkValue__lines($state_1);
  if (typeOf($items_2) === "array") {
    const r3 = [];
    for (const v4 of elements($items_2)) {
      r3.push(typeOf(v4) === "object" ? v4 : raise(checkValue__3_));
    }
    return r3;
  } else {
    return raise(checkValue__2_);
  }
}

export const checkValue = (v1: Json): Json => checkValue_(null, v1);
