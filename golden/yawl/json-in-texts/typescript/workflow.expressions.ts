// @ts-nocheck: compiled from expressions that no TypeScript reads well for.
import { type Json, fromJson, get as member, plus, raise, toJson, toText, typeOf } from "./runtime/index.ts";

const prepare__lines = (x) => typeof x === "object" && x !== null && x.lines !== undefined
  ? x.lines
  : member(x, "lines");
const prepare__id = (x) => typeof x === "object" && x !== null && x.id !== undefined ? x.id : member(x, "id");
const prepare__3_ = { name: "STEP_INVALID_OUTPUT", message: "The output of a step has to be an object." };

function prepare_(input, $state_1) {
  const v2 = toText(toJson(prepare__lines($state_1)));
  const $output_3 = fromJson("{ \"subject\": \"Order " + toText(prepare__id($state_1)) + "\", \"lines\": " + v2 + " }");
  return typeOf($output_3) === "object" ? plus($state_1, $output_3) : raise(prepare__3_);
}

export const prepare = (v1: Json): Json => prepare_(null, v1);
