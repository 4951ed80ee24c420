// workflow 0.1, from yawl. Change the definition, not this file.
import { type Json, type JsonObject, absent, memberOf, toText, typeOf } from "./runtime.js";

const getId = (value: Json): Json => (value as JsonObject | null)?.id ?? absent(value, "id");

export function loadValue(state: Json): Json {
  const first = memberOf(state, "input") ?? null;
  return {
    url: `https://shop.example/orders/${toText(typeOf(first) === "object" ? getId(first) : first)}`,
  };
}
