// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, allElements as elements, get as member, memberOf as named, raise, typeOf } from "./runtime.js";

function decide_(input, $state_1) {
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

export const decide = (v1: Json): Json => decide_(null, v1);
const shelvesValue__shelves = (x) => typeof x === "object" && x !== null && x.shelves !== undefined
  ? x.shelves
  : member(x, "shelves");
const shelvesValue__2_ = {
  name: "STEP_INVALID_ARGUMENT",
  message: "The input of foreach step shelves is not an array of objects.",
};
const shelvesValue__3_ = {
  name: "STEP_INVALID_ARGUMENT",
  message: "The input of foreach step shelves is not an array of objects.",
};

function shelvesValue_(input, $global_1) {
  const $items_2 = shelvesValue__shelves($global_1);
  if (typeOf($items_2) === "array") {
    const r3 = [];
    for (const v4 of elements($items_2)) {
      r3.push(typeOf(v4) === "object" ? v4 : raise(shelvesValue__3_));
    }
    return r3;
  } else {
    return raise(shelvesValue__2_);
  }
}

export const shelvesValue = (v1: Json): Json => shelvesValue_(null, v1);
