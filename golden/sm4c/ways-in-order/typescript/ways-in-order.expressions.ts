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

function count_(input, $data_1) {
  const r2 = [];
  let v3;
  l4: {
    {
      const v5 = named($data_1, "kind");
      if (v5 !== undefined) {
        v3 = v5;
        break l4;
      }
    }
    v3 = null;
    break l4;
  }
  for (const v6 of iteratedIf(v3)) {
    r2.push(v6);
  }
  return (length(r2) === 1 ? valueAt(r2, 0) : r2) === true;
}

export const count = (v1: Json): Json => count_(null, v1);
const countMerge__left = (x) => typeof x === "object" && x !== null && x.left !== undefined ? x.left : member(x, "left");
const countMerge__rounds = (x) => typeof x === "object" && x !== null && x.rounds !== undefined
  ? x.rounds
  : member(x, "rounds");

function countMerge_(input, $data_1) {
  const r2 = draftOf($data_1);
  const v4 = countMerge__left($data_1);
  const v5 = ["left"];
  const v6 = readAt(r2, v5);
  writeAt(r2, v5, minus(v6, 1));
  const v7 = r2.root;
  const r8 = draftOf(v7);
  const v10 = countMerge__rounds(v7);
  const v11 = ["rounds"];
  const v12 = readAt(r8, v11);
  writeAt(r8, v11, plus(v12, 1));
  return r8.root;
}

export const countMerge = (v1: Json): Json => countMerge_(null, v1);
