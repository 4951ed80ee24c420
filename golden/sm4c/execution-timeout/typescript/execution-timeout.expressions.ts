// execution-timeout 1.0, from sm4c. Change the definition, not this file.
import { type Json, get, plus, withMember } from "./runtime.js";

export function pollMerge(data: Json, result: Json): Json {
  const update = withMember(data, "done", result);
  return withMember(update, "rounds", plus(get(update, "rounds"), 1));
}
