import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { compileWith } from "../../../src/compile.ts";
import type { Json } from "../../../src/json.ts";
import { type DetectedLanguage, detectLanguage } from "../../../src/languages/detect.ts";
import { languages } from "../../languages.ts";

/** Public definitions, where they are at hand. */
const examples = join(import.meta.dirname, "../../../../shared/examples");

const filesIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(?:ya?ml|json)$/.test(name))
        .map((name) => join(folder, name))
    : [];

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
    ["that is in a younger version", { specVersion: "0.9", states: [state] }],
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
    ["Serverless Workflow 0.6", { schemaVersion: "0.6", start: "A", states: [operation] }],
    ["Serverless Workflow 0.6", { states: [{ name: "A", type: "delay", timeDelay: "PT1S", end: true }] }],
    ["Serverless Workflow 0.6", { states: [{ name: "A", type: "subflow", workflowId: "w", transition: "B" }] }],
    ["Serverless Workflow 0.5", { functions: [{ name: "f", operation: "a#b" }], states: [operation] }],
    ["Serverless Workflow 0.9", { specVersion: 0.9, states: [] }],
    [
      "Serverless Workflow 0.5",
      {
        states: [
          { ...state, usedForCompensation: true },
          { ...state, compensatedBy: "A" },
        ],
      },
    ],
    [
      "Serverless Workflow 0.5",
      { states: [{ name: "A", type: "parallel", branches: [{ name: "b", workflowId: "w" }] }] },
    ],
    ["Serverless Workflow 0.5", { states: [{ name: "A", type: "foreach", iterationParam: "x", workflowId: "w" }] }],
    [
      "one of the Serverless Workflow drafts of autumn 2019",
      { "starts-at": "A", states: [{ name: "A", type: "SWITCH", choices: [] }] },
    ],
    [
      "one of the Serverless Workflow drafts of autumn 2019",
      {
        states: [{ name: "A", type: "OPERATION", actions: [{ function: { name: "f" } }], end: { status: "SUCCESS" } }],
      },
    ],
    [
      "a file around a state machine in Amazon States Language",
      { name: "pay", definition: { StartAt: "A", States: { A: { Type: "Pass" } } } },
    ],
    ["a mock configuration of Step Functions Local", { StateMachines: { Pay: {} }, MockedResponses: {} }],
    ["Serverless Workflow 0.5", { retries: [], states: [operation] }],
    ["Serverless Workflow 0.5", { states: [{ name: "A", type: "event", onEvents: [] }] }],
    ["release 0.1 of Serverless Workflow", { states: [{ name: "A", type: "SWITCH", choices: [] }] }],
    [
      "a file of definitions that workflows refer to, not a workflow",
      { functions: [{ name: "f", operation: "a#b" }], events: [{ name: "e" }] },
    ],
  ])("in %s", (name, value) => {
    expect(detectLanguage(value, languages)).toMatchObject({ kind: "foreign", dialect: name });
  });
});

describe.skipIf(!existsSync(examples))("the examples of other languages and versions", () => {
  test.each(filesIn(examples))("%s has at most one error about its language", async (path) => {
    const text = readFileSync(path, "utf8");
    const { diagnostics } = await compileWith({ sources: [{ path, text }], options: {} }, languages);
    const errors = diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
    const isOfAnother = /\.MockConfigFile\.|\.(?:functions|events)\./.test(path);
    if (isOfAnother && !errors.includes("WB0005")) expect(errors).toEqual(["WB0102"]);
  });
});
