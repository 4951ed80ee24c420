// @ts-nocheck: JavaScript compiled from expressions has no types inside; what is exported has them.
import {
  type Json,
  checkPlace,
  deletePaths,
  draftOf,
  get as member,
  memberOf as named,
  elementOf as numbered,
  plus,
  readAt,
  writeAt,
} from "./runtime/index.ts";

const wholeEvent__1_ = [
  ["specversion"],
  ["id"],
  ["source"],
  ["type"],
  ["subject"],
  ["time"],
  ["datacontenttype"],
  ["dataschema"],
  ["data"],
];
const wholeEvent__time = (x) => typeof x === "object" && x !== null && x.time !== undefined ? x.time : member(x, "time");
const wholeEvent__Timestamp = (x) => typeof x === "object" && x !== null && x.Timestamp !== undefined
  ? x.Timestamp
  : member(x, "Timestamp");
const wholeEvent__whole = (x) => typeof x === "object" && x !== null && x.whole !== undefined
  ? x.whole
  : member(x, "whole");

function wholeEvent_(input, $data_1, $received_2) {
  const outputs = [];
  let v3;
  l4: {
    {
      const v5 = named(named(numbered(named($received_2, "groups"), 0), "event"), "id");
      if (v5 !== undefined) {
        v3 = v5;
        break l4;
      }
    }
    v3 = null;
    break l4;
  }
  const v6 = named(numbered(named($received_2, "groups"), 0), "name");
  if (v6 !== undefined) {
    let v7;
    l8: {
      {
        const v9 = named(named(numbered(named($received_2, "groups"), 0), "event"), "source");
        if (v9 !== undefined) {
          v7 = v9;
          break l8;
        }
      }
      v7 = null;
      break l8;
    }
    let v10;
    l11: {
      {
        const v12 = named(named(numbered(named($received_2, "groups"), 0), "event"), "type");
        if (v12 !== undefined) {
          v10 = v12;
          break l11;
        }
      }
      v10 = null;
      break l11;
    }
    let v13;
    l14: {
      {
        const v15 = named(named(numbered(named($received_2, "groups"), 0), "event"), "time");
        if (v15 !== undefined) {
          v13 = v15;
          break l14;
        }
      }
      v13 = null;
      break l14;
    }
    let v16;
    l17: {
      {
        const v18 = named(named(numbered(named($received_2, "groups"), 0), "event"), "data");
        if (v18 !== undefined) {
          v16 = v18;
          break l17;
        }
      }
      v16 = null;
      break l17;
    }
    const v19 = named(numbered(named($received_2, "groups"), 0), "event");
    if (v19 !== undefined) {
      const v20 = {
        EventId: v3,
        EventName: v6,
        EventSource: v7,
        EventType: v10,
        Timestamp: v13,
        Data: v16,
        ContextAttributes: deletePaths(v19, wholeEvent__1_),
      };
      const v21 = named(numbered(named($received_2, "groups"), 0), "event");
      if (v21 !== undefined) {
        const v22 = plus(v21, v20);
        const r23 = [];
        const f24 = (v25, p26, w27) => {
          checkPlace(v25, w27, true);
          r23.push(p26);
        };
        {
          const v28 = wholeEvent__time(v22);
          f24(v28, ["time"], v28);
        }
        {
          const v29 = wholeEvent__Timestamp(v22);
          f24(v29, ["Timestamp"], v29);
        }
        const $value_2_30 = deletePaths(v22, r23);
        const r31 = draftOf($data_1);
        const v33 = wholeEvent__whole($data_1);
        const v34 = ["whole"];
        const v35 = readAt(r31, v34);
        writeAt(r31, v34, $value_2_30);
        outputs.push(r31.root);
      }
    }
  }
  return outputs;
}

export const wholeEvent = (v1: Json, v2: Json): Json => wholeEvent_(null, v1, v2)[0];
