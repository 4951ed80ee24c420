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

function wholeEvent_(input, data: Json, received: Json) {
  const outputs: Json[] = [];
  let found: Json | undefined;
  search: {
    {
      const other = named(named(numbered(named(received, "groups"), 0), "event"), "id");
      if (other !== undefined) {
        found = other;
        break search;
      }
    }
    found = null;
  }
  let result: Json | undefined;
  search: {
    {
      const other = named(named(numbered(named(received, "groups"), 0), "event"), "source");
      if (other !== undefined) {
        result = other;
        break search;
      }
    }
    result = null;
  }
  let match: Json | undefined;
  search: {
    {
      const other = named(named(numbered(named(received, "groups"), 0), "event"), "type");
      if (other !== undefined) {
        match = other;
        break search;
      }
    }
    match = null;
  }
  let value: Json | undefined;
  search: {
    {
      const other = named(named(numbered(named(received, "groups"), 0), "event"), "time");
      if (other !== undefined) {
        value = other;
        break search;
      }
    }
    value = null;
  }
  let found2: Json | undefined;
  search: {
    {
      const other = named(named(numbered(named(received, "groups"), 0), "event"), "data");
      if (other !== undefined) {
        found2 = other;
        break search;
      }
    }
    found2 = null;
  }
  const current = named(numbered(named(received, "groups"), 0), "event");
  if (current !== undefined) {
    const other = {
      EventId: found,
      EventName: "paid",
      EventSource: result,
      EventType: match,
      Timestamp: value,
      Data: found2,
      ContextAttributes: deletePaths(current, wholeEvent__1_),
    };
    const value2 = named(numbered(named(received, "groups"), 0), "event");
    if (value2 !== undefined) {
      const value3 = plus(value2, other);
      const values: Json[] = [];
      const use = (found3: Json | undefined, path: readonly Json[] | undefined, at: Json, copied: boolean | undefined) => {
        checkPathResult(found3, at, copied);
        values.push(path);
      };
      {
        const value5 = wholeEvent__time(value3);
        use(value5, ["time"], value5, true);
      }
      {
        const value5 = wholeEvent__Timestamp(value3);
        use(value5, ["Timestamp"], value5, true);
      }
      const value22 = deletePaths(value3, values);
      const draft = draftOf(data);
      wholeEvent__whole(data);
      const value4 = ["whole"];
      readAt(draft, value4);
      writeAt(draft, value4, value22);
      outputs.push(draft.root);
    }
  }
  return outputs;
}

export const wholeEvent = (v1: Json, v2: Json): Json => wholeEvent_(null, v1, v2)[0];
