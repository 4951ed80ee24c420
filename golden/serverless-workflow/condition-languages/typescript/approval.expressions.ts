// Approve orders 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Json,
  elementsOf,
  isAbove,
  isTrue,
  keysInOrder,
  memberOf,
  typeOf,
} from "./runtime.js";

export function checkTransition(data: Json): Json {
  let isFound = false;
  search: {
    const collection = memberOf(data, "lines") ?? null;
    for (const item of elementsOf(
      typeOf(collection) === "object" ? keysInOrder(collection) : collection,
    )) {
      if (isTrue(isAbove(memberOf(item, "price"), 50))) {
        isFound = true;
        break search;
      }
    }
  }
  let value: Json;
  if (isFound) {
    let isDone = false;
    search: {
      const collection2 = memberOf(data, "lines") ?? null;
      for (const item of elementsOf(
        typeOf(collection2) === "object" ? keysInOrder(collection2) : collection2,
      )) {
        if (!isAbove(memberOf(item, "price"), 50)) {
          isDone = true;
          break search;
        }
      }
    }
    value = isDone;
  } else {
    value = false;
  }
  return value && memberOf(memberOf(data, "order"), "note") !== undefined;
}
