import type { JsonObject } from "../../src/json.ts";
import { readScenarioFile } from "../../src/scenario/read.ts";
import { openScenarios } from "../../src/scenario/run.ts";
import { languages } from "../languages.ts";
import { median } from "./measure.ts";
import type { BenchmarkRow } from "./row.ts";

/** Measures a scenario of a state machine with as many events as the history of Step Functions has at most 25,000 of. */
export async function localRunRows(): Promise<readonly BenchmarkRow[]> {
  const parts: { [dialect: string]: number } = {};
  for (const [dialect, machine] of Object.entries(machines)) parts[dialect] = await secondsOf(machine);
  return [
    {
      ...{ name: "scenario of a state machine with 10,000 events of history", unit: "s", limit: 1 },
      ...{ value: Math.max(...Object.values(parts)), parts },
    },
  ];
}

/** An iteration has 9 events: 5 of a Task, and 2 each of a Pass and a Choice. */
const iterations = Math.ceil(10_000 / 9);

const resource = "arn:aws:lambda:eu-west-1:123456789012:function:work";

const machines: { readonly [dialect: string]: JsonObject } = {
  JSONPath: {
    StartAt: "Work",
    States: {
      Work: {
        Type: "Task",
        Resource: resource,
        Parameters: { "n.$": "$.n", "text.$": "States.Format('item {}', $.n)" },
        ResultPath: "$.result",
        Next: "Count",
      },
      Count: { Type: "Pass", Parameters: { "n.$": "States.MathAdd($.n, 1)", "last.$": "$.result.id" }, Next: "More" },
      More: {
        Type: "Choice",
        Choices: [{ Variable: "$.n", NumericLessThan: iterations, Next: "Work" }],
        Default: "Done",
      },
      Done: { Type: "Succeed" },
    },
  },
  JSONata: {
    QueryLanguage: "JSONata",
    StartAt: "Work",
    States: {
      Work: {
        Type: "Task",
        Resource: resource,
        Arguments: { n: "{% $states.input.n %}", text: "{% 'item ' & $string($states.input.n) %}" },
        Output: { n: "{% $states.input.n %}", result: "{% $states.result %}" },
        Next: "Count",
      },
      Count: {
        Type: "Pass",
        Output: { n: "{% $states.input.n + 1 %}", last: "{% $states.input.result.id %}" },
        Next: "More",
      },
      More: {
        Type: "Choice",
        Choices: [{ Condition: `{% $states.input.n < ${iterations} %}`, Next: "Work" }],
        Default: "Done",
      },
      Done: { Type: "Succeed" },
    },
  },
};

/** The seconds in which a scenario is read, compiled and run on the reference. */
async function secondsOf(machine: JsonObject): Promise<number> {
  const scenario = {
    name: "many iterations",
    input: { n: 0 },
    functions: { Work: { returns: { id: "a", items: [1, 2, 3] } } },
    expect: { status: "succeeded", output: { n: iterations, last: "a" } },
  };
  const text = JSON.stringify({ workflow: "machine.asl.json", scenarios: [scenario] });
  const sources = [{ path: "machine.asl.json", text: JSON.stringify(machine) }];
  const times: number[] = [];
  for (let i = 0; i < 3; i += 1) {
    const began = performance.now();
    const file = readScenarioFile({ path: "s.json", text }, { languages, targets: [] }, () => undefined)!;
    const session = openScenarios(file, { sources }, languages);
    const [observed] = await session.observations();
    await session.close();
    const seen = observed!.seen;
    if (!Array.isArray(seen) || seen[0].outcome.status !== "succeeded")
      throw new Error("The scenario did not succeed.");
    times.push((performance.now() - began) / 1000);
  }
  return median(times);
}
