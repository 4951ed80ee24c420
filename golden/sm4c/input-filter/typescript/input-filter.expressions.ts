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

function firstMerge_(input, $data_1, $view_2) {
  const v3 = firstMerge__count($view_2);
  const $value_4 = times(firstMerge__price($view_2), v3);
  const r5 = draftOf($data_1);
  const v7 = firstMerge__order($data_1);
  const v8 = firstMerge__total(v7);
  const v9 = ["order", "total"];
  const v10 = readAt(r5, v9);
  writeAt(r5, v9, $value_4);
  return r5.root;
}

export const firstMerge = (v1: Json, v2: Json): Json => firstMerge_(null, v1, v2);
