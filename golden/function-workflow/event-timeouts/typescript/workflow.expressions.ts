// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, itemsOf as iteratedIf, firstOf as limited, memberOf as named, plus, typeOf } from "./runtime.js";

function watchEvent2_(input, $data_1, $received_2) {
  let steps = 0;
  try {
    let s3 = $data_1;
    const v5 = named($received_2, "events");
    if (v5 !== undefined) {
      for (const v6 of iteratedIf(v5)) {
        const $each_7 = v6;
        const v8 = s3;
        s3 = null;
        if (typeOf(v8) === "object") {
          const v10 = named($each_7, "event");
          if (v10 !== undefined) s3 = plus(v8, v10);
        } else {
          const v9 = named($each_7, "event");
          if (v9 !== undefined) s3 = v9;
        }
      }
    }
    return s3;
  } catch (error) {
    throw limited(error);
  }
}

export const watchEvent2 = (v1: Json, v2: Json): Json => watchEvent2_(null, v1, v2);
