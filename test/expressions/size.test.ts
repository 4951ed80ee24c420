import fc from "fast-check";
import { expect, test } from "vitest";
import { minJsonBytes } from "../../src/expressions/analysis/size.ts";
import { evaluate } from "../../src/expressions/interpreter/evaluate.ts";
import { EvaluationError } from "../../src/expressions/library/failure.ts";
import { core } from "./js/running.ts";
import { expression } from "./random.ts";
import { document } from "./random-jq.ts";

test.each([
  ['"äb"', 5],
  ['{ a: "x", b: [1, 22] }', 20],
  ['{ a: "long", "a": 1 }', 7],
  ['{ a: "long", (.b): 1 }', 2],
  ['[1, .[], "x"]', 7],
  ["[.[], 12345]", 7],
  ['"a\\(.b)c"', 4],
  ['"0123456789" * 300', 3002],
  ['"0123456789" * .n', 1],
  ['[1, 2] + ["abc"]', 10],
  ['{ a: "long" } + { a: 1 }', 7],
  ['if .a then "12" else "1234" end', 4],
  ['.a // "1234"', 1],
  ['.a as $x | "1234"', 6],
  [".a", 1],
])("outputs of %s have at least %i bytes", (program, bytes) => {
  expect(minJsonBytes(core(program))).toBe(bytes);
});

test("no output of random expressions is smaller", () => {
  let large = 0;
  fc.assert(
    fc.property(expression, document, (given, input) => {
      const bytes = Buffer.byteLength(JSON.stringify(input));
      const least = minJsonBytes(given, (name) => (["data", "x", "y"].includes(name) ? bytes : undefined));
      if (least > 1) large++;
      const variables = new Map(["data", "x", "y"].map((name) => [name, input] as const));
      try {
        for (const value of evaluate(given, { input, variables }))
          expect(Buffer.byteLength(JSON.stringify(value))).toBeGreaterThanOrEqual(least);
      } catch (error) {
        if (!(error instanceof EvaluationError)) throw error;
      }
    }),
    { numRuns: 2000, seed: 20261122 },
  );
  expect(large).toBeGreaterThan(200);
});
