import { expect, test } from "vitest";
import { emptyTally, runBatch, seedsFrom, table } from "./campaign.ts";
import { generators } from "./generators.ts";
import { keepOutput, testKeptOutput } from "./kept-output.ts";

const emitted = keepOutput();

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

testKeptOutput(emitted);
