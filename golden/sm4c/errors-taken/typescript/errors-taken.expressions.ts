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

function chargeError3_(input, $data_1, $error_2) {
  let v3;
  l4: {
    {
      const v5 = named($error_2, "message");
      if (v5 !== undefined) {
        v3 = v5;
        break l4;
      }
    }
    v3 = "";
    break l4;
  }
  let v6;
  l7: {
    {
      const v8 = named($error_2, "name");
      if (v8 !== undefined) {
        v6 = v8;
        break l7;
      }
    }
    v6 = "";
    break l7;
  }
  let v9;
  l10: {
    {
      const v11 = named(named($error_2, "data"), "Data");
      if (v11 !== undefined) {
        v9 = v11;
        break l10;
      }
    }
    v9 = null;
    break l10;
  }
  const v12 = { Message: v3, ClassName: v6, Data: v9 };
  const $value_2_13 = { Message: chargeError3__Message(v12), ClassName: chargeError3__ClassName(v12) };
  const r14 = draftOf($data_1);
  const v16 = chargeError3__whole($data_1);
  const v17 = ["whole"];
  const v18 = readAt(r14, v17);
  writeAt(r14, v17, $value_2_13);
  return r14.root;
}

export const chargeError3 = (v1: Json, v2: Json): Json => chargeError3_(null, v1, v2);
