// @ts-nocheck: compiled from expressions that no TypeScript reads well for.
import { type Json, allElements as elements, get as member, raise, typeOf } from "./runtime/index.ts";

const linesValue__lines = (x) => typeof x === "object" && x !== null && x.lines !== undefined
  ? x.lines
  : member(x, "lines");
const linesValue__2_ = {
  name: "STEP_INVALID_ARGUMENT",
  message: "The input of foreach step lines is not an array of objects.",
};
const linesValue__3_ = {
  name: "STEP_INVALID_ARGUMENT",
  message: "The input of foreach step lines is not an array of objects.",
};

function linesValue_(input, $state_1) {
  const $items_2 = linesValue__lines($state_1);
  if (typeOf($items_2) === "array") {
    const r3 = [];
    for (const v4 of elements($items_2)) {
      r3.push(typeOf(v4) === "object" ? v4 : raise(linesValue__3_));
    }
    return r3;
  } else {
    return raise(linesValue__2_);
  }
}

export const linesValue = (v1: Json): Json => linesValue_(null, v1);
