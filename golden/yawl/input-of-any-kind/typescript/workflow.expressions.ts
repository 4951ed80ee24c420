// workflow 0.1, from yawl. Change the definition, not this file.
import { type Json, get, memberOf, toText, typeOf } from "./runtime.js";

export function loadValue(state: Json): Json {
  const first = memberOf(state, "input") ?? null;
  return {
    url: `https://shop.example/orders/${toText(typeOf(first) === "object" ? get(first, "id") : first)}`,
  };
}
