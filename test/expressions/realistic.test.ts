import { expect, test } from "vitest";
import { outputs } from "../../src/expressions/analysis/effects.ts";
import { readJq } from "../../src/expressions/syntax/jq/lower.ts";
import type { Json } from "../../src/json.ts";
import { loadJqRunner } from "../bench/expressions/differential/jq.ts";
import { evaluate } from "../bench/expressions/differential/subjects.ts";
import { realisticPrograms } from "./realistic/index.ts";

const jq = await loadJqRunner();

test("there are at least 60 realistic programs, all different", () => {
  const texts = realisticPrograms.map(({ program }) => program);
  expect(texts.length).toBeGreaterThanOrEqual(60);
  expect(new Set(texts).size).toBe(texts.length);
});

test.each(realisticPrograms)("$program by hand, in jq and in the interpreter", async ({ program, inputs, byHand }) => {
  const read = readJq(program);
  if (!("expression" in read)) throw new Error(JSON.stringify(read));
  const written = inputs.map((input) => ({
    outputs: outputs(read.expression) === "one" ? [byHand(input)] : byHand(input),
  }));
  expect(inputs.map((input) => evaluate(read.expression, input))).toEqual(written);
  const answers = await jq.ask(
    program,
    inputs.map((input) => JSON.stringify(input)),
  );
  expect(answers).toEqual(written as readonly { readonly outputs: Json }[]);
});
