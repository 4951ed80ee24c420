// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, get as member, memberOf as named, toText, typeOf } from "./runtime.js";

const loadValue__id = (x) => typeof x === "object" && x !== null && x.id !== undefined ? x.id : member(x, "id");

function loadValue_(input, $state_1) {
  let v2;
  l3: {
    {
      const v4 = named($state_1, "input");
      if (v4 !== undefined) {
        v2 = v4;
        break l3;
      }
    }
    v2 = null;
    break l3;
  }
  return { url: "https://shop.example/orders/" + toText(typeOf(v2) === "object" ? loadValue__id(v2) : v2) };
}

export const loadValue = (v1: Json): Json => loadValue_(null, v1);
