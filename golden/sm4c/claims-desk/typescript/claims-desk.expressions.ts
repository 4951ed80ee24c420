// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import {
  type Json,
  add,
  draftOf,
  allElements as elements,
  endSteps,
  isFalse,
  isLess,
  isTrue,
  keysIn,
  firstOf as limited,
  get as member,
  memberOf as named,
  plus,
  readAt,
  writeAt,
} from "./runtime.js";

const examineJudge__failure = (x) => typeof x === "object" && x !== null && x.failure !== undefined
  ? x.failure
  : member(x, "failure");

function examineJudge_(input, outcomes: Json) {
  for (const item of elements(outcomes)) {
    if (examineJudge__failure(item) !== null) return true;
  }
  return false;
}

export const examineJudge = (v1: Json): Json => examineJudge_(null, v1);
const examineRaise__failure = (x) => typeof x === "object" && x !== null && x.failure !== undefined
  ? x.failure
  : member(x, "failure");

function examineRaise_(input, outcomes: Json) {
  const outputs: Json[] = [];
  let found: Json | undefined;
  for (const item of elements(outcomes)) {
    const value = examineRaise__failure(item);
    if (value !== null) {
      found = value;
      break;
    }
  }
  if (found !== undefined) outputs.push(found);
  return outputs;
}

export const examineRaise = (v1: Json): Json => examineRaise_(null, v1)[0];
const examineChanges3__changes = (x) => typeof x === "object" && x !== null && x.changes !== undefined
  ? x.changes
  : member(x, "changes");
const examineChanges3__unanswered = (x) => typeof x === "object" && x !== null && x.unanswered !== undefined
  ? x.unanswered
  : member(x, "unanswered");

function examineChanges3_(input, data: Json, outcomes: Json) {
  let steps = 0;
  try {
    let state: Json = data;
    const values: Json[] = [];
    for (const item of elements(outcomes)) {
      if ((steps += 1) > 5_000_000) endSteps();
      for (const element of elements(examineChanges3__changes(item))) {
        if ((steps += 1) > 5_000_000) endSteps();
        values.push(element);
      }
    }
    for (const item of elements(values)) {
      if ((steps += 1) > 5_000_000) endSteps();
      const before = state;
      state = null;
      const value = named(item, "handler");
      if (value !== undefined) {
        if (value === 0) {
          if (named(item, "error") !== undefined) {
            const draft = draftOf(before);
            examineChanges3__unanswered(before);
            const result = ["unanswered"];
            writeAt(draft, result, plus(readAt(draft, result), 1));
            state = draft.root;
          }
        } else {
          state = before;
        }
      }
    }
    return state;
  } catch (error) {
    throw limited(error);
  }
}

export const examineChanges3 = (v1: Json, v2: Json): Json => examineChanges3_(null, v1, v2);
export const examineJudge2 = examineJudge;
const examineMerge__result = (x) => typeof x === "object" && x !== null && x.result !== undefined
  ? x.result
  : member(x, "result");
const examineMerge__opinions = (x) => typeof x === "object" && x !== null && x.opinions !== undefined
  ? x.opinions
  : member(x, "opinions");
const examineMerge__fraud = (x) => typeof x === "object" && x !== null && x.fraud !== undefined
  ? x.fraud
  : member(x, "fraud");
const examineMerge__score = (x) => typeof x === "object" && x !== null && x.score !== undefined
  ? x.score
  : member(x, "score");

function examineMerge_(input, data: Json, outcomes: Json) {
  let steps = 0;
  try {
    const draft = draftOf(outcomes);
    for (const key of keysIn(outcomes)) {
      if ((steps += 1) > 5_000_000) endSteps();
      outcomes[key];
      const value2 = [key];
      writeAt(draft, value2, examineMerge__result(readAt(draft, value2)));
    }
    const value = draft.root;
    const values: Json[] = [];
    for (const item of elements(examineMerge__opinions(value))) {
      if ((steps += 1) > 5_000_000) endSteps();
      if (item !== null) values.push(item);
    }
    const copy = draftOf(data);
    examineMerge__opinions(data);
    const result = ["opinions"];
    readAt(copy, result);
    writeAt(copy, result, values);
    const current = copy.root;
    const value3 = examineMerge__score(examineMerge__fraud(value));
    const changed = draftOf(current);
    examineMerge__fraud(current);
    const other = ["fraud"];
    readAt(changed, other);
    writeAt(changed, other, value3);
    return changed.root;
  } catch (error) {
    throw limited(error);
  }
}

export const examineMerge = (v1: Json, v2: Json): Json => examineMerge_(null, v1, v2);
const decide__verdict = (x) => typeof x === "object" && x !== null && x.verdict !== undefined
  ? x.verdict
  : member(x, "verdict");

function decide_(input, data: Json) {
  let found: Json | undefined;
  search: {
    {
      const value = named(data, "fraud");
      if (value !== undefined) {
        found = value;
        break search;
      }
    }
    found = null;
  }
  if (isLess(found, 20)) {
    let isFound = false;
    search: {
      let result: Json | undefined;
      scan: {
        {
          const value = named(data, "opinions");
          if (value !== undefined) {
            result = value;
            break scan;
          }
        }
        result = null;
      }
      for (const item of elements(result)) {
        if (isTrue(isFalse(decide__verdict(item) === "covered"))) {
          isFound = true;
          break search;
        }
      }
    }
    return isFalse(isFound);
  }
  return false;
}

export const decide = (v1: Json): Json => decide_(null, v1);
export const examineRaise2 = examineRaise;
const payPayOut__number = (x) => typeof x === "object" && x !== null && x.number !== undefined
  ? x.number
  : member(x, "number");
const payPayOut__amount = (x) => typeof x === "object" && x !== null && x.amount !== undefined
  ? x.amount
  : member(x, "amount");

function payPayOut_(input, data: Json) {
  let found: Json | undefined;
  search: {
    {
      const current = named(data, "claim");
      if (current !== undefined) {
        found = current;
        break search;
      }
    }
    found = null;
  }
  const value = payPayOut__number(found);
  let result: Json;
  let match: Json | undefined;
  search: {
    {
      const current = named(data, "decision");
      if (current !== undefined) {
        match = current;
        break search;
      }
    }
    match = null;
  }
  result = payPayOut__amount(match);
  if (!isTrue(result)) {
    const values: Json[] = [];
    let found2: Json | undefined;
    search: {
      {
        const current = named(data, "items");
        if (current !== undefined) {
          found2 = current;
          break search;
        }
      }
      found2 = null;
    }
    for (const item of elements(found2)) {
      values.push(payPayOut__amount(item));
    }
    result = add(values);
  }
  return { claim: value, amount: result };
}

export const payPayOut = (v1: Json): Json => payPayOut_(null, v1);
