// handlers-within-parallel 1.0, from sm4c. Change the definition, not this file.
import {
  type Json,
  type JsonObject,
  absent,
  draftOf,
  elementsOf,
  keysIn,
  memberOf,
  plus,
  readAt,
  withMember,
  writeAt,
} from "./runtime.js";

const getChanges = (value: Json): Json =>
  (value as JsonObject | null)?.changes ?? absent(value, "changes");
const getLog = (value: Json): Json => (value as JsonObject | null)?.log ?? absent(value, "log");
const getFailure = (value: Json): Json =>
  (value as JsonObject | null)?.failure ?? absent(value, "failure");
const getResult = (value: Json): Json =>
  (value as JsonObject | null)?.result ?? absent(value, "result");

export function sideBySideChanges(data: Json, outcomes: Json): Json {
  let state: Json = data;
  for (const change of elementsOf(
    elementsOf(outcomes).flatMap((outcome: Json) => elementsOf(getChanges(outcome))),
  )) {
    const before = state;
    state = null;
    const handler = memberOf(change, "handler");
    if (handler !== undefined) {
      if (handler === 0) {
        const error = memberOf(change, "error");
        if (error !== undefined) {
          const value2 = [
            plus(
              "slow ",
              memberOf(error, "message") === undefined ? "" : memberOf(error, "message")!,
            ),
          ];
          state = withMember(before, "log", plus(getLog(before), value2));
        }
      } else {
        const value = memberOf(change, "handler");
        if (value !== undefined) {
          if (value === 1) {
            const error = memberOf(change, "error");
            if (error !== undefined) {
              const value2 = [
                plus(
                  "quick ",
                  memberOf(error, "message") === undefined ? "" : memberOf(error, "message")!,
                ),
              ];
              state = withMember(before, "log", plus(getLog(before), value2));
            }
          } else {
            state = before;
          }
        }
      }
    }
  }
  return state;
}

export function sideBySideJudge(outcomes: Json): Json {
  for (const outcome of elementsOf(outcomes)) {
    if (getFailure(outcome) !== null) return true;
  }
  return false;
}

export function sideBySideParallel2(outcomes: Json): Json {
  const draft = draftOf(outcomes);
  for (const key of keysIn(outcomes)) {
    const path = [key];
    writeAt(draft, path, getResult(readAt(draft, path)));
  }
  return draft.root;
}

export function sideBySideRaise(outcomes: Json): Json {
  for (const outcome of elementsOf(outcomes)) {
    const failure = getFailure(outcome);
    if (failure !== null) return failure;
  }
  return null;
}

export function oneByOneChanges3(data: Json, gathered: Json): Json {
  let state: Json = data;
  for (const change of elementsOf(gathered)) {
    const before = state;
    state = null;
    const handler = memberOf(change, "handler");
    if (handler !== undefined) {
      if (handler === 0) {
        const error = memberOf(change, "error");
        if (error !== undefined) {
          const value2 = [
            memberOf(error, "message") === undefined ? "" : memberOf(error, "message")!,
          ];
          state = withMember(before, "log", plus(getLog(before), value2));
        }
      } else {
        state = before;
      }
    }
  }
  return state;
}
