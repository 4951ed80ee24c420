// workflow 0.1, from function-workflow. Change the definition, not this file.
import { type Json, elementOf, itemsOf, memberOf, plus, raise, typeOf } from "./runtime.js";

export function watchOutput(data: Json, received: Json): Json {
  let state: Json = data;
  const value = memberOf(received, "events");
  if (value !== undefined) {
    for (const item of itemsOf(value)) {
      const before = state;
      let found: Json | undefined;
      search: {
        {
          const result = memberOf(memberOf(item, "event"), "data");
          if (result !== undefined) {
            found = result;
            break search;
          }
        }
        found = raise({ name: "SYS.FilterError", message: "`$.data` selects nothing." });
      }
      state =
        typeOf(before) === "object" && typeOf(found) === "object" ? plus(before, found) : found;
    }
  }
  return state;
}

export function waitOutput(results: Json): Json {
  {
    const value = elementOf([memberOf(results, "response") ?? null], 0);
    if (value !== undefined) return value;
  }
  return raise({ name: "SYS.FilterError", message: "`$[0]` selects nothing." });
}
