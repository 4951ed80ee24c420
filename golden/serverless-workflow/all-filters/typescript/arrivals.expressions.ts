// Greet who arrives 1.0, from serverless-workflow. Change the definition, not this file.
import { type Json, elementOf, memberOf, place } from "./runtime.js";

export function awaitEvent(data: Json, received: Json): Json {
  const value = ["visitor"];
  let found: Json | undefined = memberOf(
    memberOf(elementOf(memberOf(received, "events"), 0), "event"),
    "visitor",
  );
  if (found === undefined) {
    let result: Json | undefined = memberOf(
      memberOf(memberOf(elementOf(memberOf(received, "events"), 0), "event"), "data"),
      "visitor",
    );
    if (result === undefined) {
      result = memberOf(elementOf(memberOf(received, "events"), 0), "event");
    }
    if (result !== undefined) found = result;
  }
  if (found !== undefined) return place(data, value, found);
  return null;
}
