import { expect, test } from "vitest";
import type { Json } from "../../../src/json.ts";
import { detectLanguage } from "../../../src/languages/detect.ts";
import { languages } from "../../languages.ts";

const taken = (value: Json): string => {
  const found = detectLanguage(value, languages);
  return found.kind === "known" || found.kind === "doubtful" ? `${found.kind} ${found.language.name}` : found.kind;
};

const operation = { type: "OPERATION", actions: [{ function: "f" }], "next-state": "B" };

test.each<[string, Json, string]>([
  ["a definition", { states: { A: operation, B: { type: "END" } } }, "known function-workflow"],
  ["an END state alone", { states: { A: { type: "END" } } }, "known function-workflow"],
  ["triggers alone", { "trigger-defs": {} }, "known function-workflow"],
  ["states in a list", { states: [{ name: "A", ...operation }] }, "known function-workflow"],
  ["states in a list by name", { states: [{ A: operation }] }, "known function-workflow"],
  ["a key in upper case", { STATES: {}, "TRIGGER-DEFS": {} }, "known function-workflow"],
  ["misspelt keys", { "triger-defs": {}, states: { A: { "nxt-state": "B" } } }, "known function-workflow"],
  ["one misspelt key", { states: { A: { "nxt-state": "B" } } }, "unknown"],
  [
    "a state of the draft",
    { states: [{ name: "A", type: "operation", actions: [], actionMode: "parallel" }] },
    "known serverless-workflow",
  ],
  ["a map of states of something else", { states: { open: { on: { close: "closed" } } } }, "unknown"],
])("%s", (_, value, expected) => {
  expect(taken(value)).toBe(expected);
});
