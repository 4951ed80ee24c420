// subflow-inputs 1.0, from sm4c. Change the definition, not this file.
import {
  type Json,
  type JsonObject,
  absent,
  elementsOf,
  memberOf,
  plus,
  withMember,
} from "./runtime.js";

const getFailure = (value: Json): Json =>
  (value as JsonObject | null)?.failure ?? absent(value, "failure");
const getRefused = (value: Json): Json =>
  (value as JsonObject | null)?.refused ?? absent(value, "refused");

export function eachJudge(outcomes: Json): Json {
  for (const outcome of elementsOf(outcomes)) {
    if (getFailure(outcome) !== null) return true;
  }
  return false;
}

export function eachChanges(data: Json, gathered: Json): Json {
  let state: Json = data;
  for (const change of elementsOf(gathered)) {
    const before = state;
    state = null;
    const handler = memberOf(change, "handler");
    if (handler !== undefined) {
      if (handler === 0) {
        if (memberOf(change, "error") !== undefined) {
          state = withMember(before, "refused", plus(getRefused(before), 1));
        }
      } else {
        state = before;
      }
    }
  }
  return state;
}

export function eachRaise(outcomes: Json): Json {
  for (const outcome of elementsOf(outcomes)) {
    const failure = getFailure(outcome);
    if (failure !== null) return failure;
  }
  return null;
}
