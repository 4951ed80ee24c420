// Ships when it is paid 1.0, from serverless-workflow. Change the definition, not this file.
import { type Json, elementOf, memberOf, place, withDefault } from "./runtime.js";

export function waitEvent(data: Json, received: Json): Json {
  const value = ["payment"];
  const result = withDefault(
    memberOf(memberOf(elementOf(memberOf(received, "events"), 0), "event"), "payment"),
    withDefault(
      memberOf(
        memberOf(memberOf(elementOf(memberOf(received, "events"), 0), "event"), "data"),
        "payment",
      ),
      memberOf(elementOf(memberOf(received, "events"), 0), "event"),
    ),
  );
  if (result !== undefined) return place(data, value, result);
  return null;
}
