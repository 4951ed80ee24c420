// workflow 0.1, from function-workflow. Change the definition, not this file.
import { type Json, itemsOf, memberOf, plus, required, typeOf } from "./runtime.js";

export function watchOutput(data: Json, received: Json): Json {
  let state: Json = data;
  const value = memberOf(received, "events");
  if (value !== undefined) {
    for (const each of itemsOf(value)) {
      const taken = required(memberOf(memberOf(each, "event"), "data"), {
        name: "SYS.FilterError",
        message: "`$.data` selects nothing.",
      });
      state = typeOf(state) === "object" && typeOf(taken) === "object" ? plus(state, taken) : taken;
    }
  }
  return state;
}
