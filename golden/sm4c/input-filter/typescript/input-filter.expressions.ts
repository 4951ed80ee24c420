// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, draftOf, get as member, readAt, times, writeAt } from "./runtime.js";

const firstMerge__count = (x) => typeof x === "object" && x !== null && x.count !== undefined
  ? x.count
  : member(x, "count");
const firstMerge__price = (x) => typeof x === "object" && x !== null && x.price !== undefined
  ? x.price
  : member(x, "price");
const firstMerge__order = (x) => typeof x === "object" && x !== null && x.order !== undefined
  ? x.order
  : member(x, "order");
const firstMerge__total = (x) => typeof x === "object" && x !== null && x.total !== undefined
  ? x.total
  : member(x, "total");

function firstMerge_(input, data: Json, view: Json) {
  const value = firstMerge__count(view);
  const result = times(firstMerge__price(view), value);
  const draft = draftOf(data);
  firstMerge__total(firstMerge__order(data));
  const current = ["order", "total"];
  readAt(draft, current);
  writeAt(draft, current, result);
  return draft.root;
}

export const firstMerge = (v1: Json, v2: Json): Json => firstMerge_(null, v1, v2);
