// Greet who arrives 1.0, from serverless-workflow. Change the definition, not this file.
import { type Json, elementOf, memberOf, place, withDefault } from "./runtime.js";

export function awaitEvent(data: Json, received: Json): Json {
  const value = ["visitor"];
  const result = withDefault(
    memberOf(memberOf(elementOf(memberOf(received, "events"), 0), "event"), "visitor"),
    withDefault(
      memberOf(
        memberOf(memberOf(elementOf(memberOf(received, "events"), 0), "event"), "data"),
        "visitor",
      ),
      memberOf(elementOf(memberOf(received, "events"), 0), "event"),
    ),
  );
  if (result !== undefined) return place(data, value, result);
  return null;
}
