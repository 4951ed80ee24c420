import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { namesOf } from "../../src/cli/registry.ts";
import { check, generate } from "../../src/compile.ts";
import { readScenarioFile } from "../../src/scenario/read.ts";
import { renderResults } from "../../src/scenario/report/results.ts";
import { onReference, onTarget, runScenarios } from "../../src/scenario/run.ts";
import { readerOf } from "../../src/text/uris.ts";
import { targets } from "../../targets/index.ts";
import { languages } from "../languages.ts";
import { validateOutput, writeOutput } from "./emitted.ts";
import { readFindings } from "./findings.ts";

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
