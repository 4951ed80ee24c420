// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, allElements as elements, length, memberOf as named, raise, typeOf, valueOf as valueAt } from "./runtime.js";

const shipValue__1_ = { name: "SM4C.NotAnArray", message: "The input of a foreach action has to give an array." };

function shipValue_(input, $data_1) {
  const r2 = [];
  let v3;
  l4: {
    {
      const v5 = named($data_1, "lines");
      if (v5 !== undefined) {
        v3 = v5;
        break l4;
      }
    }
    v3 = null;
    break l4;
  }
  for (const v6 of elements(v3)) {
    r2.push(v6);
  }
  const $items_7 = length(r2) === 1 ? valueAt(r2, 0) : r2;
  return typeOf($items_7) === "array" ? $items_7 : raise(shipValue__1_);
}

export const shipValue = (v1: Json): Json => shipValue_(null, v1);
