// workflow 0.1, from function-workflow. Change the definition, not this file.
import { type Json, elementOf, itemsOf, memberOf, plus, required, typeOf } from "./runtime.js";

export function waitOutput2(data: Json, received: Json): Json {
  const taken = required(
    memberOf(
      memberOf(memberOf(elementOf(memberOf(received, "events"), 0), "event"), "data"),
      "text",
    ),
    { name: "SYS.FilterError", message: "`$.data.text` selects nothing." },
  );
  return {
    seen: typeOf(data) === "object" && typeOf(taken) === "object" ? plus(data, taken) : taken,
  };
}

export function waitOutput(data: Json, received: Json): Json {
  let state: Json = data;
  const value = memberOf(received, "events");
  if (value !== undefined) {
    for (const each of itemsOf(value)) {
      const before = state;
      state = null;
      const name = memberOf(each, "name");
      if (name !== undefined) {
        let found: Json | undefined;
        if (name === "Paid") {
          found = required(memberOf(memberOf(each, "event"), "data"), {
            name: "SYS.FilterError",
            message: "`$.data` selects nothing.",
          });
        } else {
          const event = memberOf(each, "event");
          if (event !== undefined) found = event;
        }
        if (found !== undefined) {
          state =
            typeOf(before) === "object" && typeOf(found) === "object" ? plus(before, found) : found;
        }
      }
    }
  }
  return { seen: state };
}
