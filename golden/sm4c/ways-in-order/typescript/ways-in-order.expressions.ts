// ways-in-order 1.0, from sm4c. Change the definition, not this file.
import {
  type Json,
  get,
  itemsOf,
  length,
  memberOf,
  minus,
  plus,
  valueOf,
  withMember,
} from "./runtime.js";

export function count(data: Json): Json {
  const results = itemsOf(memberOf(data, "kind") ?? null);
  return (length(results) === 1 ? valueOf(results, 0) : results) === true;
}

export function countMerge(data: Json): Json {
  const update = withMember(data, "left", minus(get(data, "left"), 1));
  return withMember(update, "rounds", plus(get(update, "rounds"), 1));
}
