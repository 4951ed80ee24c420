// __proto__ 1.0, from sm4c. Change the definition, not this file.
import { type Json, type JsonObject, absent, deletePaths, get, withMember } from "./runtime.js";

const getData = (value: Json): Json => (value as JsonObject | null)?.data ?? absent(value, "data");

export function constructorMerge(data: Json, result: Json, result2: Json, results: Json): Json {
  const value = { ["__proto__"]: result, results: result2, changes: results };
  const values: Json[] = [];
  get(value, "__proto__");
  values.push(["__proto__"]);
  const current = withMember(data, "value", deletePaths(value, values));
  return withMember(current, "in", getData(data));
}
