// workflow 0.1, from yawl. Change the definition, not this file.
import { type Json, memberOf } from "./runtime.js";

export function decide(state: Json): Json {
  const condition = memberOf(state, "ready") ?? null;
  return condition === true || condition === "true";
}
