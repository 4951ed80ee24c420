// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, deletePaths, draftOf, get as member, readAt, writeAt } from "./runtime.js";

const constructorMerge__value = (x) => typeof x === "object" && x !== null && x.value !== undefined
  ? x.value
  : member(x, "value");
const constructorMerge__data = (x) => typeof x === "object" && x !== null && x.data !== undefined
  ? x.data
  : member(x, "data");
const constructorMerge__in = (x) => typeof x === "object" && x !== null && x.in !== undefined ? x.in : member(x, "in");

function constructorMerge_(input, $data_1, $result_2, $result2_3, $results_4) {
  const v5 = { ["__proto__"]: $result_2, results: $result2_3, changes: $results_4 };
  const r6 = [];
  const v7 = member(v5, "__proto__");
  r6.push(["__proto__"]);
  const $value_2_8 = deletePaths(v5, r6);
  const r9 = draftOf($data_1);
  const v11 = constructorMerge__value($data_1);
  const v12 = ["value"];
  const v13 = readAt(r9, v12);
  writeAt(r9, v12, $value_2_8);
  const v14 = r9.root;
  const $value_3_15 = constructorMerge__data($data_1);
  const r16 = draftOf(v14);
  const v18 = constructorMerge__in(v14);
  const v19 = ["in"];
  const v20 = readAt(r16, v19);
  writeAt(r16, v19, $value_3_15);
  return r16.root;
}

export const constructorMerge = (v1: Json, v2: Json, v3: Json, v4: Json): Json => constructorMerge_(
  null,
  v1,
  v2,
  v3,
  v4,
);
