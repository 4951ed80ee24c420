// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import {
  type Json,
  draftOf,
  allElements as elements,
  endSteps,
  keysIn,
  firstOf as limited,
  get as member,
  memberOf as named,
  plus,
  readAt,
  writeAt,
} from "./runtime.js";

const sideBySideChanges__changes = (x) => typeof x === "object" && x !== null && x.changes !== undefined
  ? x.changes
  : member(x, "changes");
const sideBySideChanges__log = (x) => typeof x === "object" && x !== null && x.log !== undefined
  ? x.log
  : member(x, "log");

function sideBySideChanges_(input, data: Json, outcomes: Json) {
  let steps = 0;
  try {
    let state: Json = data;
    const values: Json[] = [];
    for (const item of elements(outcomes)) {
      if ((steps += 1) > 5_000_000) endSteps();
      for (const element of elements(sideBySideChanges__changes(item))) {
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
          const result = named(item, "error");
          if (result !== undefined) {
            const results: Json[] = [];
            let found: Json | undefined;
            search: {
              {
                const other = named(result, "message");
                if (other !== undefined) {
                  found = other;
                  break search;
                }
              }
              found = "";
            }
            results.push(plus("slow ", found));
            const draft = draftOf(before);
            sideBySideChanges__log(before);
            const current = ["log"];
            writeAt(draft, current, plus(readAt(draft, current), results));
            state = draft.root;
          }
        } else {
          const result = named(item, "handler");
          if (result !== undefined) {
            if (result === 1) {
              const current = named(item, "error");
              if (current !== undefined) {
                const results: Json[] = [];
                let found: Json | undefined;
                search: {
                  {
                    const value2 = named(current, "message");
                    if (value2 !== undefined) {
                      found = value2;
                      break search;
                    }
                  }
                  found = "";
                }
                results.push(plus("quick ", found));
                const draft = draftOf(before);
                sideBySideChanges__log(before);
                const other = ["log"];
                writeAt(draft, other, plus(readAt(draft, other), results));
                state = draft.root;
              }
            } else {
              state = before;
            }
          }
        }
      }
    }
    return state;
  } catch (error) {
    throw limited(error);
  }
}

export const sideBySideChanges = (v1: Json, v2: Json): Json => sideBySideChanges_(null, v1, v2);
const sideBySideJudge__failure = (x) => typeof x === "object" && x !== null && x.failure !== undefined
  ? x.failure
  : member(x, "failure");

function sideBySideJudge_(input, outcomes: Json) {
  for (const item of elements(outcomes)) {
    if (sideBySideJudge__failure(item) !== null) return true;
  }
  return false;
}

export const sideBySideJudge = (v1: Json): Json => sideBySideJudge_(null, v1);
const sideBySideParallel2__result = (x) => typeof x === "object" && x !== null && x.result !== undefined
  ? x.result
  : member(x, "result");

function sideBySideParallel2_(input, outcomes: Json) {
  const draft = draftOf(outcomes);
  for (const key of keysIn(outcomes)) {
    outcomes[key];
    const value = [key];
    writeAt(draft, value, sideBySideParallel2__result(readAt(draft, value)));
  }
  return draft.root;
}

export const sideBySideParallel2 = (v1: Json): Json => sideBySideParallel2_(null, v1);
const sideBySideRaise__failure = (x) => typeof x === "object" && x !== null && x.failure !== undefined
  ? x.failure
  : member(x, "failure");

function sideBySideRaise_(input, outcomes: Json) {
  const outputs: Json[] = [];
  let found: Json | undefined;
  for (const item of elements(outcomes)) {
    const value = sideBySideRaise__failure(item);
    if (value !== null) {
      found = value;
      break;
    }
  }
  if (found !== undefined) outputs.push(found);
  return outputs;
}

export const sideBySideRaise = (v1: Json): Json => sideBySideRaise_(null, v1)[0];
export const oneByOneJudge = sideBySideJudge;
export const oneByOneRaise = sideBySideRaise;
export const oneByOneJudge2 = sideBySideJudge;
const oneByOneChanges3__log = (x) => typeof x === "object" && x !== null && x.log !== undefined
  ? x.log
  : member(x, "log");

function oneByOneChanges3_(input, data: Json, gathered: Json) {
  let steps = 0;
  try {
    let state: Json = data;
    for (const item of elements(gathered)) {
      if ((steps += 1) > 5_000_000) endSteps();
      const before = state;
      state = null;
      const value = named(item, "handler");
      if (value !== undefined) {
        if (value === 0) {
          const result = named(item, "error");
          if (result !== undefined) {
            const values: Json[] = [];
            let found: Json | undefined;
            search: {
              {
                const other = named(result, "message");
                if (other !== undefined) {
                  found = other;
                  break search;
                }
              }
              found = "";
            }
            values.push(found);
            const draft = draftOf(before);
            oneByOneChanges3__log(before);
            const current = ["log"];
            writeAt(draft, current, plus(readAt(draft, current), values));
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

export const oneByOneChanges3 = (v1: Json, v2: Json): Json => oneByOneChanges3_(null, v1, v2);
export const oneByOneRaise2 = sideBySideRaise;
export const oneByOneChanges4 = oneByOneChanges3;
