import { expect, test } from "vitest";
import { namesOf } from "../../../src/cli/registry.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import { readScenarioFile } from "../../../src/scenario/read.ts";
import { onReference, onTarget, runScenarios } from "../../../src/scenario/run.ts";
import { targets } from "../../../targets/index.ts";
import { languages } from "../../languages.ts";

// Decisions about states in JSONata, each on the reference and all targets.

const queryError = "States.QueryEvaluationError";

/** A machine of one state, and one that ends with what it catches. */
const machineOf = (state: JsonObject): JsonObject => ({
  QueryLanguage: "JSONata",
  StartAt: "State",
  States: { State: state["Type"] === "Choice" ? state : { End: true, ...state }, Caught: { Type: "Succeed" } },
});

const task = { Type: "Task", Resource: "arn:aws:lambda:eu-west-1:123456789012:function:f" };

const catching = { Catch: [{ ErrorEquals: [queryError], Output: "caught", Next: "Caught" }] };

const failed = { status: "failed", error: { name: queryError } };

const gives = (output: Json): JsonObject => ({ status: "succeeded", output });

const output = (text: string): JsonObject => ({ Type: "Pass", Output: `{% ${text} %}` });

test.each<[string, JsonObject, JsonObject]>([
  ["null is a value", output("$states.input.none"), gives(null)],
  ["nothing is an error", output("$states.input.missing"), failed],
  ["nothing in a template is an error", { Type: "Pass", Output: { a: "{% $states.input.missing %}" } }, failed],
  ["a function is an error", output("function($x) { $x }"), failed],
  ["a single find is no array", output("$states.input.list[$ > 2]"), gives(3)],
  ["text around an expression is constant", { Type: "Pass", Output: " {% 1 %}" }, gives(" {% 1 %}")],
  ["keys are constant", { Type: "Pass", Output: { "a.$": "$.b" } }, gives({ "a.$": "$.b" })],
  ["division by zero", output("1 / 0"), failed],
  ["division by zero in a comparison", output("1 / 0 > 5"), failed],
  ["a remainder by zero in a comparison", output("5 % 0 = 1"), failed],
  ["a sum beyond the range of doubles in a comparison", output("$sum([1e308, 1e308]) > 1"), failed],
  ["a range of one number", output("$range(1, 1, 1)"), gives(1)],
  ["a range that leads away", output("$range(1, 3, -1)"), failed],
  ["chunks", output("$partition($states.input.list, 2)"), gives([[1, 2], [3]])],
  ["a seeded random number", output("$random(42)"), gives(0.7275636800328681)],
  ["parsed JSON", output("$parse('{\"a\": [1]}')"), gives({ a: [1] })],
  ["a random id", output("$length($uuid() & $uuid())"), gives(72)],
  ["an own error of Arguments", { ...task, ...catching, Arguments: "{% $states.input.missing %}" }, gives("caught")],
  ["an own error of Output", { ...task, ...catching, Output: "{% $states.result.missing %}" }, gives("caught")],
  ["an error of a catcher", catcherThatFails(), failed],
  ["a condition that is no Boolean", choice("$states.input.list"), failed],
  ["items that are no array", mapOf("$states.input.none"), failed],
  ["the error output", caughtOutput(), gives({ name: "Busy", cause: "later" })],
])("%s", { timeout: 60_000 }, async (_, state, expected) => {
  const needsMore = state["Type"] === "Choice" || state["Catch"] !== undefined;
  const machine = needsMore ? machineOf(state) : withoutCaught(machineOf(state));
  const input = { none: null, list: [1, 2, 3] };
  const functions = needsMore && state["Type"] === "Task" ? { State: answerOf(state) } : {};
  const text = JSON.stringify({
    workflow: "machine.asl.json",
    scenarios: [{ name: "it", input, functions, expect: expected }],
  });
  for (const runner of [onReference, ...(await Promise.all(targets.map(onTarget)))]) {
    const file = readScenarioFile({ path: "s.json", text }, { languages, targets: namesOf(targets) }, () => undefined)!;
    const sources = [{ path: "machine.asl.json", text: JSON.stringify(machine) }];
    const [result] = await runScenarios(file, { sources }, runner, languages);
    runner.executor?.close();
    expect([runner.name, result?.outcome]).toEqual([runner.name, "passed"]);
  }
});

const answerOf = ({ Catch }: JsonObject): JsonObject =>
  JSON.stringify(Catch).includes("Busy") ? { throws: { error: "Busy", cause: "later" } } : { returns: {} };

function withoutCaught(machine: JsonObject): JsonObject {
  const { State } = machine["States"] as JsonObject;
  return { ...machine, States: { State: State! } };
}

function catcherThatFails(): JsonObject {
  return { ...task, Catch: [{ ErrorEquals: ["Busy"], Output: "{% $states.input.missing %}", Next: "Caught" }] };
}

function caughtOutput(): JsonObject {
  const given = { name: "{% $states.errorOutput.Error %}", cause: "{% $states.errorOutput.Cause %}" };
  return { ...task, Catch: [{ ErrorEquals: ["Busy"], Output: given, Next: "Caught" }] };
}

function choice(condition: string): JsonObject {
  return { Type: "Choice", Choices: [{ Condition: `{% ${condition} %}`, Next: "Caught" }], Default: "Caught" };
}

function mapOf(items: string): JsonObject {
  const processor = { StartAt: "Item", States: { Item: { Type: "Pass", End: true } } };
  return { Type: "Map", Items: `{% ${items} %}`, ItemProcessor: processor };
}
