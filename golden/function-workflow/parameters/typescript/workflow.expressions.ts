// workflow 0.1, from function-workflow. Change the definition, not this file.
import { type Json, memberOf, raise } from "./runtime.js";

export function orderTell(result: Json): Json {
  return {
    receipt:
      memberOf(
        memberOf(result, "receipt") === undefined
          ? raise({ name: "SYS.FilterError", message: "`$.receipt` selects nothing." })
          : memberOf(result, "receipt")!,
        "number",
      ) ?? null,
  };
}
