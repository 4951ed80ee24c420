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

function examineJudge_(input, $outcomes_1) {
  let b2 = false;
  l3: {
    for (const v4 of elements($outcomes_1)) {
      if (isTrue(examineJudge__failure(v4) !== null)) {
        b2 = true;
        break l3;
      }
    }
  }
  return b2;
}

export const examineJudge = (v1: Json): Json => examineJudge_(null, v1);
const examineRaise__failure = (x) => typeof x === "object" && x !== null && x.failure !== undefined
  ? x.failure
  : member(x, "failure");

function examineRaise_(input, $outcomes_1) {
  const outputs = [];
  let v2;
  l3: {
    for (const v4 of elements($outcomes_1)) {
      const v5 = examineRaise__failure(v4);
      if (v5 === null) {} else {
        v2 = v5;
        break l3;
      }
    }
  }
  if (v2 !== undefined) outputs.push(v2);
  return outputs;
}

export const examineRaise = (v1: Json): Json => examineRaise_(null, v1)[0];
const examineChanges3__changes = (x) => typeof x === "object" && x !== null && x.changes !== undefined
  ? x.changes
  : member(x, "changes");
const examineChanges3__unanswered = (x) => typeof x === "object" && x !== null && x.unanswered !== undefined
  ? x.unanswered
  : member(x, "unanswered");

function examineChanges3_(input, $data_1, $outcomes_2) {
  let steps = 0;
  try {
    let s3 = $data_1;
    const r5 = [];
    for (const v6 of elements($outcomes_2)) {
      if ((steps += 1) > 5_000_000) endSteps();
      for (const v7 of elements(examineChanges3__changes(v6))) {
        if ((steps += 1) > 5_000_000) endSteps();
        r5.push(v7);
      }
    }
    for (const v8 of elements(r5)) {
      if ((steps += 1) > 5_000_000) endSteps();
      const $change_9 = v8;
      const v10 = s3;
      s3 = null;
      const v11 = named($change_9, "handler");
      if (v11 !== undefined) {
        if (v11 === 0) {
          const v12 = named($change_9, "error");
          if (v12 !== undefined) {
            const r13 = draftOf(v10);
            const v15 = examineChanges3__unanswered(v10);
            const v16 = ["unanswered"];
            const v17 = readAt(r13, v16);
            writeAt(r13, v16, plus(v17, 1));
            s3 = r13.root;
          }
        } else {
          s3 = v10;
        }
      }
    }
    return s3;
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

function examineMerge_(input, $data_1, $outcomes_2) {
  let steps = 0;
  try {
    const r3 = draftOf($outcomes_2);
    for (const k5 of keysIn($outcomes_2)) {
      if ((steps += 1) > 5_000_000) endSteps();
      const v6 = $outcomes_2[k5];
      const v7 = [k5];
      const v8 = readAt(r3, v7);
      writeAt(r3, v7, examineMerge__result(v8));
    }
    const $value_9 = r3.root;
    const r10 = [];
    for (const v11 of elements(examineMerge__opinions($value_9))) {
      if ((steps += 1) > 5_000_000) endSteps();
      if (v11 === null) {} else {
        r10.push(v11);
      }
    }
    const r12 = draftOf($data_1);
    const v14 = examineMerge__opinions($data_1);
    const v15 = ["opinions"];
    const v16 = readAt(r12, v15);
    writeAt(r12, v15, r10);
    const v17 = r12.root;
    const $value_3_18 = examineMerge__score(examineMerge__fraud($value_9));
    const r19 = draftOf(v17);
    const v21 = examineMerge__fraud(v17);
    const v22 = ["fraud"];
    const v23 = readAt(r19, v22);
    writeAt(r19, v22, $value_3_18);
    return r19.root;
  } catch (error) {
    throw limited(error);
  }
}

export const examineMerge = (v1: Json, v2: Json): Json => examineMerge_(null, v1, v2);
const decide__verdict = (x) => typeof x === "object" && x !== null && x.verdict !== undefined
  ? x.verdict
  : member(x, "verdict");

function decide_(input, $data_1) {
  let v2;
  l3: {
    {
      const v4 = named($data_1, "fraud");
      if (v4 !== undefined) {
        v2 = v4;
        break l3;
      }
    }
    v2 = null;
    break l3;
  }
  if (isLess(v2, 20)) {
    let b5 = false;
    l6: {
      let v7;
      l8: {
        {
          const v9 = named($data_1, "opinions");
          if (v9 !== undefined) {
            v7 = v9;
            break l8;
          }
        }
        v7 = null;
        break l8;
      }
      for (const v10 of elements(v7)) {
        if (isTrue(isFalse(decide__verdict(v10) === "covered"))) {
          b5 = true;
          break l6;
        }
      }
    }
    return isFalse(b5);
  } else {
    return false;
  }
}

export const decide = (v1: Json): Json => decide_(null, v1);
export const examineRaise2 = examineRaise;
const payPayOut__number = (x) => typeof x === "object" && x !== null && x.number !== undefined
  ? x.number
  : member(x, "number");
const payPayOut__amount = (x) => typeof x === "object" && x !== null && x.amount !== undefined
  ? x.amount
  : member(x, "amount");

function payPayOut_(input, $data_1) {
  let v2;
  l3: {
    {
      const v4 = named($data_1, "claim");
      if (v4 !== undefined) {
        v2 = v4;
        break l3;
      }
    }
    v2 = null;
    break l3;
  }
  const v5 = payPayOut__number(v2);
  let v6;
  let v7;
  l8: {
    {
      const v9 = named($data_1, "decision");
      if (v9 !== undefined) {
        v7 = v9;
        break l8;
      }
    }
    v7 = null;
    break l8;
  }
  v6 = payPayOut__amount(v7);
  if (!isTrue(v6)) {
    const r10 = [];
    let v11;
    l12: {
      {
        const v13 = named($data_1, "items");
        if (v13 !== undefined) {
          v11 = v13;
          break l12;
        }
      }
      v11 = null;
      break l12;
    }
    for (const v14 of elements(v11)) {
      r10.push(payPayOut__amount(v14));
    }
    v6 = add(r10);
  }
  return { claim: v5, amount: v6 };
}

export const payPayOut = (v1: Json): Json => payPayOut_(null, v1);
