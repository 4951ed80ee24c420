// Wait for a payment 1.0, from serverless-workflow. Change the definition, not this file.
import { type Json, elementOf, memberOf, place } from "./runtime.js";

export function awaitPaymentEvent(data: Json, received: Json): Json {
  const value = ["amount"];
  let found: Json | undefined = memberOf(
    memberOf(elementOf(memberOf(received, "events"), 0), "event"),
    "amount",
  );
  if (found === undefined) {
    let result: Json | undefined = memberOf(
      memberOf(memberOf(elementOf(memberOf(received, "events"), 0), "event"), "data"),
      "amount",
    );
    if (result === undefined) {
      result = memberOf(elementOf(memberOf(received, "events"), 0), "event");
    }
    if (result !== undefined) found = result;
  }
  if (found !== undefined) return place(data, value, found);
  return null;
}
