// claims-desk 2.1, from sm4c. Change the definition, not this file.
import {
  type Json,
  type JsonObject,
  absent,
  add,
  draftOf,
  elementsOf,
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

const getFailure = (value: Json): Json =>
  (value as JsonObject | null)?.failure ?? absent(value, "failure");
const getChanges = (value: Json): Json =>
  (value as JsonObject | null)?.changes ?? absent(value, "changes");
const getUnanswered = (value: Json): Json =>
  (value as JsonObject | null)?.unanswered ?? absent(value, "unanswered");
const getResult = (value: Json): Json =>
  (value as JsonObject | null)?.result ?? absent(value, "result");
const getOpinions = (value: Json): Json =>
  (value as JsonObject | null)?.opinions ?? absent(value, "opinions");
const getFraud = (value: Json): Json =>
  (value as JsonObject | null)?.fraud ?? absent(value, "fraud");
const getScore = (value: Json): Json =>
  (value as JsonObject | null)?.score ?? absent(value, "score");
const getVerdict = (value: Json): Json =>
  (value as JsonObject | null)?.verdict ?? absent(value, "verdict");
const getNumber = (value: Json): Json =>
  (value as JsonObject | null)?.number ?? absent(value, "number");
const getAmount = (value: Json): Json =>
  (value as JsonObject | null)?.amount ?? absent(value, "amount");

export function examineJudge(outcomes: Json): Json {
  for (const outcome of elementsOf(outcomes)) {
    if (getFailure(outcome) !== null) return true;
  }
  return false;
}

export function examineRaise(outcomes: Json): Json {
  for (const outcome of elementsOf(outcomes)) {
    const failure = getFailure(outcome);
    if (failure !== null) return failure;
  }
  return null;
}

export function examineChanges3(data: Json, outcomes: Json): Json {
  let state: Json = data;
  for (const change of elementsOf(
    elementsOf(outcomes).flatMap((outcome: Json) => elementsOf(getChanges(outcome))),
  )) {
    const before = state;
    state = null;
    const handler = memberOf(change, "handler");
    if (handler !== undefined) {
      if (handler === 0) {
        if (memberOf(change, "error") !== undefined) {
          state = withMember(before, "unanswered", plus(getUnanswered(before), 1));
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
    writeAt(draft, path, getResult(readAt(draft, path)));
  }
  const value = draft.root;
  return withMember(
    withMember(
      data,
      "opinions",
      elementsOf(getOpinions(value)).flatMap((opinion: Json) => 
        opinion === null ? [] : [opinion],
      ),
    ),
    "fraud",
    getScore(getFraud(value)),
  );
}

export function decide(data: Json): Json {
  if (isLess(memberOf(data, "fraud") ?? null, 20)) {
    let isFound = false;
    for (const opinion of elementsOf(memberOf(data, "opinions") ?? null)) {
      if (!(getVerdict(opinion) === "covered")) {
        isFound = true;
        break;
      }
    }
    return !isFound;
  }
  return false;
}

export function payPayOut(data: Json): Json {
  const number = getNumber(memberOf(data, "claim") ?? null);
  let value: Json = getAmount(memberOf(data, "decision") ?? null);
  if (!isTrue(value)) value = add(elementsOf(memberOf(data, "items") ?? null).map(getAmount));
  return { claim: number, amount: toFinite(value) };
}
