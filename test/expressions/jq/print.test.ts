import fc from "fast-check";
import { expect, test } from "vitest";
import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import { checkNames } from "../../../src/expressions/syntax/jq/names.ts";
import { parseJq } from "../../../src/expressions/syntax/jq/parse.ts";
import { withoutPositions } from "./drawing.ts";
import { explicit } from "./explicit.ts";
import { loadOracle } from "./oracle.ts";
import { printJq } from "./print.ts";
import { trees } from "./trees.ts";

// `WAYBILL_RUNS` and `WAYBILL_SEED` control the random trees. `suites.test.ts` checks jq's reading of its own printed
// tests.

const runs = Number(process.env["WAYBILL_RUNS"] ?? 400);
const seed = Number(process.env["WAYBILL_SEED"] ?? 1);

const printed = (text: string): string => {
  const query = parseJq(text);
  return isParseError(query) ? query.message : printJq(query);
};

test.each([
  ".",
  "..",
  "1.50",
  '"a\\"b"',
  '"a\\(.b)c"',
  '@base64 "\\(.a)"',
  ".a.b[0][1:][].c?",
  '.["a b"].c',
  ".a?.b?",
  "(.a)?",
  ".a??",
  "(1).a",
  "-.a",
  "-(1 + 2)",
  "(-1).a",
  "1 + 2 * 3 - 4",
  "(1 + 2) * (3 - 4)",
  "1 - (2 - 3)",
  "(1 == 2) == 3",
  ".a or .b and .c",
  "(.a or .b) and .c",
  ".a // .b // .c",
  "(.a // .b) // .c",
  ".a = (.b // 1)",
  ".a |= .b + 1",
  "1, 2 | 3, 4",
  "1 | (2 | 3), 4",
  "(1, 2), 3",
  "[.[] | .a, .b]",
  '{ a: 1, "b c": (.d | .e), (.f): (1, 2), $x, $y: 1, g }',
  "{}",
  "try error(1) catch .a",
  "try (1 | 2) catch -.a",
  "1?",
  "if .a then 1 elif .b then 2 else 3 end",
  "if .a then 1 end | 2",
  "reduce .[] as $x (0; . + $x)",
  "foreach .[] as [$a, { b: $b, $c, ($d): $e }] (0; 1; 2)",
  ". as [$a] ?// $a | $a",
  "1, 2 as $x | 3",
  "(1 as $x | $x), 2",
  "[1 as $x | $x, 2]",
  "def f(g; $x): g + $x; f(.a; 1)",
  "1 | def f: 1; f",
  "(def f: 1; f) + 1",
  "label $out | 1, break $out",
  "first(range(1; 2))",
])("prints unchanged: %s", (text) => {
  expect(printed(text)).toBe(text);
});

test.each([
  [" ( ( .a ) ) | ( .b | .c ) # so\n", ".a | .b | .c"],
  ['.["a"]."b".["c"][ "d e" ]', '.a.b.c["d e"]'],
  ['{a:1,"b":2,@text "c":3,$x:4,(.d):5,}', "{ a: 1, b: 2, c: 3, $x: 4, (.d): 5 }"],
  ['{x: $x, ("y"): $y}', "{ $x, $y }"],
  ["try 1", "1?"],
  ["((1) + (2)) + ((3) * (4))", "1 + 2 + 3 * 4"],
  ['"\\u0041\\/\\u00e9\\u2028\\ud83d\\ude00\\u0000"', '"A/é\\u2028😀\\u0000"'],
  ["1,(2 as $x|$x)", "1, 2 as $x | $x"],
  ["$__loc__\n,\n$__loc__", "$__loc__, $__loc__"],
])("%j prints as %s", (text, expected) => {
  expect(printed(text)).toBe(expected);
});

test(`${5 * runs} random trees round-trip`, { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(trees(), (tree) => {
      const again = parseJq(printJq(tree));
      expect(isParseError(again) ? again : withoutPositions(again)).toEqual(withoutPositions(tree));
    }),
    { seed, numRuns: 5 * runs },
  );
});

test(`${runs} random trees compile in jq as with all parentheses`, { timeout: 600_000 }, async () => {
  const oracle = await loadOracle();
  const scoped = trees().filter((tree) =>
    checkNames(tree, ["a", "b", "given", "_x1", "if", "null"]).every(({ category }) => category !== "unknown"),
  );
  fc.assert(
    fc.property(scoped, (tree) => {
      const text = `1 as $a | 1 as $b | 1 as $_x1 | 1 as $if | 1 as $null | `;
      const code = oracle.bytecode(`${text}${printJq(tree)}`);
      expect(code).not.toContain("compile error");
      expect(code).toBe(oracle.bytecode(`${text}${explicit(tree)}`));
    }),
    { seed, numRuns: runs },
  );
});
