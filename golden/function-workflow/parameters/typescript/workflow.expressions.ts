// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, memberOf as named, raise } from "./runtime.js";

const orderTell__1_ = { name: "SYS.FilterError", message: "`$.receipt` selects nothing." };

function orderTell_(input, $result_1) {
  let v2;
  l3: {
    {
      const v4 = named($result_1, "receipt");
      if (v4 !== undefined) {
        v2 = v4;
        break l3;
      }
    }
    v2 = raise(orderTell__1_);
    break l3;
  }
  let v5;
  l6: {
    {
      const v7 = named(v2, "number");
      if (v7 !== undefined) {
        v5 = v7;
        break l6;
      }
    }
    v5 = null;
    break l6;
  }
  return { receipt: v5 };
}

export const orderTell = (v1: Json): Json => orderTell_(null, v1);
