import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { namesOf } from "../../src/cli/registry.ts";
import { check, generate } from "../../src/compile.ts";
import { readScenarioFile } from "../../src/scenario/read.ts";
import { renderResults } from "../../src/scenario/report/results.ts";
import { onReference, onTarget, runScenarios } from "../../src/scenario/run.ts";
import { readerOf } from "../../src/text/uris.ts";
import { targets } from "../../targets/index.ts";
import { languages } from "../languages.ts";
import { emptyTally, runBatch, seedsFrom, table } from "./campaign.ts";
import { validateOutput, writeOutput } from "./emitted.ts";
import { readFindings } from "./findings.ts";
import { generators } from "./generators.ts";

// Random programs and mutants with fixed seeds. The validators check the output of all of them at once.
// `npm run equivalence -- --minutes 20` uses fresh seeds and also runs loops that never wait, which take seconds each.

const kinds = [
  { kind: "random", count: 15 },
  { kind: "mutants", count: 40 },
] as const;

const emitted = mkdtempSync(join(tmpdir(), "waybill-emitted-"));
afterAll(() => rmSync(emitted, { recursive: true, force: true }));

describe.each(generators)("$language", ({ language }) => {
  test.each(kinds)("$count $kind programs", { timeout: 600_000 }, async ({ kind, count }) => {
    const tally = emptyTally();
    const names = seedsFrom(101, count);
    await runBatch(tally, { kind, language, names, trials: 100, emitted, prefix: `${language} ${kind} ` });
    expect(tally.findings, table(tally, language)).toEqual([]);
    expect(tally.cases).toBe(names.length);
    if (kind === "mutants") return;
    for (const target of ["reference", ...namesOf(targets)])
      expect(tally.accepted.get(target)).toBeGreaterThan(count / 3);
    expect(tally.status.get("succeeded")).toBeGreaterThan(count / 6);
    expect(tally.status.get("failed")).toBeGreaterThan(count / 10);
  });
});

test.each(generators)(
  "programs without ties in $language, nothing excused",
  { timeout: 600_000 },
  async (generator) => {
    const tally = emptyTally();
    const { language } = generator;
    const names = seedsFrom(3801, 10);
    const job = { kind: "random", language, names, trials: 50, isStrict: true } as const;
    await runBatch(tally, { ...job, emitted, prefix: `${language} strict ` });
    expect(tally.findings, table(tally, language)).toEqual([]);
    expect(tally.tied).toBeLessThan(tally.scenarios / 2);
  },
);

test.each(generators)(
  "extreme programs in $language take little time and memory",
  { timeout: 600_000 },
  async (generator) => {
    const tally = emptyTally();
    const names = [...generator.large.keys()].filter((name) => !name.endsWith("never waits")).filter(isEven);
    const { language } = generator;
    const job = { kind: "large", language, names, trials: 0, emitted, prefix: `${language} large ` } as const;
    await runBatch(tally, job, { seconds: 10, megabytes: 512 });
    expect(tally.findings, table(tally, language)).toEqual([]);
    expect(tally.cases).toBe(names.length);
  },
);

test("the output of all these programs is valid", { timeout: 300_000 }, async () => {
  expect(await validateOutput(emitted)).toEqual([]);
});

/** Halves the time of this test. */
const isEven = (_: string, index: number): boolean => index % 2 === 0;

test.each(readFindings())("the finding $name is fixed", async ({ sources }) => {
  const scenarios = sources.find(({ path }) => path === "scenarios.yaml")!;
  const file = readScenarioFile(scenarios, { languages, targets: namesOf(targets) }, () => undefined)!;
  const paths = [file.workflow, ...file.subflows.values()].map((path) => path.replace(/^\.\//, ""));
  const definitions = {
    sources: paths.map((path) => sources.find((source) => source.path === path)!),
    read: readerOf(sources),
  };
  for (const runner of [onReference, ...(await Promise.all(targets.map(onTarget)))]) {
    const holds = file.scenarios.filter(({ targets }) => runner === onReference || targets.includes(runner.name));
    const results = await runScenarios({ ...file, scenarios: holds }, definitions, runner, languages);
    runner.executor?.close();
    expect(
      results.filter(({ outcome }) => outcome === "failed"),
      renderResults(results),
    ).toEqual([]);
  }
});

test("the output for the findings is valid", { timeout: 120_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "findings-"));
  try {
    let count = 0;
    for (const { name, sources } of readFindings()) {
      const definitions = sources.filter(({ path }) => path !== "scenarios.yaml");
      const { program } = check({ sources: definitions, options: {}, read: readerOf(sources) }, languages);
      for (const target of program ? targets : []) {
        const { files } = await generate(program!, target);
        writeOutput(folder, name, new Map([[target.name, files]]));
        count += files.length;
      }
    }
    expect(count).toBeGreaterThan(50);
    expect(await validateOutput(folder)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
