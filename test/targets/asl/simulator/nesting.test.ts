import { expect, test } from "vitest";
import { createEvaluator } from "../../../../targets/asl/simulator/evaluator.ts";

// AWS evaluates expressions nested 100 deep, and no deeper.

const evaluate = (text: string): Promise<unknown> =>
  createEvaluator({ now: () => 0, random: () => 0, uuid: () => "" } as never)
    .field("Output", `{% ${text} %}`, { states: {}, variables: { own: new Map(), outer: undefined }, state: "S" })
    .catch((error: Error) => error.message.slice(error.message.indexOf("U1001")));

const tooDeep = "U1001: Stack overflow error. Depth=101 max=100";
const terms = (count: number): string => Array<string>(count).fill("1").join(" + ");
const recursive = (depth: number): string => `($f := function($n) { $n = 0 ? 0 : 1 + $f($n - 1) }; $f(${depth}))`;
const nested = (open: string, depth: number, close: string): string => open.repeat(depth) + 1 + close.repeat(depth);

test.each([
  ["100 terms", terms(100), 100],
  ["101 terms", terms(101), tooDeep],
  ["99 parentheses", nested("(", 99, ")"), 1],
  ["100 parentheses", nested("(", 100, ")"), tooDeep],
  ["31 calls", recursive(31), 31],
  ["32 calls", recursive(32), tooDeep],
  ["a loop of tail calls", "($f := function($n, $sum) { $n = 0 ? $sum : $f($n - 1, $sum + 1) }; $f(500, 0))", 500],
  ["elements one after the other", `[${terms(98)}, ${terms(98)}, ${recursive(30)}]`, [98, 98, 30]],
  ["an element that is too deep itself", `[1, ${terms(100)}]`, tooDeep],
  [
    "members one after the other",
    `{"a": ${terms(98)}, "b": [${terms(97)}, {"c": ${terms(96)}}]}`,
    { a: 98, b: [97, { c: 96 }] },
  ],
  [
    "lists in lists of a function that calls itself",
    "($f := function($n) { $n = 0 ? [] : [[$n], $f($n - 1)] }; $count($f(19)))",
    19,
  ],
] as const)("%s", async (_, text, expected) => {
  expect(await evaluate(text)).toEqual(expected);
});
