// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, draftOf, get as member, memberOf as named, readAt, writeAt } from "./runtime.js";

const chargeError3__Message = (x) => typeof x === "object" && x !== null && x.Message !== undefined
  ? x.Message
  : member(x, "Message");
const chargeError3__ClassName = (x) => typeof x === "object" && x !== null && x.ClassName !== undefined
  ? x.ClassName
  : member(x, "ClassName");
const chargeError3__whole = (x) => typeof x === "object" && x !== null && x.whole !== undefined
  ? x.whole
  : member(x, "whole");

function chargeError3_(input, data: Json, error: Json) {
  let found: Json | undefined;
  search: {
    {
      const other = named(error, "message");
      if (other !== undefined) {
        found = other;
        break search;
      }
    }
    found = "";
  }
  let result: Json | undefined;
  search: {
    {
      const other = named(error, "name");
      if (other !== undefined) {
        result = other;
        break search;
      }
    }
    result = "";
  }
  let match: Json | undefined;
  search: {
    {
      const other = named(named(error, "data"), "Data");
      if (other !== undefined) {
        match = other;
        break search;
      }
    }
    match = null;
  }
  const value = { Message: found, ClassName: result, Data: match };
  const value2 = { Message: chargeError3__Message(value), ClassName: chargeError3__ClassName(value) };
  const draft = draftOf(data);
  chargeError3__whole(data);
  const current = ["whole"];
  readAt(draft, current);
  writeAt(draft, current, value2);
  return draft.root;
}

export const chargeError3 = (v1: Json, v2: Json): Json => chargeError3_(null, v1, v2);
