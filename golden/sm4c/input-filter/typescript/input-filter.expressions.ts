// input-filter 1.0, from sm4c. Change the definition, not this file.
import { type Json, type JsonObject, absent, setPath, times, toFinite } from "./runtime.js";

const getCount = (value: Json): Json =>
  (value as JsonObject | null)?.count ?? absent(value, "count");
const getPrice = (value: Json): Json =>
  (value as JsonObject | null)?.price ?? absent(value, "price");

export function firstMerge(data: Json, view: Json): Json {
  const count = getCount(view);
  return setPath(data, ["order", "total"], toFinite(times(getPrice(view), count)));
}
