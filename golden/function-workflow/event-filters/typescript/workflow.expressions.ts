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

const waitOutput2__1_ = { name: "SYS.FilterError", message: "`$.data.text` selects nothing." };

function waitOutput2_(input, $data_1, $received_2) {
  let v3;
  l4: {
    {
      const v5 = numbered(named($received_2, "events"), 0);
      if (v5 !== undefined) {
        const v6 = named(v5, "event");
        if (v6 !== undefined) {
          const v7 = named(named(v6, "data"), "text");
          if (v7 !== undefined) {
            v3 = v7;
            break l4;
          }
        }
      }
    }
    v3 = raise(waitOutput2__1_);
    break l4;
  }
  return { seen: typeOf($data_1) === "object" && typeOf(v3) === "object" ? plus($data_1, v3) : v3 };
}

export const waitOutput2 = (v1: Json, v2: Json): Json => waitOutput2_(null, v1, v2);
const waitOutput__1_ = { name: "SYS.FilterError", message: "`$.data` selects nothing." };

function waitOutput_(input, $data_1, $received_2) {
  let steps = 0;
  try {
    let s3 = $data_1;
    const v5 = named($received_2, "events");
    if (v5 !== undefined) {
      for (const v6 of iteratedIf(v5)) {
        const $each_7 = v6;
        const v8 = s3;
        s3 = null;
        const v9 = named($each_7, "name");
        if (v9 !== undefined) {
          let v10;
          if (v9 === "Paid") {
            let v12;
            l13: {
              {
                const v14 = named($each_7, "event");
                if (v14 !== undefined) {
                  const v15 = named(v14, "data");
                  if (v15 !== undefined) {
                    v12 = v15;
                    break l13;
                  }
                }
              }
              v12 = raise(waitOutput__1_);
              break l13;
            }
            v10 = v12;
          } else {
            const v11 = named($each_7, "event");
            if (v11 !== undefined) v10 = v11;
          }
          if (v10 !== undefined) s3 = typeOf(v8) === "object" && typeOf(v10) === "object" ? plus(v8, v10) : v10;
        }
      }
    }
    return { seen: s3 };
  } catch (error) {
    throw limited(error);
  }
}

export const waitOutput = (v1: Json, v2: Json): Json => waitOutput_(null, v1, v2);
