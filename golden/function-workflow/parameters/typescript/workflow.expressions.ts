// workflow 0.1, from function-workflow. Change the definition, not this file.
import { type Json, memberOf, required } from "./runtime.js";

export function orderTell(result: Json): Json {
  return {
    receipt:
      memberOf(
        required(memberOf(result, "receipt"), {
          name: "SYS.FilterError",
          message: "`$.receipt` selects nothing.",
        }),
        "number",
      ) ?? null,
  };
}
