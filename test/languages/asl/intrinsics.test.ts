import { expect, test } from "vitest";
import { namesOf } from "../../../src/cli/registry.ts";
import type { Json } from "../../../src/json.ts";
import { readScenarioFile } from "../../../src/scenario/read.ts";
import { onReference, runScenarios } from "../../../src/scenario/run.ts";
import { targets } from "../../../targets/index.ts";
import { languages } from "../../languages.ts";

const machine = {
  StartAt: "Read",
  States: {
    Read: { Type: "Pass", Parameters: { "read.$": "States.StringToJson($)" }, OutputPath: "$.read", End: true },
  },
};

async function failures(scenarios: readonly { readonly input: string; readonly expect: Json }[]): Promise<Json> {
  const named = scenarios.map((each) => ({ name: each.input.slice(0, 20), ...each }));
  const text = JSON.stringify({ workflow: "machine.asl.json", scenarios: named });
  const file = readScenarioFile({ path: "s.json", text }, { languages, targets: namesOf(targets) }, () => undefined);
  const sources = [{ path: "machine.asl.json", text: JSON.stringify(machine) }];
  const results = await runScenarios(file!, { sources }, onReference, languages);
  return results.flatMap(({ outcome }, i) => (outcome === "passed" ? [] : [named[i]!.name]));
}

test("States.StringToJson reads JSON", async () => {
  const values = [
    ["NaN", 1, null, 'a"nan', "\\"],
    { "+1": -0.5e3 },
    [],
    "",
    0,
    [true, { a: [false] }],
    "a".repeat(50_000),
  ];
  const scenarios = values.map((output) => ({
    input: JSON.stringify(output, null, 1),
    expect: { status: "succeeded", output },
  }));
  expect(await failures(scenarios)).toEqual([]);
});

test("States.StringToJson reads nothing that only jq takes for JSON", async () => {
  const texts = ["NaN", "[1, nan]", "-Infinity", "+1", "01", "1.", ".5", "'a'", "[1,]", "# a", "1 2", '"a', "[1.e5]"];
  const scenarios = texts.map((input) => ({ input, expect: { status: "failed", error: { name: "States.Runtime" } } }));
  expect(await failures(scenarios)).toEqual([]);
});
