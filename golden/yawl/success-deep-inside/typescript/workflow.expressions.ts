// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, allElements as elements, get as member, memberOf as named, raise, typeOf } from "./runtime.js";

function decide_(input, state: Json) {
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

function shelvesValue_(input, global: Json) {
  const items = shelvesValue__shelves(global);
  if (typeOf(items) === "array") {
    const values: Json[] = [];
    for (const item of elements(items)) {
      values.push(typeOf(item) === "object" ? item : raise(shelvesValue__3_));
    }
    return values;
  }
  return raise(shelvesValue__2_);
}

export const shelvesValue = (v1: Json): Json => shelvesValue_(null, v1);
