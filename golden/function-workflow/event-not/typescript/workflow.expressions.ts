// workflow 0.1, from function-workflow. Change the definition, not this file.
import { type Json, itemsOf, memberOf, plus, typeOf } from "./runtime.js";

export function watchEvent3(data: Json, received: Json): Json {
  let state: Json = data;
  const value = memberOf(received, "events");
  if (value !== undefined) {
    for (const each of itemsOf(value)) {
      const before = state;
      state = null;
      if (typeOf(before) === "object") {
        const event = memberOf(each, "event");
        if (event !== undefined) state = plus(before, event);
      } else {
        const event = memberOf(each, "event");
        if (event !== undefined) state = event;
      }
    }
  }
  return state;
}
