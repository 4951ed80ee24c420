// @ts-nocheck: compiled from expressions that no TypeScript reads well for.
import { type Json, either, allElements as elements, get as member, toText } from "./runtime/index.ts";

const announceValue__by = (x) => typeof x === "object" && x !== null && x.by !== undefined ? x.by : member(x, "by");
const announceValue__id = (x) => typeof x === "object" && x !== null && x.id !== undefined ? x.id : member(x, "id");
const announceValue__total = (x) => typeof x === "object" && x !== null && x.total !== undefined
  ? x.total
  : member(x, "total");
const announceValue__lines = (x) => typeof x === "object" && x !== null && x.lines !== undefined
  ? x.lines
  : member(x, "lines");
const announceValue__name = (x) => typeof x === "object" && x !== null && x.name !== undefined
  ? x.name
  : member(x, "name");

function announceValue_(input, $state_1) {
  const v2 = toText(either(announceValue__by($state_1), "nobody"));
  const v3 = "https://shop.example/orders/" + toText(announceValue__id($state_1)) + "/notes?by=" + v2;
  const v4 = { "X-Total": toText(announceValue__total($state_1)), "X-Note": "a \\ stands for itself, and so does \\n" };
  const r5 = [];
  for (const v6 of elements(announceValue__lines($state_1))) {
    r5.push(announceValue__name(v6));
  }
  return {
    url: v3,
    method: "POST",
    headers: v4,
    body: toText({ lines: r5, say: "(" + toText(announceValue__id($state_1)) + ")" }),
  };
}

export const announceValue = (v1: Json): Json => announceValue_(null, v1);
