// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, memberOf as named, sliced } from "./runtime.js";

function restOutput_(input, $data_1) {
  const r2 = [];
  const v3 = named($data_1, "prices");
  if (v3 !== undefined) {
    for (const v4 of sliced(v3, 1, null, 1)) {
      r2.push(v4);
    }
  }
  return r2;
}

export const restOutput = (v1: Json): Json => restOutput_(null, v1);
