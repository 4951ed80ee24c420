// workflow 0.2, from yawl. Change the definition, not this file.
import {
  type Json,
  type JsonObject,
  absent,
  fromJson,
  raise,
  toFinite,
  toJson,
  toText,
  typeOf,
} from "./runtime.js";

const getN = (value: Json): Json => (value as JsonObject | null)?.n ?? absent(value, "n");

export function tellEnd(result: Json): Json {
  const output = fromJson(`{ "told": ${toText(toJson(getN(result)))} }`);
  return typeOf(output) === "object"
    ? toFinite(output)
    : raise({ name: "STEP_INVALID_OUTPUT", message: "The output of a step has to be an object." });
}
