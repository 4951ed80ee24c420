// execution-timeout 1.0, from sm4c. Change the definition, not this file.
import { type Json, type JsonObject, absent, plus, withMember } from "./runtime.js";

const getRounds = (value: Json): Json =>
  (value as JsonObject | null)?.rounds ?? absent(value, "rounds");

export function pollMerge(data: Json, result: Json): Json {
  const update = withMember(data, "done", result);
  return withMember(update, "rounds", plus(getRounds(update), 1));
}
