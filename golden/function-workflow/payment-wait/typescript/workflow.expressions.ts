// workflow 0.1, from function-workflow. Change the definition, not this file.
import { type Json, elementOf, memberOf, raise } from "./runtime.js";

export function requestOutput(results: Json): Json {
  const value = elementOf(
    [memberOf(results, "order") ?? null, memberOf(results, "request") ?? null],
    0,
  );
  if (value !== undefined) return value;
  return raise({ name: "SYS.FilterError", message: "`$[0]` selects nothing." });
}

export function payOutput(results: Json): Json {
  const value = elementOf([memberOf(results, "payment") ?? null], 0);
  if (value !== undefined) return value;
  return raise({ name: "SYS.FilterError", message: "`$[0]` selects nothing." });
}
