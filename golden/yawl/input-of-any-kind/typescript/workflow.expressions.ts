// @ts-nocheck: compiled from expressions that no TypeScript reads well for.
import { type Json, get as member, toText, typeOf } from "./runtime/index.ts";

const loadValue__input = (x) => typeof x === "object" && x !== null && x.input !== undefined
  ? x.input
  : member(x, "input");
const loadValue__id = (x) => typeof x === "object" && x !== null && x.id !== undefined ? x.id : member(x, "id");

function loadValue_(input, $state_1) {
  const v2 = loadValue__input($state_1);
  return { url: "https://shop.example/orders/" + toText(typeOf(v2) === "object" ? loadValue__id(v2) : v2) };
}

export const loadValue = (v1: Json): Json => loadValue_(null, v1);
