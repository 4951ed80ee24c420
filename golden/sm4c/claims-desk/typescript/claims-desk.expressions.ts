// claims-desk 2.1, from sm4c. Change the definition, not this file.
import {
  type Json,
  add,
  draftOf,
  elementsOf,
  get,
  isLess,
  isTrue,
  keysIn,
  memberOf,
  plus,
  readAt,
  toFinite,
  withMember,
  writeAt,
} from "./runtime.js";

export function examineJudge(outcomes: Json): Json {
  for (const outcome of elementsOf(outcomes)) {
    if (get(outcome, "failure") !== null) return true;
  }
  return false;
}

export function examineRaise(outcomes: Json): Json {
  for (const outcome of elementsOf(outcomes)) {
    const failure = get(outcome, "failure");
    if (failure !== null) return failure;
  }
  return null;
}

export function examineChanges3(data: Json, outcomes: Json): Json {
  let state: Json = data;
  for (const change of elementsOf(
    elementsOf(outcomes).flatMap((outcome: Json) => elementsOf(get(outcome, "changes"))),
  )) {
    const before = state;
    state = null;
    const handler = memberOf(change, "handler");
    if (handler !== undefined) {
      if (handler === 0) {
        if (memberOf(change, "error") !== undefined) {
          state = withMember(before, "unanswered", plus(get(before, "unanswered"), 1));
        }
      } else {
        state = before;
      }
    }
  }
  return state;
}

export function examineMerge(data: Json, outcomes: Json): Json {
  const draft = draftOf(outcomes);
  for (const key of keysIn(outcomes)) {
    const path = [key];
    writeAt(draft, path, get(readAt(draft, path), "result"));
  }
  const value = draft.root;
  return withMember(
    withMember(
      data,
      "opinions",
      elementsOf(get(value, "opinions")).flatMap((opinion: Json) =>
        opinion === null ? [] : [opinion],
      ),
    ),
    "fraud",
    get(get(value, "fraud"), "score"),
  );
}

export function decide(data: Json): Json {
  if (isLess(memberOf(data, "fraud") ?? null, 20)) {
    let isFound = false;
    for (const opinion of elementsOf(memberOf(data, "opinions") ?? null)) {
      if (!(get(opinion, "verdict") === "covered")) {
        isFound = true;
        break;
      }
    }
    return !isFound;
  }
  return false;
}

export function payPayOut(data: Json): Json {
  const number = get(memberOf(data, "claim") ?? null, "number");
  let value: Json = get(memberOf(data, "decision") ?? null, "amount");
  if (!isTrue(value))
    value = add(
      elementsOf(memberOf(data, "items") ?? null).map((item: Json) => get(item, "amount")),
    );
  return { claim: number, amount: toFinite(value) };
}
