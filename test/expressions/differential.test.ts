import { expect, test } from "vitest";
import { loadJqRunner } from "../bench/expressions/differential/jq.ts";
import { judge } from "../bench/expressions/differential/judge.ts";
import { type ProgramSet, samplesOf } from "../bench/expressions/differential/samples.ts";
import { subjects } from "../bench/expressions/differential/subjects.ts";
import { describeDisagreement } from "../bench/expressions/differential/tally.ts";

const jq = await loadJqRunner();

test.each<[ProgramSet, number]>([
  ["usual", 70],
  ["wide", 70],
  ["any", 150],
  ["suites", 50],
])(
  "%s random programs match jq's outputs and messages when evaluated, printed as JavaScript, TypeScript or JSONata",
  { timeout: 60_000 },
  async (set, count) => {
    const different: string[] = [];
    const compared = new Map<string, number>();
    for (const [i, sample] of samplesOf(set, 7, count).entries()) {
      for (const judgement of await judge(jq, sample, subjects, i % 2 === 1)) {
        const { subject, values, failures, disagreements } = judgement;
        compared.set(subject, (compared.get(subject) ?? 0) + values + failures);
        different.push(...disagreements.map(describeDisagreement));
      }
    }
    expect(different).toEqual([]);
    expect(compared.get("evaluator")).toBeGreaterThan(count * 4);
    expect(compared.get("javascript")).toBeGreaterThan(count * 4);
  },
);
