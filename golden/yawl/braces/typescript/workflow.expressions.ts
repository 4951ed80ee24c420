// workflow 0.2, from yawl. Change the definition, not this file.
import { type Json, fromJson, get, raise, toFinite, toJson, toText, typeOf } from "./runtime.js";

export function tellEnd(result: Json): Json {
  const output = fromJson(`{ "told": ${toText(toJson(get(result, "n")))} }`);
  return typeOf(output) === "object"
    ? toFinite(output)
    : raise({ name: "STEP_INVALID_OUTPUT", message: "The output of a step has to be an object." });
}
