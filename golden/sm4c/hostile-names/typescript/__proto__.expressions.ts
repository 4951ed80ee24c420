// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, deletePaths, draftOf, get as member, readAt, writeAt } from "./runtime.js";

const constructorMerge__value = (x) => typeof x === "object" && x !== null && x.value !== undefined
  ? x.value
  : member(x, "value");
const constructorMerge__data = (x) => typeof x === "object" && x !== null && x.data !== undefined
  ? x.data
  : member(x, "data");
const constructorMerge__in = (x) => typeof x === "object" && x !== null && x.in !== undefined ? x.in : member(x, "in");

function constructorMerge_(input, data: Json, result: Json, result2: Json, results: Json) {
  const value = { ["__proto__"]: result, results: result2, changes: results };
  const values: Json[] = [];
  member(value, "__proto__");
  values.push(["__proto__"]);
  const value2 = deletePaths(value, values);
  const draft = draftOf(data);
  constructorMerge__value(data);
  const current = ["value"];
  readAt(draft, current);
  writeAt(draft, current, value2);
  const other = draft.root;
  const value3 = constructorMerge__data(data);
  const copy = draftOf(other);
  constructorMerge__in(other);
  const value4 = ["in"];
  readAt(copy, value4);
  writeAt(copy, value4, value3);
  return copy.root;
}

export const constructorMerge = (v1: Json, v2: Json, v3: Json, v4: Json): Json => constructorMerge_(
  null,
  v1,
  v2,
  v3,
  v4,
);
