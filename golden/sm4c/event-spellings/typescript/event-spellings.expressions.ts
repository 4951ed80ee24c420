// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import {
  type Json,
  checkPathResult,
  deletePaths,
  draftOf,
  get as member,
  memberOf as named,
  elementOf as numbered,
  plus,
  readAt,
  writeAt,
} from "./runtime.js";

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
  let v6;
  l7: {
    {
      const v8 = named(named(numbered(named($received_2, "groups"), 0), "event"), "source");
      if (v8 !== undefined) {
        v6 = v8;
        break l7;
      }
    }
    v6 = null;
    break l7;
  }
  let v9;
  l10: {
    {
      const v11 = named(named(numbered(named($received_2, "groups"), 0), "event"), "type");
      if (v11 !== undefined) {
        v9 = v11;
        break l10;
      }
    }
    v9 = null;
    break l10;
  }
  let v12;
  l13: {
    {
      const v14 = named(named(numbered(named($received_2, "groups"), 0), "event"), "time");
      if (v14 !== undefined) {
        v12 = v14;
        break l13;
      }
    }
    v12 = null;
    break l13;
  }
  let v15;
  l16: {
    {
      const v17 = named(named(numbered(named($received_2, "groups"), 0), "event"), "data");
      if (v17 !== undefined) {
        v15 = v17;
        break l16;
      }
    }
    v15 = null;
    break l16;
  }
  const v18 = named(numbered(named($received_2, "groups"), 0), "event");
  if (v18 !== undefined) {
    const v19 = {
      EventId: v3,
      EventName: "paid",
      EventSource: v6,
      EventType: v9,
      Timestamp: v12,
      Data: v15,
      ContextAttributes: deletePaths(v18, wholeEvent__1_),
    };
    const v20 = named(numbered(named($received_2, "groups"), 0), "event");
    if (v20 !== undefined) {
      const v21 = plus(v20, v19);
      const r22 = [];
      const f23 = (v24, p25, w26, c27) => {
        checkPathResult(v24, w26, c27);
        r22.push(p25);
      };
      {
        const v28 = wholeEvent__time(v21);
        f23(v28, ["time"], v28, true);
      }
      {
        const v29 = wholeEvent__Timestamp(v21);
        f23(v29, ["Timestamp"], v29, true);
      }
      const $value_2_30 = deletePaths(v21, r22);
      const r31 = draftOf($data_1);
      const v33 = wholeEvent__whole($data_1);
      const v34 = ["whole"];
      const v35 = readAt(r31, v34);
      writeAt(r31, v34, $value_2_30);
      outputs.push(r31.root);
    }
  }
  return outputs;
}

export const wholeEvent = (v1: Json, v2: Json): Json => wholeEvent_(null, v1, v2)[0];
