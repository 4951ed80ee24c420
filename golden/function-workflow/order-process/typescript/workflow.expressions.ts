// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, memberOf as named, elementOf as numbered, raise, sliced } from "./runtime.js";

const beginLeftLeft__1_ = { name: "SYS.FilterError", message: "`$[0].lines` selects nothing." };

function beginLeftLeft_(input, data: Json) {
  {
    const value = named(numbered(data, 0), "lines");
    if (value !== undefined) return value;
  }
  return raise(beginLeftLeft__1_);
}

export const beginLeftLeft = (v1: Json): Json => beginLeftLeft_(null, v1);

function beginParcelsNone_(input, data: Json) {
  const values: Json[] = [];
  const value = named(numbered(data, 0), "lines");
  if (value !== undefined) {
    for (const item of sliced(value, 0, 0, 1)) {
      values.push(item);
    }
  }
  return values;
}

export const beginParcelsNone = (v1: Json): Json => beginParcelsNone_(null, v1);

function shipLeftLeft_(input, data: Json) {
  const values: Json[] = [];
  const value = numbered(data, 1);
  if (value !== undefined) {
    for (const item of sliced(value, 1, null, 1)) {
      values.push(item);
    }
  }
  return values;
}

export const shipLeftLeft = (v1: Json): Json => shipLeftLeft_(null, v1);
