// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, memberOf as named, sliced } from "./runtime.js";

function restOutput_(input, data: Json) {
  const values: Json[] = [];
  const value = named(data, "prices");
  if (value !== undefined) {
    for (const item of sliced(value, 1, null, 1)) {
      values.push(item);
    }
  }
  return values;
}

export const restOutput = (v1: Json): Json => restOutput_(null, v1);
