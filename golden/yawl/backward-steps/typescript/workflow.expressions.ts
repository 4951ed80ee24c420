// @ts-nocheck: compiled from expressions that no TypeScript reads well for.
import { type Json, get as member } from "./runtime/index.ts";

const decide__ready = (x) => typeof x === "object" && x !== null && x.ready !== undefined ? x.ready : member(x, "ready");

function decide_(input, $state_1) {
  const $condition_2 = decide__ready($state_1);
  return $condition_2 === true || $condition_2 === "true";
}

export const decide = (v1: Json): Json => decide_(null, v1);
