import { expect, test } from "vitest";
import { core } from "../../../expressions/js/running.ts";
import { printOutcome } from "./compare.ts";
import { loadJqRunner } from "./jq.ts";
import { judge, matchesEvaluator, type ProgramJudgment } from "./judge.ts";
import { withLetterKeys } from "./renamed-keys.ts";
import type { Subject } from "./subjects.ts";

const jq = await loadJqRunner();

const judged = async (program: string, input: string, subject: Subject = "javascript"): Promise<ProgramJudgment> =>
  (await judge(jq, { program, inputs: [input] }, [subject], false))[0]!;

test("integer-like strings and keys get a letter, including computed ones", () => {
  const { program, inputs } = withLetterKeys({
    program: '{"1": .a} + INDEX(.b)',
    inputs: ['{"2": "3", "a": [4, "x5"]}'],
  });
  expect(program).toContain("def INDEX(f): INDEX(.[]; f);\n");
  expect(program).toMatch(/\n\{"k1": \.a\} \+ INDEX\(\.b\)$/);
  expect(inputs).toEqual(['{"k2":"k3","a":[4,"x5"]}']);
});

test.each([
  ["[INDEX(.) | keys_unsorted[]]", '["b", 1]'],
  ["{ (INDEX(.)): . }", '{"b": null, "c": 10}'],
  ['[{b: 1, "1": 2}[]]', "null"],
])("%s has no definite result, because JavaScript orders keys differently", async (program, input) => {
  expect(await judged(program, input)).toMatchObject({ values: 0, failures: 0, unanswered: 1, disagreements: [] });
});

test("nor does a message that quotes an object with such keys", async () => {
  const judgement = await judged("path(INDEX(.))", '{"d": null, "a": 10}', "evaluator");
  expect(judgement).toMatchObject({ failures: 0, unanswered: 1, disagreements: [] });
});

test("machines may exceed jq's depth limit, caught or not", async () => {
  const judgement = await judged("try getpath([range(10001)]) catch .", "null", "jsonata");
  expect(judgement.disagreements).toEqual([]);
});

test("a difference that remains with other keys is a disagreement", async () => {
  // jq keeps the digits of this number regardless of key names.
  const { disagreements, unanswered } = await judged('[{b: (100000000000000000001 | tojson), "1": 2}[]]', "null");
  expect(unanswered).toBe(0);
  expect(disagreements).toHaveLength(1);
});

test("order of keys does not excuse JavaScript that differs from the evaluator", async () => {
  // With a letter before the first interpolation, both fail alike.
  const judgedProgram = { subject: "javascript", core: core('"\\(error("a"))\\(error("b"))"') } as const;
  expect(matchesEvaluator(judgedProgram, "null", printOutcome({ failed: "b" }))).toBe(true);
  expect(matchesEvaluator(judgedProgram, "null", printOutcome({ failed: "a" }))).toBe(false);
});
