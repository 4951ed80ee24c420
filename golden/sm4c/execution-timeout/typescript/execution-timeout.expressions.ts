// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, draftOf, get as member, plus, readAt, writeAt } from "./runtime.js";

const pollMerge__done = (x) => typeof x === "object" && x !== null && x.done !== undefined ? x.done : member(x, "done");
const pollMerge__rounds = (x) => typeof x === "object" && x !== null && x.rounds !== undefined
  ? x.rounds
  : member(x, "rounds");

function pollMerge_(input, data: Json, result: Json) {
  const draft = draftOf(data);
  pollMerge__done(data);
  const value = ["done"];
  readAt(draft, value);
  writeAt(draft, value, result);
  const current = draft.root;
  const copy = draftOf(current);
  pollMerge__rounds(current);
  const other = ["rounds"];
  writeAt(copy, other, plus(readAt(copy, other), 1));
  return copy.root;
}

export const pollMerge = (v1: Json, v2: Json): Json => pollMerge_(null, v1, v2);
