import { expect, test } from "vitest";
import type { Json } from "../../../src/json.ts";
import { detectLanguage } from "../../../src/languages/detect.ts";
import { languages } from "../../languages.ts";

const taken = (value: Json): string => {
  const found = detectLanguage(value, languages);
  return found.kind === "known" || found.kind === "doubtful" ? `${found.kind} ${found.language.name}` : found.kind;
};

test.each<[string, Json, string]>([
  ["a definition", { yawl: "0.1", start: "a", steps: { a: { noOp: {} } } }, "known yawl"],
  ["its version alone", { yawl: "0.1" }, "known yawl"],
  ["a version that is a number", { yawl: 0.1, steps: {} }, "known yawl"],
  ["steps without a version", { start: "a", steps: { a: { httpCall: { url: "b" } } } }, "known yawl"],
  ["a misspelt version", { yaml: "0.1", start: "a", steps: { a: {} } }, "doubtful yawl"],
  ["a pipeline", { steps: [{ run: "make" }] }, "unknown"],
  ["steps of other kinds", { steps: { build: { commands: ["make"] } } }, "unknown"],
  ["a composition", { Entry: "a", Exit: "a", States: { a: { Type: "Empty" } } }, "known composer-fsm"],
])("%s", (_, value, expected) => {
  expect(taken(value)).toBe(expected);
});
