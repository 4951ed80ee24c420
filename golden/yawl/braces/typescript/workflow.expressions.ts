// @ts-nocheck: compiled expressions are untyped inside; the exports are typed.
import { type Json, fromJson, get as member, raise, toJson, toText, typeOf } from "./runtime.js";

const tellEnd__n = (x) => typeof x === "object" && x !== null && x.n !== undefined ? x.n : member(x, "n");
const tellEnd__2_ = { name: "STEP_INVALID_OUTPUT", message: "The output of a step has to be an object." };

function tellEnd_(input, result: Json) {
  const output = fromJson("{ \"told\": " + toText(toJson(tellEnd__n(result))) + " }");
  return typeOf(output) === "object" ? output : raise(tellEnd__2_);
}

export const tellEnd = (v1: Json): Json => tellEnd_(null, v1);
