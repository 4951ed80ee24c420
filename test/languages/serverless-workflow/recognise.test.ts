import { describe, expect, test } from "vitest";
import { foreign, recognises } from "../../../src/languages/serverless-workflow/recognise.ts";

const state = { name: "A", type: "inject", start: { kind: "default" }, end: { kind: "default" } };

describe("a document is taken for the draft", () => {
  test("by the types of its states, in any case", () => {
    expect(recognises({ states: [state] })).toBe(true);
    expect(recognises({ states: [{ name: "A", type: "OPERATION", actions: [] }] })).toBe(true);
  });

  test("although one state has a type that there is not", () => {
    expect(recognises({ states: [{ name: "A", type: "injekt" }, state] })).toBe(true);
  });

  test("although it has what later versions have, if its states are clearly the draft's", () => {
    expect(recognises({ retries: [], states: [state] })).toBe(true);
  });

  test("with no state at all, which the schema then tells", () => {
    expect(recognises({ id: "a", states: [] })).toBe(true);
  });
});

describe("a document is not taken for the draft", () => {
  test.each([null, 7, "states", [], {}, { states: {} }, { states: ["A"] }, { states: [{ name: "A" }] }, { states: [{ type: "step" }] }])(
    "that has no states with types: %j",
    (value) => {
      expect(recognises(value)).toBe(false);
      expect(foreign(value)).toBeUndefined();
    },
  );

  const operation = { name: "A", type: "operation", actions: [] };
  test.each([
    ["Serverless Workflow 1.0", { document: { dsl: "1.0.0" }, do: [] }],
    ["Serverless Workflow 0.8", { specVersion: "0.8", states: [state] }],
    ["Serverless Workflow 0.6", { start: "A", states: [operation] }],
    ["Serverless Workflow 0.6", { states: [{ ...operation, end: true }] }],
    ["Serverless Workflow 0.6", { states: [{ ...operation, transition: "B" }] }],
    ["Serverless Workflow 0.6", { functions: [{ name: "f", operation: "a#b" }], states: [operation] }],
    ["Serverless Workflow 0.5", { retries: [], states: [operation] }],
    ["Serverless Workflow 0.5", { states: [{ name: "A", type: "event", onEvents: [] }] }],
    ["Serverless Workflow 0.1", { states: [{ name: "A", type: "SWITCH", choices: [] }] }],
    ["CNCF Function Workflow 0.1", { "trigger-defs": {}, states: [operation] }],
  ])("that is in %s", (name, value) => {
    expect(recognises(value)).toBe(false);
    expect(foreign(value)).toBe(name);
  });
});
