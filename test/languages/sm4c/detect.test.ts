import { expect, test } from "vitest";
import type { Json } from "../../../src/json.ts";
import { detectLanguage } from "../../../src/languages/detect.ts";
import { languages } from "../../languages.ts";

const taken = (value: Json): string => {
  const found = detectLanguage(value, languages);
  return found.kind === "known" || found.kind === "doubtful" ? `${found.kind} ${found.language.name}` : found.kind;
};

test.each<[string, Json, string]>([
  ["a machine", { name: "a", version: "1", states: [{ name: "A", start: true, transitions: [] }] }, "known sm4c"],
  ["one in other case", { Name: "a", States: [{ Name: "A", Start: true, EnterAction: {} }] }, "known sm4c"],
  ["one of a single state", { name: "a", version: "1", states: [{ name: "A", start: true }] }, "known sm4c"],
  ["a misspelt action", { states: [{ name: "A", start: true, enterActon: {} }] }, "known sm4c"],
  ["states that say nothing", { states: [{ name: "A" }] }, "doubtful sm4c"],
  [
    "the draft",
    {
      id: "a",
      states: [{ name: "A", type: "inject", start: { kind: "default" }, data: {}, end: { kind: "default" } }],
    },
    "known serverless-workflow",
  ],
  ["a list of states of the union", { states: ["Ohio", "Iowa"] }, "unknown"],
])("%s", (_, value, expected) => {
  expect(taken(value)).toBe(expected);
});
