// workflow 0.1, from function-workflow. Change the definition, not this file.
import { type Json, elementOf, itemsOf, memberOf, plus, raise, typeOf } from "./runtime.js";

export function watchOutput(data: Json, received: Json): Json {
  let state: Json = data;
  const value = memberOf(received, "events");
  if (value !== undefined) {
    for (const each of itemsOf(value)) {
      let found: Json | undefined = memberOf(memberOf(each, "event"), "data");
      if (found === undefined)
        found = raise({ name: "SYS.FilterError", message: "`$.data` selects nothing." });
      state = typeOf(state) === "object" && typeOf(found) === "object" ? plus(state, found) : found;
    }
  }
  return state;
}

export function waitOutput(results: Json): Json {
  const value = elementOf([memberOf(results, "response") ?? null], 0);
  if (value !== undefined) return value;
  return raise({ name: "SYS.FilterError", message: "`$[0]` selects nothing." });
}
