import fc from "fast-check";
import { expect, test } from "vitest";
import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import { parseJq } from "../../../src/expressions/syntax/jq/parse.ts";
import { loadOracle } from "./oracle.ts";

// jq's compiler folds constant keys and rejects those that are not strings. `WAYBILL_RUNS` and `WAYBILL_SEED` control
// the random keys.

const runs = Number(process.env["WAYBILL_RUNS"] ?? 400);
const seed = Number(process.env["WAYBILL_SEED"] ?? 1);

const atoms = [
  ...[
    "0",
    "1",
    "2.5",
    "1e1000",
    "9223372036854775808",
    "null",
    "true",
    "false",
    '"a"',
    '"bc"',
    "[]",
    "{}",
    "[1]",
    "[1, 2]",
    "[[1], {a: null}]",
  ],
  ...[
    "{a: 1}",
    '{("a"): 1}',
    "{a}",
    "{$given}",
    "{a: .}",
    "[.]",
    '{"a\\(1)": 1}',
    "$__loc__",
    ".",
    "$given",
    "empty",
    "(. | 1)",
    "(1 | .)",
    "(1 | 2)",
  ],
  ...[
    "(1, 2)",
    "[1, (2, 3)]",
    "[(1, 2), 3]",
    '("a", "b")',
    '"a\\(1)b"',
    "@base64",
    '@base64 "a"',
    "(def f: 1; f)",
    "(def f: 1; 2)",
  ],
  ...[
    "(if 1 then 2 end)",
    "(label $x | 1)",
    "(1 as $x | 2)",
    "[1]?",
    "1?",
    "(try 1)",
    "[1][0]",
    '"a"[0:1]',
    "-1",
    "(1 // 2)",
    "(1 and 2)",
  ],
];
const operators = ["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", ",", "|", "//"];

const { constants } = fc.letrec<{ constants: string }>((tie) => ({
  constants: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 3, arbitrary: fc.constantFrom(...atoms) },
    {
      weight: 6,
      arbitrary: fc
        .tuple(tie("constants"), fc.constantFrom(...operators), tie("constants"))
        .map((parts) => `(${parts.join(" ")})`),
    },
    { weight: 1, arbitrary: tie("constants").map((inner) => `[${inner}]`) },
    { weight: 1, arbitrary: tie("constants").map((inner) => `{a: ${inner}}`) },
    {
      weight: 1,
      arbitrary: fc.tuple(tie("constants"), tie("constants")).map(([key, value]) => `{(${key}): ${value}}`),
    },
  ),
}));

test(`${5 * runs} random keys are rejected if jq rejects them`, { timeout: 600_000 }, async () => {
  const oracle = await loadOracle();
  const counts = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(constants, fc.boolean(), (key, isPattern) => {
      const text = isPattern ? `. as {(${key}): $x} | 1` : `{(${key}): 1}`;
      const query = parseJq(text);
      counts[isParseError(query) ? "refused" : "taken"] += 1;
      expect(!isParseError(query)).toBe(oracle.compiles(text));
    }),
    { seed, numRuns: 5 * runs },
  );
  expect(counts.taken).toBeGreaterThan(runs);
  expect(counts.refused).toBeGreaterThan(runs);
});

/** Edge cases of jq's constant folding. */
const edges: readonly string[] = [
  ...[
    '"a" * 0',
    '"a" * 1',
    '"a" * -1',
    '"a" * (0 - 1)',
    '0 * "a"',
    '"a" * (1e1000 - 1e1000)',
    '"a" * "b"',
    '"a" * null',
    '"a" * 9223372036854775808',
  ],
  ...[
    "true + true",
    "true + null",
    "null + true",
    "null + null",
    '"a" + "b"',
    '"a" + 1',
    "[] + []",
    "{} + {}",
    "1 + null",
    '"a" + null',
  ],
  ...["[] - []", "1 - 1", '"a" - "a"', "{} - {}", "null - null", "{} * {}", "[] * 1", "1 * 1", "true * 1"],
  ...[
    "1 / 0",
    "1 / 1",
    '"a" / "b"',
    '"a" / 1',
    "[] / []",
    "1 % 0",
    "1 % 0.5",
    "1 % 1",
    "1e1000 % 1",
    '"a" * (1e1000 % 1)',
    '"a" * ((0 - 1e1000) % 3)',
  ],
  ...[
    "1 % (1e1000 - 1e1000)",
    "1 == 1",
    '1 < "a"',
    ". == 1",
    "-1",
    "-(1)",
    "1 // 2",
    "1 and 2",
    "not",
    ". | 1",
    "1 | .",
    "1 | 2",
    "1, 2",
  ],
];

test.each(edges)("the key %s is rejected if jq rejects it, also inside of constants", async (key) => {
  const oracle = await loadOracle();
  const texts = [
    `{(${key}): 1}`,
    `{([${key}]): 1}`,
    `{({a: ${key.includes(",") ? "1" : `(${key})`}}): 1}`,
    `{({(${key}): 1}): 1}`,
  ];
  expect(texts.filter((text) => isParseError(parseJq(text)))).toEqual(texts.filter((text) => !oracle.compiles(text)));
});

test.each([
  ['{(1 + 1): 1, (.a): 2, "b": 3}', 2, 7, "This key is a number; keys must be strings."],
  ['{a: {("b"): [{(null): 1}]}}', 15, 19, "This key is null; keys must be strings."],
  ["def f: {(true): 1}; 1", 9, 13, "This key is a boolean; keys must be strings."],
  [". as [{([]): $x}] | 1", 8, 10, "This key is an array; keys must be strings."],
  [". as {(.a | {({}): 1}): $x} | 1", 14, 16, "This key is an object; keys must be strings."],
  ["reduce . as {(1): $x} (1; 2)", 14, 15, "This key is a number; keys must be strings."],
])("%s", (text, from, to, message) => {
  expect(parseJq(text)).toMatchObject({ category: "syntax", from, to, message });
});
