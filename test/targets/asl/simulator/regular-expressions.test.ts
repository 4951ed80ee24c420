import { expect, test } from "vitest";
import { BoundedRegExp } from "../../../../src/expressions/index.ts";
import { createEvaluator } from "../../../../targets/asl/simulator/evaluator.ts";
import { cpuTime } from "../../../cpu.ts";

const evaluate = (text: string): Promise<unknown> =>
  createEvaluator({ now: () => 0, random: () => 0, uuid: () => "" } as never)
    .field("Output", `{% ${text} %}`, { states: {}, variables: { own: new Map(), outer: undefined }, state: "S" })
    .catch((error: Error) => error.message);

const letters = "a".repeat(60);

test.each([
  [`$contains("${letters}!", /^(a+)+(?![\\s\\S])/)`, false],
  [`$contains("${letters}!", /^(?:[^b]|[\\ud800-\\udbff][\\udc00-\\udfff])*b/)`, false],
  [`$match("${letters}b", /(x+x+)+y|b/).index`, 60],
  [`$replace("🍐${letters}", /(?:a|a)*(?![\\s\\S])/, "x", 1)`, "🍐x"],
  [`$split("a1b22c", /[0-9]+/)`, ["a", "b", "c"]],
])("%s takes bounded time", async (text, expected) => {
  const start = cpuTime();
  expect(await evaluate(text)).toEqual(expected);
  expect(cpuTime() - start).toBeLessThan(5_000);
});

test("a search with too many steps fails", async () => {
  expect(await evaluate(`$contains("${letters}b", /^(?=(a+)+b!).|^((?:a+)+)\\2c/)`)).toContain(
    "Regex failure: retry-limit-in-match over",
  );
});

test("matches are those of the engine", () => {
  for (const [source, flags, text] of [
    ["(a)|(b)*c", "g", "xbbcac"],
    ["a+b", "gi", "aAB ab"],
    ["(?:b|a)*🍐", "g", "ab🍐🍐"],
  ] as const) {
    const found = [...text.matchAll(new BoundedRegExp(source, flags))].map((match) => [...match, match.index]);
    expect(found).toEqual([...text.matchAll(new RegExp(source, flags))].map((match) => [...match, match.index]));
  }
});
