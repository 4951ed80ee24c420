// ways-in-order 1.0, from sm4c. Change the definition, not this file.
import {
  type Json,
  type JsonObject,
  absent,
  itemsOf,
  length,
  memberOf,
  minus,
  plus,
  valueOf,
  withMember,
} from "./runtime.js";

const getLeft = (value: Json): Json => (value as JsonObject | null)?.left ?? absent(value, "left");
const getRounds = (value: Json): Json =>
  (value as JsonObject | null)?.rounds ?? absent(value, "rounds");

export function count(data: Json): Json {
  const results = itemsOf(memberOf(data, "kind") ?? null);
  return (length(results) === 1 ? valueOf(results, 0) : results) === true;
}

export function countMerge(data: Json): Json {
  const update = withMember(data, "left", minus(getLeft(data), 1));
  return withMember(update, "rounds", plus(getRounds(update), 1));
}
