// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import {
  type Json,
  attributeKey,
  mergeOutput as mergeOutputJson,
  memberOf as named,
  elementOf as numbered,
  place as placeJson,
  text,
  typeOf,
} from "./runtime.js";

const awaitEvent__1_ = ["customer"];

function awaitEvent_(input, $data_1, $received_2) {
  const outputs = [];
  let v3;
  l4: {
    {
      const v5 = numbered(named($received_2, "events"), 0);
      if (v5 !== undefined) {
        const v6 = named(v5, "event");
        if (v6 !== undefined) {
          const v7 = named(v6, "data");
          if (v7 !== undefined) {
            v3 = v7;
            break l4;
          }
        }
      }
    }
    v3 = null;
    break l4;
  }
  const $merged_8 = v3 === null ? $data_1 : mergeOutputJson($data_1, typeOf(v3) === "object" ? v3 : { Moved: v3 });
  let b9 = false;
  l10: {
    const v11 = named($merged_8, "customer");
    if (v11 !== undefined) {
      b9 = true;
      break l10;
    }
  }
  if (b9) {
    outputs.push($merged_8);
  } else {
    let b12 = false;
    l13: {
      const v14 = numbered(named($received_2, "events"), 0);
      if (v14 !== undefined) {
        const v15 = named(v14, "event");
        if (v15 !== undefined) {
          const k16 = attributeKey(v15, text("customer"));
          if (k16 !== undefined) {
            v15[k16];
            b12 = true;
            break l13;
          }
        }
      }
    }
    if (b12) {
      const v17 = numbered(named($received_2, "events"), 0);
      if (v17 !== undefined) {
        const v18 = named(v17, "event");
        if (v18 !== undefined) {
          const k19 = attributeKey(v18, text("customer"));
          if (k19 !== undefined) outputs.push(placeJson($merged_8, awaitEvent__1_, v18[k19]));
        }
      }
    } else {
      outputs.push($merged_8);
    }
  }
  return outputs;
}

export const awaitEvent = (v1: Json, v2: Json): Json => awaitEvent_(null, v1, v2)[0];
