// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, allElements as elements, length, memberOf as named, raise, typeOf, valueOf as valueAt } from "./runtime.js";

const shipValue__1_ = { name: "SM4C.NotAnArray", message: "The input of a foreach action has to give an array." };

function shipValue_(input, data: Json) {
  const values: Json[] = [];
  let found: Json | undefined;
  search: {
    {
      const value = named(data, "lines");
      if (value !== undefined) {
        found = value;
        break search;
      }
    }
    found = null;
  }
  for (const item of elements(found)) {
    values.push(item);
  }
  const items = length(values) === 1 ? valueAt(values, 0) : values;
  return typeOf(items) === "array" ? items : raise(shipValue__1_);
}

export const shipValue = (v1: Json): Json => shipValue_(null, v1);
