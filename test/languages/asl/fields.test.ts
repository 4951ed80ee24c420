import { describe, expect, test } from "vitest";
import { check } from "../../../src/compile.ts";
import type { JsonObject } from "../../../src/json.ts";
import { languages } from "../../languages.ts";

const codesOf = (state: JsonObject, more: JsonObject = {}): readonly string[] => {
  const text = JSON.stringify({ StartAt: "A", States: { A: state, ...more } });
  return check({ sources: [{ path: "machine.asl.json", text }], options: {} }, languages).diagnostics.map(
    ({ code }) => code,
  );
};

const pass = { Type: "Pass", End: true };
const reading = (path: string): JsonObject => ({ ...pass, Parameters: { "value.$": path } });
const inner = (state: JsonObject): JsonObject => ({ StartAt: "B", States: { B: state } });
const map = (fields: JsonObject): JsonObject => ({ Type: "Map", ItemProcessor: inner(pass), End: true, ...fields });
const distributed = (state: JsonObject): JsonObject => ({
  ...inner(state),
  ProcessorConfig: { Mode: "DISTRIBUTED", ExecutionType: "STANDARD" },
});
const task = { Type: "Task", Resource: "arn:aws:lambda:eu-west-1:123456789012:function:charge", End: true };

describe("fields that cannot be compiled exactly are refused", () => {
  test.each([
    ["a random value for each item", map({ ItemSelector: { "id.$": "States.UUID()" } }), "WB4003"],
    [
      "a random value for each item in JSONata",
      map({ QueryLanguage: "JSONata", ItemSelector: "{% $uuid() %}" }),
      "WB2814",
    ],
    ["failures that an inline Map tolerates", map({ ToleratedFailureCount: 1 }), "WB2833"],
    ["a reader of an inline Map", map({ ItemReader: { Resource: "arn:aws:states:::s3:getObject" } }), "WB2838"],
    ["results that are only transformed", map({ ItemProcessor: distributed(pass), ResultWriter: {} }), "WB2814"],
    ["batches without a limit", map({ ItemProcessor: distributed(pass), ItemBatcher: {} }), "WB2808"],
    ["a slice with a step", reading("$.list[0:4:2]"), "WB2814"],
    ["a negative limit", { ...task, TimeoutSeconds: -5 }, "WB1006"],
    ["no seconds", { ...task, TimeoutSeconds: 0 }, "WB1006"],
    ["a long wait", { Type: "Wait", Seconds: 100_000_000, End: true }, "WB1006"],
    ["a day that does not exist", { Type: "Wait", Timestamp: "2026-02-29T00:00:00Z", End: true }, "WB2817"],
    ["negative concurrency", map({ MaxConcurrency: -1 }), "WB1006"],
    [
      "the execution type of an inline Map",
      map({ ItemProcessor: { ...inner(pass), ProcessorConfig: { ExecutionType: "EXPRESS" } } }),
      "WB2814",
    ],
  ] as const)("%s", (_, state, code) => {
    expect(codesOf(state)).toContain(code);
  });

  test("`Variable` beside `And`", () => {
    const rule = { Variable: "$.a", And: [{ Variable: "$.b", IsPresent: true }], Next: "B" };
    expect(codesOf({ Type: "Choice", Choices: [rule], Default: "B" }, { B: pass })).toEqual(["WB2807"]);
  });

  test("an empty cause beside an absent one", () => {
    const branches = { Type: "Parallel", Branches: [inner({ Type: "Fail", Error: "NoStock" })], End: true };
    const caught = { ...branches, Catch: [{ ErrorEquals: ["States.ALL"], Next: "C" }] };
    expect(codesOf(caught, { C: pass })).toEqual(["WB2834"]);
    expect(codesOf(caught, { C: { Type: "Fail", Error: "NoStock", Cause: "" } })).toEqual(
      expect.arrayContaining(["WB2814"]),
    );
  });

  test("a variable around a distributed Map", () => {
    const load = { Type: "Pass", Assign: { rate: 7 }, Next: "M" };
    const item = map({ ItemProcessor: distributed(reading("$rate")) });
    expect(codesOf(load, { M: item })).toEqual(["WB2818"]);
  });
});

test("fields of the context object that a state has not are reported", () => {
  expect(codesOf(reading("$$.Execution.Input.order"))).toEqual([]);
  expect(codesOf(reading("$$.State.RetryCount"))).toEqual([]);
  expect(codesOf(reading("$$.Execution.Nmae"))).toEqual(["WB3804"]);
  expect(codesOf(map({ ItemProcessor: inner(reading("$$.Map.Item.Value")) }))).toEqual(["WB3804"]);
  expect(codesOf(map({ ItemSelector: { "value.$": "$$.Map.Item.Value" } }))).toEqual([]);
});

test("only catchers around a Fail state without a cause see empty causes as null", () => {
  const caught = { Catch: [{ ErrorEquals: ["States.ALL"], Next: "F" }] };
  const fail = { F: { Type: "Fail", Error: "Bad" } };
  expect(codesOf({ ...task, ...caught }, fail)).toEqual([]);
  const refuse = { StartAt: "R", States: { R: { Type: "Fail", Error: "Refused" } } };
  expect(codesOf({ Type: "Parallel", Branches: [refuse], ...caught, End: true }, fail)).toEqual(["WB2834"]);
});

test("variables have Unicode names", () => {
  const next = reading("$größe");
  expect(codesOf({ Type: "Pass", Assign: { größe: 1 }, Next: "B" }, { B: next })).toEqual([]);
});

test("leap years have February 29", () => {
  const until = (day: string): JsonObject => ({ Type: "Wait", Timestamp: `${day}T00:00:00Z`, End: true });
  for (const year of ["2024", "2000", "0400"]) expect(codesOf(until(`${year}-02-29`))).toEqual([]);
  for (const year of ["2023", "1900", "2100"]) expect(codesOf(until(`${year}-02-29`))).toEqual(["WB2817"]);
});
