import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/json.ts";
import { migratedStates } from "../../../targets/asl/keep/migration.ts";

const statesOf = (states: JsonObject, more: JsonObject = {}): readonly string[] =>
  migratedStates({ StartAt: "A", States: states as { readonly [name: string]: JsonObject }, ...more });

const pass = { Type: "Pass", End: true };

test.each<[string, JsonObject]>([
  ["a path", { InputPath: "$.a" }],
  ["a template", { Parameters: { b: [{ "a.$": "$.a" }] } }],
  ["an intrinsic function", { ResultSelector: { "a.$": "States.MathAdd($, 1)" } }],
  ["a time", { SecondsPath: "$.s" }],
  ["a path into the input of the execution", { Parameters: { "a.$": "$$.Execution.Input.a" } }],
  ["a comparison", { Choices: [{ Not: { Variable: "$.a", IsNull: true } }] }],
  ["a variable of a catcher", { Catch: [{ Assign: { "a.$": "$.Cause" } }] }],
])("%s may fail", (_, fields) => expect(statesOf({ A: { ...pass, ...fields } })).toEqual(["A"]));

test.each<[string, JsonObject]>([
  ["the whole input", { InputPath: "$", Parameters: { "a.$": "$" } }],
  ["a member of the context object", { Parameters: { "a.$": "$$.Task.Token", "b.$": "$$.Map.Item.Value" } }],
  ["the place of a result", { ResultPath: "$.a", Catch: [{ ResultPath: "$.error" }] }],
  ["a test for presence", { Choices: [{ Variable: "$.a", IsPresent: true }] }],
  ["a literal", { Result: { "a.$": "$.a" } }],
  ["a state in JSONata", { QueryLanguage: "JSONata", Assign: { "a.$": "$.a" } }],
])("%s does not", (_, fields) => expect(statesOf({ A: { ...pass, ...fields } })).toEqual([]));

test("states inside of others count, and those of machines in JSONata do not", () => {
  const inner = { A: { ...pass, Branches: [{ StartAt: "B", States: { B: { ...pass, OutputPath: "$.b" } } }] } };
  expect(statesOf(inner)).toEqual(["B"]);
  expect(statesOf(inner, { QueryLanguage: "JSONata" })).toEqual([]);
});
