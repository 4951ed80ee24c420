// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, memberOf as named, elementOf as numbered, raise } from "./runtime.js";

const requestOutput__1_ = { name: "SYS.FilterError", message: "`$[0]` selects nothing." };

function requestOutput_(input, $results_1) {
  let v2;
  l3: {
    {
      const r4 = [];
      {
        let v5;
        l6: {
          {
            const v7 = named($results_1, "order");
            if (v7 !== undefined) {
              v5 = v7;
              break l6;
            }
          }
          v5 = null;
          break l6;
        }
        r4.push(v5);
      }
      {
        let v8;
        l9: {
          {
            const v10 = named($results_1, "request");
            if (v10 !== undefined) {
              v8 = v10;
              break l9;
            }
          }
          v8 = null;
          break l9;
        }
        r4.push(v8);
      }
      const v11 = numbered(r4, 0);
      if (v11 !== undefined) {
        v2 = v11;
        break l3;
      }
    }
    v2 = raise(requestOutput__1_);
    break l3;
  }
  return v2;
}

export const requestOutput = (v1: Json): Json => requestOutput_(null, v1);
const payOutput__1_ = { name: "SYS.FilterError", message: "`$[0]` selects nothing." };

function payOutput_(input, $results_1) {
  let v2;
  l3: {
    {
      const r4 = [];
      let v5;
      l6: {
        {
          const v7 = named($results_1, "payment");
          if (v7 !== undefined) {
            v5 = v7;
            break l6;
          }
        }
        v5 = null;
        break l6;
      }
      r4.push(v5);
      const v8 = numbered(r4, 0);
      if (v8 !== undefined) {
        v2 = v8;
        break l3;
      }
    }
    v2 = raise(payOutput__1_);
    break l3;
  }
  return v2;
}

export const payOutput = (v1: Json): Json => payOutput_(null, v1);
