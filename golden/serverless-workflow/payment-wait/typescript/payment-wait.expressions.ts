// Ships when it is paid 1.0, from serverless-workflow. Change the definition, not this file.
import { type Json, elementOf, memberOf, place } from "./runtime.js";

export function waitEvent(data: Json, received: Json): Json {
  const value = ["payment"];
  let found: Json | undefined = memberOf(
    memberOf(elementOf(memberOf(received, "events"), 0), "event"),
    "payment",
  );
  if (found === undefined) {
    let result: Json | undefined = memberOf(
      memberOf(memberOf(elementOf(memberOf(received, "events"), 0), "event"), "data"),
      "payment",
    );
    if (result === undefined) {
      result = memberOf(elementOf(memberOf(received, "events"), 0), "event");
    }
    if (result !== undefined) found = result;
  }
  if (found !== undefined) return place(data, value, found);
  return null;
}
