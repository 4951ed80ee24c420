// workflow 0.1, from yawl. Change the definition, not this file.
import { type Json, memberOf } from "./runtime.js";

export function found(state: Json): Json {
  const condition = memberOf(state, "found") ?? null;
  return condition === true || condition === "true";
}
