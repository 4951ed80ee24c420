import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { namesOf } from "../src/cli/registry.ts";
import { readScenarioFile } from "../src/scenario/read.ts";
import { renderResults } from "../src/scenario/report/results.ts";
import { onReference, onTarget, type Result, type Runner, runScenarios } from "../src/scenario/run.ts";
import { readerOf } from "../src/text/uris.ts";
import { targets } from "../targets/index.ts";
import { scenarioExceptions } from "./golden/exceptions.ts";
import { type Golden, goldenNames, readGolden, rewriteGolden } from "./golden/folder.ts";
import { hasExtraLint, validateMachine } from "./golden/machines.ts";
import { configurationOf, makeGolden } from "./golden/make.ts";
import { languages } from "./languages.ts";

// Each folder golden/<language>/<case> contains definitions and the expected output of the compiler: the IR, the files
// of each target and diagnostics. `npm run golden` updates them; review the diff.

const names = goldenNames();
const goldenOf = (name: string): Golden => readGolden(name, (text) => parse(text));
const runners: readonly Runner[] = [onReference, ...(await Promise.all(targets.map(onTarget)))];
afterAll(() => {
  for (const { executor } of runners) executor?.close();
});

describe.each(names)("%s", (name) => {
  test("the folder contains exactly the output", async () => {
    const golden = goldenOf(name);
    const texts = await makeGolden(golden);
    if (process.env["UPDATE_GOLDEN"]) rewriteGolden(golden, texts);
    expect(goldenOf(name).kept).toEqual(texts);
  });

  test(`third-party validators accept its machines${hasExtraLint ? "" : " (extra-lint is not installed)"}`, async () => {
    const machines = Object.entries(goldenOf(name).kept).filter(([path]) => path.endsWith(".asl.json"));
    for (const [path, text] of machines)
      expect({ path, faults: await validateMachine(text) }).toEqual({ path, faults: [] });
  });

  test.each(runners)("its scenarios pass on $name", async (runner) => {
    const golden = goldenOf(name);
    const file =
      golden.scenarios && readScenarioFile(golden.scenarios, { languages, targets: namesOf(targets) }, () => {});
    if (!file) return expect("ir.txt" in golden.kept && !golden.scenarios, "what compiles has scenarios").toBe(false);
    const paths = new Set([file.workflow, ...file.subflows.values()].map((path) => path.replace(/^\.\//, "")));
    const sources = [...paths].map((path) => golden.sources.find((source) => source.path === path)!);
    const configuration = configurationOf(golden);
    const definitions = { sources, configurationOf: () => configuration, read: readerOf(golden.schemas) };
    const results = await runScenarios(file, definitions, runner, languages);
    expect(results.length).toBeGreaterThan(0);
    const expected = scenarioExceptions[runner.name]?.[name] ?? {};
    const isWrong = ({ scenario, outcome }: Result) =>
      (outcome === "failed") !== Object.hasOwn(expected, scenario) ||
      (outcome === "refused" && runner.target === undefined);
    expect(results.some(isWrong), renderResults(results)).toBe(false);
  });
});
