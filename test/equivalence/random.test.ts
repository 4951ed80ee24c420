import { describe, expect, test } from "vitest";
import { namesOf } from "../../src/cli/registry.ts";
import { targets } from "../../targets/index.ts";
import { emptyTally, runBatch, seedsFrom, table } from "./campaign.ts";
import { generators } from "./generators.ts";
import { keepOutput, testKeptOutput } from "./kept-output.ts";

// Random programs and mutants with fixed seeds. `npm run equivalence -- --minutes 20` uses fresh seeds.

const kinds = [
  { kind: "random", count: 15 },
  { kind: "mutants", count: 40 },
] as const;

const emitted = keepOutput();

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

testKeptOutput(emitted);
