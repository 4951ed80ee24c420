import { expect, test } from "vitest";
import { emptyTally, runBatch, table } from "./campaign.ts";
import { generators } from "./generators.ts";
import { keepOutput, testKeptOutput } from "./kept-output.ts";

// `npm run equivalence -- --minutes 20` also runs loops that never wait, which take seconds each.

const emitted = keepOutput();

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

/** Halves the time of this test. */
const isEven = (_: string, index: number): boolean => index % 2 === 0;

testKeptOutput(emitted);
