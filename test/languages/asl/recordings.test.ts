import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { namesOf } from "../../../src/cli/registry.ts";
import type { Json, JsonObject } from "../../../src/json.ts";
import { readScenarioFile } from "../../../src/scenario/read.ts";
import { onReference, onTarget, type Runner, runScenarios } from "../../../src/scenario/run.ts";
import { targets } from "../../../targets/index.ts";
import { languages } from "../../languages.ts";
import { isUsable, linesOf, type Recording, scenarioOf, usesJsonata } from "./recordings.ts";

// Executions and comparisons that were recorded on AWS, read where they are. The numbers are what the language reaches; raise them with it.

const folder = fileURLToPath(new URL("../../../../shared/cases/asl/", import.meta.url));
const hasRecordings = existsSync(folder);
const recordings = hasRecordings ? linesOf<Recording>(`${folder}recordings.jsonl`).filter(isUsable) : [];
const comparisons = hasRecordings ? linesOf<Comparison>(`${folder}choice-operators.jsonl`) : [];

interface Comparison {
  readonly rule: JsonObject;
  readonly input: Json;
  readonly matches: boolean;
}

type Outcomes = { readonly [outcome: string]: number };

/** How many recordings in JSONPath end as they did on AWS, and how many machines are refused. */
const reached: { readonly [runner: string]: Outcomes } = {
  reference: { passed: 219, failed: 1 },
  asl: { passed: 219, refused: 1 },
  openwhisk: { passed: 199, refused: 20, failed: 1 },
  typescript: { passed: 219, failed: 1 },
};

/** The same for recordings with states in JSONata. */
const reachedInJsonata: { readonly [runner: string]: Outcomes } = {
  reference: { passed: 83 },
  asl: { passed: 83 },
  openwhisk: { passed: 80, refused: 3 },
  typescript: { passed: 83 },
};

const runners: readonly Runner[] = [onReference, ...(await Promise.all(targets.map(onTarget)))];
afterAll(() => {
  for (const { executor } of runners) executor?.close();
});

describe.skipIf(!hasRecordings)("recorded on AWS (skipped without ../shared/cases/asl)", () => {
  test.each(runners)("executions on $name", { timeout: 120_000 }, async (runner) => {
    const outcomes: string[] = [];
    for (const recording of recordings.filter((each) => !usesJsonata(each)))
      outcomes.push(...(await run(recording.definition, scenarioOf(recording), runner)));
    expect(countsOf(outcomes)).toEqual(reached[runner.name]);
  });

  test.each(runners)("executions in JSONata on $name", { timeout: 120_000 }, async (runner) => {
    const outcomes: string[] = [];
    for (const recording of recordings.filter(usesJsonata))
      outcomes.push(...(await run(recording.definition, scenarioOf(recording), runner)));
    expect(countsOf(outcomes)).toEqual(reachedInJsonata[runner.name]);
  });

  test.each(runners)("comparisons on $name", { timeout: 120_000 }, async (runner) => {
    const outcomes: string[] = [];
    for (const cases of Map.groupBy(comparisons, ({ rule }) => JSON.stringify(rule)).values()) {
      const [{ rule }] = cases as [Comparison];
      const scenarios = cases.map(({ input, matches }, i) => ({
        name: String(i),
        input,
        expect: { status: "succeeded", output: matches },
      }));
      const text = JSON.stringify({ workflow: "machine.asl.json", scenarios });
      outcomes.push(...(await run(machineOf(rule), text, runner)));
    }
    expect(countsOf(outcomes)).toEqual({ passed: 322 });
  });
});

/** A machine whose output is whether a rule matches. */
const machineOf = (rule: JsonObject): JsonObject => ({
  StartAt: "Test",
  States: {
    Test: { Type: "Choice", Choices: [{ ...rule, Next: "Yes" }], Default: "No" },
    Yes: { Type: "Pass", Result: true, End: true },
    No: { Type: "Pass", Result: false, End: true },
  },
});

const countsOf = (outcomes: readonly string[]): Outcomes =>
  Object.fromEntries([...Map.groupBy(outcomes, (each) => each)].map(([outcome, list]) => [outcome, list.length]));

async function run(definition: JsonObject, text: string, runner: Runner): Promise<readonly string[]> {
  const file = readScenarioFile({ path: "s.json", text }, { languages, targets: namesOf(targets) }, () => undefined);
  if (!file) return ["unreadable"];
  const sources = [{ path: "machine.asl.json", text: JSON.stringify(definition) }];
  const results = await runScenarios(file, { sources }, runner, languages);
  return results.map(({ outcome }) => outcome);
}
