// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import {
  type Json,
  draftOf,
  allElements as elements,
  endSteps,
  isTrue,
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

function sideBySideChanges_(input, $data_1, $outcomes_2) {
  let steps = 0;
  try {
    let s3 = $data_1;
    const r5 = [];
    for (const v6 of elements($outcomes_2)) {
      if ((steps += 1) > 5_000_000) endSteps();
      for (const v7 of elements(sideBySideChanges__changes(v6))) {
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
          const v23 = named($change_9, "error");
          if (v23 !== undefined) {
            const r24 = [];
            let v25;
            l26: {
              {
                const v27 = named(v23, "message");
                if (v27 !== undefined) {
                  v25 = v27;
                  break l26;
                }
              }
              v25 = "";
              break l26;
            }
            r24.push(plus("slow ", v25));
            const r28 = draftOf(v10);
            const v30 = sideBySideChanges__log(v10);
            const v31 = ["log"];
            const v32 = readAt(r28, v31);
            writeAt(r28, v31, plus(v32, r24));
            s3 = r28.root;
          }
        } else {
          const v12 = named($change_9, "handler");
          if (v12 !== undefined) {
            if (v12 === 1) {
              const v13 = named($change_9, "error");
              if (v13 !== undefined) {
                const r14 = [];
                let v15;
                l16: {
                  {
                    const v17 = named(v13, "message");
                    if (v17 !== undefined) {
                      v15 = v17;
                      break l16;
                    }
                  }
                  v15 = "";
                  break l16;
                }
                r14.push(plus("quick ", v15));
                const r18 = draftOf(v10);
                const v20 = sideBySideChanges__log(v10);
                const v21 = ["log"];
                const v22 = readAt(r18, v21);
                writeAt(r18, v21, plus(v22, r14));
                s3 = r18.root;
              }
            } else {
              s3 = v10;
            }
          }
        }
      }
    }
    return s3;
  } catch (error) {
    throw limited(error);
  }
}

export const sideBySideChanges = (v1: Json, v2: Json): Json => sideBySideChanges_(null, v1, v2);
const sideBySideJudge__failure = (x) => typeof x === "object" && x !== null && x.failure !== undefined
  ? x.failure
  : member(x, "failure");

function sideBySideJudge_(input, $outcomes_1) {
  let b2 = false;
  l3: {
    for (const v4 of elements($outcomes_1)) {
      if (isTrue(sideBySideJudge__failure(v4) !== null)) {
        b2 = true;
        break l3;
      }
    }
  }
  return b2;
}

export const sideBySideJudge = (v1: Json): Json => sideBySideJudge_(null, v1);
const sideBySideParallel2__result = (x) => typeof x === "object" && x !== null && x.result !== undefined
  ? x.result
  : member(x, "result");

function sideBySideParallel2_(input, $outcomes_1) {
  const r2 = draftOf($outcomes_1);
  for (const k4 of keysIn($outcomes_1)) {
    const v5 = $outcomes_1[k4];
    const v6 = [k4];
    const v7 = readAt(r2, v6);
    writeAt(r2, v6, sideBySideParallel2__result(v7));
  }
  return r2.root;
}

export const sideBySideParallel2 = (v1: Json): Json => sideBySideParallel2_(null, v1);
const sideBySideRaise__failure = (x) => typeof x === "object" && x !== null && x.failure !== undefined
  ? x.failure
  : member(x, "failure");

function sideBySideRaise_(input, $outcomes_1) {
  const outputs = [];
  let v2;
  l3: {
    for (const v4 of elements($outcomes_1)) {
      const v5 = sideBySideRaise__failure(v4);
      if (v5 === null) {} else {
        v2 = v5;
        break l3;
      }
    }
  }
  if (v2 !== undefined) outputs.push(v2);
  return outputs;
}

export const sideBySideRaise = (v1: Json): Json => sideBySideRaise_(null, v1)[0];
export const oneByOneJudge = sideBySideJudge;
export const oneByOneRaise = sideBySideRaise;
export const oneByOneJudge2 = sideBySideJudge;
const oneByOneChanges3__log = (x) => typeof x === "object" && x !== null && x.log !== undefined
  ? x.log
  : member(x, "log");

function oneByOneChanges3_(input, $data_1, $gathered_2) {
  let steps = 0;
  try {
    let s3 = $data_1;
    for (const v5 of elements($gathered_2)) {
      if ((steps += 1) > 5_000_000) endSteps();
      const $change_6 = v5;
      const v7 = s3;
      s3 = null;
      const v8 = named($change_6, "handler");
      if (v8 !== undefined) {
        if (v8 === 0) {
          const v9 = named($change_6, "error");
          if (v9 !== undefined) {
            const r10 = [];
            let v11;
            l12: {
              {
                const v13 = named(v9, "message");
                if (v13 !== undefined) {
                  v11 = v13;
                  break l12;
                }
              }
              v11 = "";
              break l12;
            }
            r10.push(v11);
            const r14 = draftOf(v7);
            const v16 = oneByOneChanges3__log(v7);
            const v17 = ["log"];
            const v18 = readAt(r14, v17);
            writeAt(r14, v17, plus(v18, r10));
            s3 = r14.root;
          }
        } else {
          s3 = v7;
        }
      }
    }
    return s3;
  } catch (error) {
    throw limited(error);
  }
}

export const oneByOneChanges3 = (v1: Json, v2: Json): Json => oneByOneChanges3_(null, v1, v2);
export const oneByOneRaise2 = sideBySideRaise;
export const oneByOneChanges4 = oneByOneChanges3;
