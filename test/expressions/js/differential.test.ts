import { expect, test } from "vitest";
import { loadJqRunner } from "../../bench/expressions/differential/jq.ts";
import { judge } from "../../bench/expressions/differential/judge.ts";
import { type ProgramSet, samplesOf } from "../../bench/expressions/differential/samples.ts";
import { describeDisagreement } from "../../bench/expressions/differential/tally.ts";

const jq = await loadJqRunner();

test.each<[ProgramSet, number]>([
  ["usual", 70],
  ["wide", 70],
  ["any", 200],
])(
  "%s random programs compiled to JavaScript match jq's outputs and messages",
  { timeout: 60_000 },
  async (set, count) => {
    const different: string[] = [];
    let compared = 0;
    for (const [i, sample] of samplesOf(set, 7, count).entries()) {
      for (const { values, failures, disagreements } of await judge(jq, sample, ["javascript"], i % 2 === 1)) {
        compared += values + failures;
        different.push(...disagreements.map(describeDisagreement));
      }
    }
    expect(different).toEqual([]);
    expect(compared).toBeGreaterThan(count * 4);
  },
);
