// Members are replaced as a whole, by cho… 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Json,
  attributeOf,
  elementOf,
  memberOf,
  mergeOutput,
  place,
  text,
  typeOf,
} from "./runtime.js";

export function awaitEvent(data: Json, received: Json): Json {
  const incoming =
    memberOf(memberOf(elementOf(memberOf(received, "events"), 0), "event"), "data") ?? null;
  const merged =
    incoming === null
      ? data
      : mergeOutput(data, typeOf(incoming) === "object" ? incoming : { Moved: incoming });
  if (memberOf(merged, "customer") !== undefined) return merged;
  let isFound = false;
  const event = memberOf(elementOf(memberOf(received, "events"), 0), "event");
  if (event !== undefined) {
    if (attributeOf(event, text("customer")) !== undefined) isFound = true;
  }
  if (isFound) {
    const value = ["customer"];
    const result = memberOf(elementOf(memberOf(received, "events"), 0), "event");
    if (result !== undefined) {
      const current = attributeOf(result, text("customer"));
      if (current !== undefined) return place(merged, value, current);
    }
  } else {
    return merged;
  }
  return null;
}
