// @ts-nocheck: compiled from expressions that no TypeScript reads well for.
import {
  type Json,
  attributeKey,
  isFalse,
  itemsOf as iteratedIf,
  mergeResult as mergeResultJson,
  memberOf as named,
  place as placeJson,
  text,
} from "./runtime/index.ts";

const finaliseEvents__1_ = ["applicantId"];

function finaliseEvents_(input, $data_1, $received_2) {
  let s3 = $data_1;
  const v5 = named($received_2, "events");
  if (v5 !== undefined) {
    for (const v6 of iteratedIf(v5)) {
      const $each_7 = v6;
      const v8 = s3;
      s3 = null;
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
        v9 = null;
        break l10;
      }
      const v13 = named($each_7, "name");
      if (v13 !== undefined) {
        const $merged_14 = mergeResultJson(v8, v9, v13);
        let b15 = false;
        l16: {
          const v17 = named($merged_14, "applicantId");
          if (v17 !== undefined) {
            b15 = true;
            break l16;
          }
        }
        let v18;
        if (b15) {
          v18 = true;
        } else {
          let b19 = false;
          l20: {
            const v21 = named($each_7, "event");
            if (v21 !== undefined) {
              const k22 = attributeKey(v21, text("applicantId"));
              if (k22 !== undefined) {
                v21[k22];
                b19 = true;
                break l20;
              }
            }
          }
          v18 = isFalse(b19);
        }
        if (v18) {
          s3 = $merged_14;
        } else {
          const v23 = named($each_7, "event");
          if (v23 !== undefined) {
            const k24 = attributeKey(v23, text("applicantId"));
            if (k24 !== undefined) s3 = placeJson($merged_14, finaliseEvents__1_, v23[k24]);
          }
        }
      }
    }
  }
  return s3;
}

export const finaliseEvents = (v1: Json, v2: Json): Json => finaliseEvents_(null, v1, v2);
