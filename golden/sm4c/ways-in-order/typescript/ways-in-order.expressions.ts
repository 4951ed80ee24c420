// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import {
  type Json,
  draftOf,
  itemsOf as iteratedIf,
  length,
  get as member,
  minus,
  memberOf as named,
  plus,
  readAt,
  valueOf as valueAt,
  writeAt,
} from "./runtime.js";

function count_(input, data: Json) {
  const values: Json[] = [];
  let found: Json | undefined;
  search: {
    {
      const value = named(data, "kind");
      if (value !== undefined) {
        found = value;
        break search;
      }
    }
    found = null;
  }
  for (const item of iteratedIf(found)) {
    values.push(item);
  }
  return (length(values) === 1 ? valueAt(values, 0) : values) === true;
}

export const count = (v1: Json): Json => count_(null, v1);
const countMerge__left = (x) => typeof x === "object" && x !== null && x.left !== undefined ? x.left : member(x, "left");
const countMerge__rounds = (x) => typeof x === "object" && x !== null && x.rounds !== undefined
  ? x.rounds
  : member(x, "rounds");

function countMerge_(input, data: Json) {
  const draft = draftOf(data);
  countMerge__left(data);
  const value = ["left"];
  writeAt(draft, value, minus(readAt(draft, value), 1));
  const result = draft.root;
  const copy = draftOf(result);
  countMerge__rounds(result);
  const current = ["rounds"];
  writeAt(copy, current, plus(readAt(copy, current), 1));
  return copy.root;
}

export const countMerge = (v1: Json): Json => countMerge_(null, v1);
