// @ts-nocheck: compiled from expressions that no TypeScript reads well for.
import { type Json, fromJson, get as member, raise, toJson, toText, typeOf } from "./runtime/index.ts";

const tellValue__room = (x) => typeof x === "object" && x !== null && x.room !== undefined ? x.room : member(x, "room");
const tellValue__item = (x) => typeof x === "object" && x !== null && x.item !== undefined ? x.item : member(x, "item");
const tellValue__left = (x) => typeof x === "object" && x !== null && x.left !== undefined ? x.left : member(x, "left");

function tellValue_(input, $state_1) {
  const v2 = "https://chat.example/" + toText(tellValue__room($state_1));
  const v3 = toText(tellValue__item($state_1));
  return {
    url: v2,
    method: "POST",
    body: "There are " + toText(tellValue__left($state_1)) + " of " + v3 + " left: " + "{\"a\":{\"b\":\"}}\"}}" + ".",
  };
}

export const tellValue = (v1: Json): Json => tellValue_(null, v1);
const tellEnd__n = (x) => typeof x === "object" && x !== null && x.n !== undefined ? x.n : member(x, "n");
const tellEnd__2_ = { name: "STEP_INVALID_OUTPUT", message: "The output of a step has to be an object." };

function tellEnd_(input, $result_1) {
  const $output_2 = fromJson("{ \"told\": " + toText(toJson(tellEnd__n($result_1))) + " }");
  return typeOf($output_2) === "object" ? $output_2 : raise(tellEnd__2_);
}

export const tellEnd = (v1: Json): Json => tellEnd_(null, v1);
