// @ts-nocheck: compiled from expressions that no TypeScript reads well for.
import { type Json, allElements as elements, length, get as member, raise, times, typeOf } from "./runtime/index.ts";

const multiply__item = (x) => typeof x === "object" && x !== null && x.item !== undefined ? x.item : member(x, "item");
const multiply__rate = (x) => typeof x === "object" && x !== null && x.rate !== undefined ? x.rate : member(x, "rate");
const multiply__net = (x) => typeof x === "object" && x !== null && x.net !== undefined ? x.net : member(x, "net");
const multiply__lines = (x) => typeof x === "object" && x !== null && x.lines !== undefined
  ? x.lines
  : member(x, "lines");

function multiply_(input, $global_1, $state_2) {
  const v3 = multiply__item($state_2);
  const v4 = multiply__rate($global_1);
  return { item: v3, price: times(multiply__net($state_2), v4), of: length(multiply__lines($global_1)) };
}

export const multiply = (v1: Json, v2: Json): Json => multiply_(null, v1, v2);
const priceIterateValue__lines = (x) => typeof x === "object" && x !== null && x.lines !== undefined
  ? x.lines
  : member(x, "lines");
const priceIterateValue__2_ = {
  name: "STEP_INVALID_ARGUMENT",
  message: "The input of foreach step price is not an array of objects.",
};
const priceIterateValue__3_ = {
  name: "STEP_INVALID_ARGUMENT",
  message: "The input of foreach step price is not an array of objects.",
};

function priceIterateValue_(input, $state_1) {
  const $items_2 = priceIterateValue__lines($state_1);
  if (typeOf($items_2) === "array") {
    const r3 = [];
    for (const v4 of elements($items_2)) {
      r3.push(typeOf(v4) === "object" ? v4 : raise(priceIterateValue__3_));
    }
    return r3;
  } else {
    return raise(priceIterateValue__2_);
  }
}

export const priceIterateValue = (v1: Json): Json => priceIterateValue_(null, v1);
