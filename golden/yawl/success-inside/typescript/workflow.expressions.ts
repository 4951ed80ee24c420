// @ts-nocheck: compiled from expressions that no TypeScript reads well for.
import { type Json, get as member } from "./runtime/index.ts";

const found__found = (x) => typeof x === "object" && x !== null && x.found !== undefined ? x.found : member(x, "found");

function found_(input, $state_1) {
  const $condition_2 = found__found($state_1);
  return $condition_2 === true || $condition_2 === "true";
}

export const found = (v1: Json): Json => found_(null, v1);
