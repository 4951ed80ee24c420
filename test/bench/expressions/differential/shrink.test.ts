import { expect, test } from "vitest";
import { loadJqRunner } from "./jq.ts";
import { type ShrinkCandidate, shrink } from "./shrink.ts";

const jq = await loadJqRunner();

test("a program and its input are reduced to the essential parts", async () => {
  const first = {
    program: "def f: .a; [f, (.b | map(. + 1) | length), 1] | add",
    input: '{"a": 1, "b": [1, {"c": 2}, 3], "c": {}}',
  };
  const fails = async (smaller: ShrinkCandidate): Promise<ShrinkCandidate | undefined> => {
    const answers = await jq.ask(smaller.program, [smaller.input]);
    return Array.isArray(answers) && JSON.stringify(answers[0]).includes("cannot be added") ? smaller : undefined;
  };
  expect(await shrink(first, fails)).toEqual({ program: "add", input: "[{},3]" });
});

test("a minimal program is unchanged", async () => {
  const first = { program: ".", input: "null" };
  expect(await shrink(first, async () => undefined)).toBe(first);
});
