import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import { namesOf } from "../../src/cli/registry.ts";
import { check } from "../../src/compile.ts";
import { assertWellFormed } from "../../src/ir/verify.ts";
import { stepsOf } from "../../src/ir/walk.ts";
import type { Language } from "../../src/language.ts";
import type { Expectation, RecordedCall, Scenario, ScenarioFile } from "../../src/scenario/model.ts";
import { readScenarioFile } from "../../src/scenario/read.ts";
import { renderResults } from "../../src/scenario/report/results.ts";
import { onReference, onTarget, openScenarios, type Runner } from "../../src/scenario/run.ts";
import type { Target } from "../../src/target/contract.ts";
import { readerOf } from "../../src/text/uris.ts";
import { targets } from "../../targets/index.ts";
import { scenarioExceptions } from "../golden/exceptions.ts";
import { type Golden, goldenNames, readGolden } from "../golden/folder.ts";
import { randomFrom } from "../languages/mutants.ts";
import { languages } from "../languages.ts";
import { namesLikeOurs } from "./hostile.ts";
import { type Renaming, renamed } from "./renamed.ts";
import { renamedSource, type SourceRenaming } from "./renamed-source.ts";

const rounds = Number(process.env["WAYBILL_RUNS"] ?? 1);
const firstSeed = Number(process.env["WAYBILL_SEED"] ?? 1);

const goldens = goldenNames().map((name) => readGolden(name, (text) => parse(text)));
const verified = targets.map(
  (target): Target => ({
    ...target,
    generate: (program, settings, report) =>
      target.generate(program, { ...settings, verify: assertWellFormed }, report),
  }),
);
const runners: readonly Runner[] = [onReference, ...(await Promise.all(verified.map(onTarget)))];
afterAll(() => {
  for (const { executor } of runners) executor?.close();
});

/** The languages, with the names of all workflows changed. */
const languagesWith = (names: Renaming): readonly Language[] =>
  languages.map((language) => ({
    ...language,
    lower(document, context) {
      const workflow = language.lower(document, context);
      return workflow && renamed(workflow, names);
    },
  }));

/**
 * Renames functions in a scenario file, and states in error messages. `isOpen` keeps only what the reference does,
 * since branch names may be keys of data.
 */
function scenariosWith(
  file: ScenarioFile,
  names: Renaming & SourceRenaming,
  { isFunction, isState }: { readonly [is in "isFunction" | "isState"]: (name: string) => boolean },
  isOpen: boolean,
): ScenarioFile {
  const other = (name: string) => (isFunction(name) ? names.function(name) : name);
  const called = (call: RecordedCall): RecordedCall => ({ ...call, function: other(call.function) });
  const failing = ({ error }: Expectation): Expectation["error"] => {
    const message = error?.["message"];
    const state = typeof message === "string" ? names.state(message) : undefined;
    return state !== undefined && isState(state) ? { ...error, message: state } : error;
  };
  const expecting = (expect: Expectation): Expectation => ({
    ...expect,
    error: failing(expect),
    ...(isOpen ? { output: undefined, error: undefined } : {}),
    calls: isOpen ? undefined : expect.calls?.map(called),
    maybe: expect.maybe.map(called),
  });
  return {
    ...file,
    scenarios: file.scenarios.map(
      (scenario): Scenario => ({
        ...scenario,
        functions: new Map([...scenario.functions].map(([name, answers]) => [other(name), answers])),
        expect: expecting(scenario.expect),
        runs: scenario.runs.map((run) => ({ ...run, expect: expecting(run.expect) })),
      }),
    ),
  };
}

async function wrong(golden: Golden, file: ScenarioFile, seed: number): Promise<readonly string[]> {
  const names = namesLikeOurs(randomFrom(seed));
  const paths = new Set([file.workflow, ...file.subflows.values()].map((path) => path.replace(/^\.\//, "")));
  const sources = [...paths].map((path) => golden.sources.find((source) => source.path === path)!);
  const definitions = {
    sources: sources.map((source) =>
      renamedSource(source, seed % 2 === 0 ? names : { ...names, branch: (name) => name }),
    ),
    read: readerOf(golden.schemas),
  };
  const { program } = check({ ...definitions, options: {} }, languages);
  const functions = new Set(program?.workflows.flatMap((workflow) => workflow.functions.map(({ name }) => name)));
  const states = new Set(program?.workflows.flatMap((workflow) => stepsOf(workflow).map(({ origin }) => origin.name)));
  const scenarios = scenariosWith(
    file,
    names,
    { isFunction: (name) => functions.has(name), isState: (name) => states.has(name) },
    seed % 2 === 0,
  );
  const session = openScenarios(scenarios, definitions, languagesWith(names));
  try {
    const faults: string[] = [];
    for (const runner of runners) {
      const results = await session.run(runner);
      const expected = scenarioExceptions[runner.name]?.[golden.name] ?? {};
      const bad = results.filter(
        ({ outcome, scenario }) =>
          (outcome === "failed" && !Object.hasOwn(expected, scenario)) ||
          (outcome === "refused" && runner.target === undefined),
      );
      if (bad.length > 0) faults.push(renderResults(bad));
    }
    return faults;
  } finally {
    await session.close();
  }
}

test.each(goldens.filter(({ scenarios }) => scenarios))("$name", { timeout: 600_000 }, async (golden) => {
  const file = readScenarioFile(golden.scenarios!, { languages, targets: namesOf(targets) }, () => {});
  if (!file) return;
  for (let seed = firstSeed; seed < firstSeed + rounds; seed++)
    expect({ seed, wrong: await wrong(golden, file, seed) }).toEqual({ seed, wrong: [] });
});
