// @ts-nocheck: JavaScript compiled from expressions has no types inside; what is exported has them.
import { type Json, memberOf as named, elementOf as numbered, raise } from "./runtime/index.ts";

const requestOutput__1_ = { name: "SYS.FilterError", message: "\u0060$[0]\u0060 selects nothing." };

function requestOutput_(input, $results_1) {
  let v2;
  l3: {
    {
      const r4 = [];
      {
        const v5 = named($results_1, "order");
        if (v5 !== undefined) r4.push(v5);
      }
      {
        const v6 = named($results_1, "request");
        if (v6 !== undefined) r4.push(v6);
      }
      const v7 = numbered(r4, 0);
      if (v7 !== undefined) {
        v2 = v7;
        break l3;
      }
    }
    v2 = raise(requestOutput__1_);
    break l3;
  }
  return v2;
}

export const requestOutput = (v1: Json): Json => requestOutput_(null, v1);
const payOutput__1_ = { name: "SYS.FilterError", message: "\u0060$[0]\u0060 selects nothing." };

function payOutput_(input, $results_1) {
  let v2;
  l3: {
    {
      const r4 = [];
      const v5 = named($results_1, "payment");
      if (v5 !== undefined) r4.push(v5);
      const v6 = numbered(r4, 0);
      if (v6 !== undefined) {
        v2 = v6;
        break l3;
      }
    }
    v2 = raise(payOutput__1_);
    break l3;
  }
  return v2;
}

export const payOutput = (v1: Json): Json => payOutput_(null, v1);
