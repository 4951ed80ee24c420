import { describe, expect, test } from "vitest";
import type { Json } from "../../../src/json.ts";
import { type DetectedLanguage, detectLanguage } from "../../../src/languages/detect.ts";
import { languages } from "../../../src/languages/index.ts";

const detectedKind = (value: Json): DetectedLanguage["kind"] => detectLanguage(value, languages).kind;
const isReported = (value: Json): boolean => {
  const found = detectLanguage(value, languages);
  return (found.kind === "foreign" || found.kind === "doubtful") && found.language !== undefined;
};

const state = { name: "A", type: "inject", start: { kind: "default" }, end: { kind: "default" } };

describe("detects the draft", () => {
  test("by the types of its states, in any case", () => {
    expect(detectedKind({ states: [state] })).toBe("known");
    expect(detectedKind({ states: [{ name: "A", type: "OPERATION", actions: [] }] })).toBe("known");
  });

  test("despite a state of unknown type", () => {
    expect(detectedKind({ states: [{ name: "A", type: "injekt" }, state] })).toBe("known");
  });

  test("despite features of later versions, if its states are typical", () => {
    expect(detectedKind({ retries: [], states: [state] })).toBe("known");
  });

  test.each<[string, object, string]>([
    ["events under their new name", { onEvents: [] }, "onEvents"],
    ["errors that say what they are", { onErrors: [{ error: "E", transition: {} }] }, "onErrors"],
    ["paths in braces", { stateDataFilter: { dataInputPath: "{{ $.a }}" } }, "dataInputPath"],
  ])("unless it also has a feature of 0.5: %s", (_, members, key) => {
    const value = { states: [{ ...state, ...members }] } as unknown as Json;
    const found = detectLanguage(value, languages);
    expect(found).toMatchObject({ kind: "foreign", dialect: "Serverless Workflow 0.5", evidence: [{ key }] });
  });

  const draft = { functions: [{ name: "f", resource: "r" }], states: [state] };
  test.each([
    ["the type of its only state", { ...draft, states: [{ ...state, type: "opperation" }] }],
    ["a type that is nothing known, if there is enough else", { ...draft, states: [{ ...state, type: "frobnicate" }] }],
    ["no type", { states: [{ name: "A", start: { kind: "default" }, stateDataFilter: {}, end: { kind: "default" } }] }],
    ["`states`", { functions: [], stats: [state] }],
    ["`states` and a type", { sttes: [{ ...state, type: "injct" }] }],
    ["`type`", { states: [{ ...state, type: undefined, tpye: "inject" }] }],
    ["the states by name", { states: { A: state } }],
    ["one that is no object", { states: [null, state] }],
    ["misspelt properties", { states: [{ name: "A", typ: "event", eventActions: [], transiton: { nxtState: "B" } }] }],
  ])("with an error that the schema reports: %s", (_, value) => {
    expect(detectedKind(value as Json)).toBe("known");
  });

  test("without any state, which the schema reports", () => {
    expect(detectedKind({ id: "a", states: [] })).toBe("known");
  });
});

describe("does not decide", () => {
  test.each<[string, Json]>([
    ["that has little of the draft", { states: [{ name: "A", type: "injekt" }] }],
    ["that is in a younger version", { specVersion: "0.8", states: [state] }],
    ["that is a list of definitions", [{ states: [state] }]],
  ])("%s", (_, value) => {
    expect([detectedKind(value) === "known", isReported(value)]).toEqual([false, true]);
  });

  test.each<[string, Json]>([
    ["a list of words", { states: ["Ohio", "Texas"] }],
    ["states without any of its words", { states: [{ name: "Ohio", capital: "Columbus", type: "state" }] }],
    [
      "states by name, one of them parallel",
      { id: "m", initial: "a", states: { a: { type: "parallel", on: { GO: "b" } }, b: {} } },
    ],
    ["Amazon States Language", { StartAt: "A", States: { A: { Type: "Parallel", Branches: [], End: true } } }],
    ["a Kubernetes object", { apiVersion: "v1", kind: "Pod", spec: {}, status: { conditions: [{ type: "Ready" }] } }],
    ["a setting called retries", { retries: 3, start: "now", functions: [{ operation: "f" }] }],
  ])("except for a different kind of file: %s", (_, value) => {
    expect([detectedKind(value) === "known", isReported(value)]).toEqual([false, false]);
  });
});

describe("does not detect the draft", () => {
  test.each([
    null,
    7,
    "states",
    [],
    {},
    { states: {} },
    { states: ["A"] },
    { states: [{ name: "A" }] },
    { states: [{ type: "step" }] },
  ])("without typed states: %j", (value) => {
    expect(["unknown", "doubtful"]).toContain(detectedKind(value as Json));
  });

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
    ["Amazon States Language", { StartAt: "A", States: { A: { Type: "Pass", End: true } } }],
  ])("in %s", (name, value) => {
    expect(detectLanguage(value, languages)).toMatchObject({ kind: "foreign", dialect: name });
  });
});
