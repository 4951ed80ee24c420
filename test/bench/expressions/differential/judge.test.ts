import { expect, test } from "vitest";
import { loadAsker } from "./jq.ts";
import { type Judgement, judge } from "./judge.ts";
import type { Subject } from "./subjects.ts";
import { worded } from "./worded.ts";

const jq = await loadAsker();

const judged = async (program: string, input: string, subject: Subject = "javascript"): Promise<Judgement> =>
  (await judge(jq, { program, inputs: [input] }, [subject], false))[0]!;

test("texts and names like numbers get a letter, those that are made of numbers too", () => {
  const { program, inputs } = worded({ program: '{"1": .a} + INDEX(.b)', inputs: ['{"2": "3", "a": [4, "x5"]}'] });
  expect(program).toContain("def INDEX(f): INDEX(.[]; f);\n");
  expect(program).toMatch(/\n\{"k1": \.a\} \+ INDEX\(\.b\)$/);
  expect(inputs).toEqual(['{"k2":"k3","a":[4,"x5"]}']);
});

test.each([
  ["[INDEX(.) | keys_unsorted[]]", '["b", 1]'],
  ["{ (INDEX(.)): . }", '{"b": null, "c": 10}'],
  ['[{b: 1, "1": 2}[]]', "null"],
])("%s has no one answer, as JavaScript keeps another order of members", async (program, input) => {
  expect(await judged(program, input)).toMatchObject({ values: 0, failures: 0, unanswered: 1, disagreements: [] });
});

test("nor has a message that shows an object with such names", async () => {
  const judgement = await judged("path(INDEX(.))", '{"d": null, "a": 10}', "evaluator");
  expect(judgement).toMatchObject({ failures: 0, unanswered: 1, disagreements: [] });
});

test("machines are not held to what is nested too deep for jq, caught or not", async () => {
  const judgement = await judged("try getpath([range(10001)]) catch .", "null", "jsonata");
  expect(judgement.disagreements).toEqual([]);
});

test("what differs for other names too is a disagreement", async () => {
  // jq keeps the digits of this number regardless of key names.
  const { disagreements, unanswered } = await judged('[{b: (100000000000000000001 | tojson), "1": 2}[]]', "null");
  expect(unanswered).toBe(0);
  expect(disagreements).toHaveLength(1);
});
