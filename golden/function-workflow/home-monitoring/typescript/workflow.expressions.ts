// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import {
  type Json,
  itemsOf as iteratedIf,
  firstOf as limited,
  memberOf as named,
  elementOf as numbered,
  plus,
  raise,
  typeOf,
} from "./runtime.js";

const watchOutput__1_ = { name: "SYS.FilterError", message: "`$.data` selects nothing." };

function watchOutput_(input, $data_1, $received_2) {
  let steps = 0;
  try {
    let s3 = $data_1;
    const v5 = named($received_2, "events");
    if (v5 !== undefined) {
      for (const v6 of iteratedIf(v5)) {
        const $each_7 = v6;
        const v8 = s3;
        let v9;
        l10: {
          {
            const v11 = named($each_7, "event");
            if (v11 !== undefined) {
              const v12 = named(v11, "data");
              if (v12 !== undefined) {
                v9 = v12;
                break l10;
              }
            }
          }
          v9 = raise(watchOutput__1_);
          break l10;
        }
        s3 = typeOf(v8) === "object" && typeOf(v9) === "object" ? plus(v8, v9) : v9;
      }
    }
    return s3;
  } catch (error) {
    throw limited(error);
  }
}

export const watchOutput = (v1: Json, v2: Json): Json => watchOutput_(null, v1, v2);
const waitOutput__1_ = { name: "SYS.FilterError", message: "`$[0]` selects nothing." };

function waitOutput_(input, $results_1) {
  let v2;
  l3: {
    {
      const r4 = [];
      let v5;
      l6: {
        {
          const v7 = named($results_1, "response");
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
    v2 = raise(waitOutput__1_);
    break l3;
  }
  return v2;
}

export const waitOutput = (v1: Json): Json => waitOutput_(null, v1);
