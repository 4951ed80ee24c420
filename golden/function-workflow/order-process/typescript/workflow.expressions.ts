// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, memberOf as named, elementOf as numbered, raise, sliced } from "./runtime.js";

const beginLeftLeft__1_ = { name: "SYS.FilterError", message: "`$[0].lines` selects nothing." };

function beginLeftLeft_(input, $data_1) {
  let v2;
  l3: {
    {
      const v4 = named(numbered($data_1, 0), "lines");
      if (v4 !== undefined) {
        v2 = v4;
        break l3;
      }
    }
    v2 = raise(beginLeftLeft__1_);
    break l3;
  }
  return v2;
}

export const beginLeftLeft = (v1: Json): Json => beginLeftLeft_(null, v1);

function beginParcelsNone_(input, $data_1) {
  const r2 = [];
  const v3 = named(numbered($data_1, 0), "lines");
  if (v3 !== undefined) {
    for (const v4 of sliced(v3, 0, 0, 1)) {
      r2.push(v4);
    }
  }
  return r2;
}

export const beginParcelsNone = (v1: Json): Json => beginParcelsNone_(null, v1);

function shipLeftLeft_(input, $data_1) {
  const r2 = [];
  const v3 = numbered($data_1, 1);
  if (v3 !== undefined) {
    for (const v4 of sliced(v3, 1, null, 1)) {
      r2.push(v4);
    }
  }
  return r2;
}

export const shipLeftLeft = (v1: Json): Json => shipLeftLeft_(null, v1);
