// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, draftOf, get as member, plus, readAt, writeAt } from "./runtime.js";

const pollMerge__done = (x) => typeof x === "object" && x !== null && x.done !== undefined ? x.done : member(x, "done");
const pollMerge__rounds = (x) => typeof x === "object" && x !== null && x.rounds !== undefined
  ? x.rounds
  : member(x, "rounds");

function pollMerge_(input, $data_1, $result_2) {
  const r3 = draftOf($data_1);
  const v5 = pollMerge__done($data_1);
  const v6 = ["done"];
  const v7 = readAt(r3, v6);
  writeAt(r3, v6, $result_2);
  const v8 = r3.root;
  const r9 = draftOf(v8);
  const v11 = pollMerge__rounds(v8);
  const v12 = ["rounds"];
  const v13 = readAt(r9, v12);
  writeAt(r9, v12, plus(v13, 1));
  return r9.root;
}

export const pollMerge = (v1: Json, v2: Json): Json => pollMerge_(null, v1, v2);
