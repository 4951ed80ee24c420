import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { check } from "../../src/compile.ts";
import { diffPrograms } from "../../src/diff/compare.ts";
import { renderDiffMarkdown } from "../../src/diff/markdown.ts";
import { diffScenario } from "../../src/diff/outcomes.ts";
import { renderDiff } from "../../src/diff/text.ts";
import type { Program } from "../../src/ir/workflow.ts";
import type { Json } from "../../src/json.ts";
import { readScenarioFile } from "../../src/scenario/read.ts";
import { type ObservedScenario, openScenarios } from "../../src/scenario/run.ts";
import type { Source } from "../../src/text/source.ts";
import { type Golden, goldenNames, readGolden } from "../golden/folder.ts";
import { compileGolden } from "../golden/make.ts";
import { mutant, randomFrom } from "../languages/mutants.ts";
import { languages } from "../languages.ts";

const goldens = goldenNames().map((name) => readGolden(name, (text) => parse(text) as unknown));

test("a program does not differ from itself, but from all others, in each form of the report", () => {
  const programs = goldens
    .filter((_, i) => i % 3 === 0)
    .flatMap((golden): readonly (readonly [string, Program])[] => {
      const { program } = compileGolden(golden);
      return program ? [[golden.name, program]] : [];
    });
  expect(programs.length).toBeGreaterThan(40);
  for (const [i, [name, program]] of programs.entries()) {
    expect([name, diffPrograms(program, program).isEqual]).toEqual([name, true]);
    const other = programs[(i + 1) % programs.length]![1];
    const diff = diffPrograms(program, other);
    expect([name, diff.isEqual]).toEqual([name, false]);
    expect(renderDiff(diff)).toContain("workflow ");
    expect(renderDiffMarkdown({ ...diff, scenarios: [], stats: [] }, program, other)).toContain("### Workflow");
  }
});

const plain = goldens.filter(
  ({ sources, schemas, modules, configuration, scenarios, settings }) =>
    scenarios && !configuration && sources.length === 1 && schemas.length + modules.length === 0 && !settings.options,
);

/** The number of mutants; more in long runs. */
const count = Number(process.env["WAYBILL_DIFF_MUTANTS"] ?? 150);

test("each mutant with another result is reported", { timeout: 60_000 + count * 1000 }, async () => {
  const seen = { compiled: 0, changed: 0 };
  for (let seed = 0; seed < count; seed++) {
    const golden = plain[seed % plain.length]!;
    const [original] = golden.sources as readonly [Source];
    const text = mutant(original.text, parseAllDocuments(original.text)[0]?.toJS() as Json, randomFrom(seed));
    const changed = { path: original.path, text };
    const [old, created] = [programOf(original), programOf(changed)];
    if (!old || !created) continue;
    seen.compiled += 1;
    const diff = diffPrograms(old, created);
    const isReported = diff.workflows.every(({ kind, changes }) => kind !== "changed" || changes.length > 0);
    expect([golden.name, seed, isReported]).toEqual([golden.name, seed, true]);
    if (!diff.isEqual) continue;
    const [before, after] = [await observe(golden, original), await observe(golden, changed)];
    const differences = before.map(({ scenario, seen }, i) => diffScenario("", scenario, seen, after[i]!.seen));
    expect([golden.name, seed, differences.filter(({ kind }) => kind === "changed")]).toEqual([golden.name, seed, []]);
    seen.changed += text === original.text ? 0 : 1;
  }
  expect(seen.compiled).toBeGreaterThan(count / 10);
});

const programOf = (source: Source): Program | undefined => check({ sources: [source], options: {} }, languages).program;

const known = { languages, targets: ["asl", "openwhisk", "typescript"] };

async function observe({ scenarios }: Golden, source: Source): Promise<readonly ObservedScenario[]> {
  const file = readScenarioFile(scenarios!, known, () => undefined);
  if (!file) return [];
  const session = openScenarios(file, { sources: [source] }, languages);
  try {
    return await session.observations();
  } finally {
    await session.close();
  }
}
