// @ts-nocheck: JavaScript compiled from expressions has no types inside; what is exported has them.
import { type Json, memberOf as named, elementOf as numbered, raise, sliced } from "./runtime/index.ts";

const reserve__1_ = { name: "SYS.FilterError", message: "`$[0]` selects nothing." };

function reserve_(input, $data_1) {
  let v2;
  l3: {
    {
      const v4 = numbered($data_1, 0);
      if (v4 !== undefined) {
        v2 = v4;
        break l3;
      }
    }
    v2 = raise(reserve__1_);
    break l3;
  }
  return v2;
}

export const reserve = (v1: Json): Json => reserve_(null, v1);
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
export const shipFixedFixed = reserve;

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
const shipParcelsParcelsBeforeBefore__1_ = { name: "SYS.FilterError", message: "`$[2]` selects nothing." };

function shipParcelsParcelsBeforeBefore_(input, $data_1) {
  let v2;
  l3: {
    {
      const v4 = numbered($data_1, 2);
      if (v4 !== undefined) {
        v2 = v4;
        break l3;
      }
    }
    v2 = raise(shipParcelsParcelsBeforeBefore__1_);
    break l3;
  }
  return v2;
}

export const shipParcelsParcelsBeforeBefore = (v1: Json): Json => shipParcelsParcelsBeforeBefore_(null, v1);
export const reject = reserve;
