// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, get as member, memberOf as named, toText, typeOf } from "./runtime.js";

const loadValue__id = (x) => typeof x === "object" && x !== null && x.id !== undefined ? x.id : member(x, "id");

function loadValue_(input, state: Json) {
  let found: Json | undefined;
  search: {
    {
      const value = named(state, "input");
      if (value !== undefined) {
        found = value;
        break search;
      }
    }
    found = null;
  }
  return { url: "https://shop.example/orders/" + toText(typeOf(found) === "object" ? loadValue__id(found) : found) };
}

export const loadValue = (v1: Json): Json => loadValue_(null, v1);
