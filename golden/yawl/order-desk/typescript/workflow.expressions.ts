// @ts-nocheck: JavaScript compiled from expressions has no types inside; what is exported has them.
import { type Json, allElements as elements, endSteps, limited, get as member, memberOf as named, plus, raise, typeOf } from "./runtime/index.ts";

const pickValue__orderId = (x) => typeof x === "object" && x !== null && x.orderId !== undefined
  ? x.orderId
  : member(x, "orderId");
const pickValue__2_ = {
  name: "STEP_INVALID_ARGUMENT",
  message: "The input of foreach step pick is not an array of objects.",
};
const pickValue__3_ = {
  name: "STEP_INVALID_ARGUMENT",
  message: "The input of foreach step pick is not an array of objects.",
};

function pickValue_(input, $global_1, $state_2) {
  let steps = 0;
  try {
    const r3 = [];
    let v4;
    l5: {
      {
        const v6 = named($state_2, "lines");
        if (v6 !== undefined) {
          v4 = v6;
          break l5;
        }
      }
      v4 = null;
      break l5;
    }
    for (const v7 of elements(v4)) {
      if ((steps += 1) > 5_000_000) endSteps();
      r3.push(plus(v7, { order: pickValue__orderId($global_1) }));
    }
    if (typeOf(r3) === "array") {
      const r8 = [];
      for (const v9 of elements(r3)) {
        if ((steps += 1) > 5_000_000) endSteps();
        r8.push(typeOf(v9) === "object" ? v9 : raise(pickValue__3_));
      }
      return r8;
    } else {
      return raise(pickValue__2_);
    }
  } catch (error) {
    throw limited(error);
  }
}

export const pickValue = (v1: Json, v2: Json): Json => pickValue_(null, v1, v2);
