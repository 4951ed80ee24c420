import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Expression } from "../../../../src/expressions/core/ast.ts";
import { call, collect, comma, firstOr, literal, variable } from "../../../../src/expressions/core/build.ts";
import { simplify } from "../../../../src/expressions/simplify/simplify.ts";
import { parseCondition } from "../../../../src/expressions/syntax/condition/conditions.ts";
import { isParseError } from "../../../../src/expressions/syntax/cursor.ts";
import { parseJsonPath } from "../../../../src/expressions/syntax/jsonpath/jsonpath.ts";
import type { Json } from "../../../../src/json.ts";
import { jsonataString, printJsonata, unsupportedParts } from "../../../../targets/asl/jsonata/print.ts";
import { actual, environment, expected } from "./compared-with-core.ts";
import { json } from "./random-expressions.ts";

const x = variable("x");
const xIs = (value: Json): ReadonlyMap<string, Json> =>
  new Map<string, Json>([
    ["data", null],
    ["x", value],
    ["y", 1],
  ]);

function path(text: string): Expression {
  const parsed = parseJsonPath(text, x);
  if (isParseError(parsed)) throw new Error(`${text}: ${parsed.message}`);
  return parsed.query;
}

async function agree(expression: Expression, value: Json): Promise<void> {
  for (const form of [expression, simplify(expression)]) {
    const text = jsonataString(printJsonata(form, environment));
    expect(await actual(text, xIs(value)), text).toBe(expected(expression, xIs(value)));
  }
}

const texts = [
  "",
  "a",
  "ab",
  "b😀",
  "😀",
  "\ud83d",
  "\ude00\ud83d",
  "a\nb",
  "\r",
  "a.b",
  "é",
  "AB",
  "[x]",
  "a/b",
  "waybill:",
  "10",
];
const values: readonly Json[] = [
  ...texts,
  0,
  null,
  true,
  [],
  [1],
  [[1]],
  [1, 2],
  {},
  { a: 1 },
  { a: [1], b: [2] },
  { length: 2 },
];

describe("functions of values", () => {
  test.each([
    "$[?length(@) == 1]",
    "$[?length(@) >= 1]",
    "$[?length(@) != 0]",
    "$[?length(@) == length(@.a)]",
    "$[?length('😀') == length(@)]",
    "$[?count(@.*) == 1]",
    "$[?count(@..*) > 1]",
    "$[?count(@) == 1]",
    "$[?count(@.a) == count(@.b)]",
    "$[?value(@.*) == 1]",
    "$[?value(@..a) == 1]",
    "$[?value(@.*) == value(@.a)]",
    "$[?length(value(@.*)) == 1]",
    "$[?length(@.missing) == value(@.*)]",
    "$[?@.length() > 1]",
    "$[?@.a.size() == 1]",
    "$[?@ in ['a', 10, null, '10']]",
    "$[?@ nin ['a', 0]]",
    "$.last()",
    "$.first()",
    "$[(@.length-2)]",
  ])("%s", async (text) => {
    const found = path(text);
    for (const data of [values, [], {}, "a😀", null]) await agree(collect(found), data);
    for (const data of values) await agree(firstOr(found, literal("none")), data);
  });
});

test.each([
  "$.a.length() > 1",
  "$.length() == 2 or $.a.size() <= $.b.length()",
  "empty($.a.length())",
  "$.a.length() != null",
])("the condition %s", async (text) => {
  const condition = parseCondition(text, { root: x });
  if (isParseError(condition)) throw new Error(condition.message);
  for (const data of [{ a: "ab", b: [1] }, { a: [], b: {} }, {}, null, { a: 1 }]) await agree(condition, data);
});

describe("patterns", () => {
  test.each(
    [
      "",
      "a",
      ".",
      "..",
      "a.b",
      ".*",
      "[^a]",
      "[^a]*",
      "[a-z.]+",
      "a|b😀|",
      "😀?",
      "(a|b).",
      "\\.|a/b",
      "[\\[x\\]]+",
      "^a",
      "b$",
      "[0-9]{2}",
    ].concat(["waybill:.*", "\\n|\\r", "[-b]", "[^\\]\\-]{1,2}", "[[", "a+?", "[😀a]"]),
  )("%j", async (pattern) => {
    for (const name of ["nodeMatches", "nodeSearches"]) {
      const filter = { kind: "filter", condition: call(name, { kind: "identity" }, literal(pattern)) } as const;
      await agree(collect({ kind: "query", source: x, segments: [{ descend: false, selectors: [filter] }] }), values);
    }
  });

  test("a pattern that is not a string matches nothing", async () => {
    await agree(call("nodeMatches", x, literal(1)), "a");
    await agree(call("nodeMatches", comma(), literal("a")), "a");
  });

  test.each([
    ["a pattern of the data", call("nodeMatches", x, x), "a computed pattern"],
    ["a category of characters", call("nodeSearches", x, literal("\\p{Lu}")), "the pattern `\\p{Lu}`"],
    [
      "rare characters in the range of a class",
      call("nodeMatches", x, literal("[a-\uffff]")),
      "the pattern `[a-\uffff]`",
    ],
    ["a pattern that is very large", call("nodeMatches", x, literal("a".repeat(10_001))), "a pattern this large"],
  ])("%s is rejected", (_, expression, construct) => {
    expect(unsupportedParts(expression).map((refusal) => refusal.construct)).toEqual([construct]);
  });
});

test("functions of random nodes", { timeout: 60_000 }, async () => {
  const filter = fc.constantFrom(
    "$..[?length(@.a) >= count(@.*)]",
    "$..[?value(@..a) == value(@.*)]",
    "$[?count(@..[?length(@) > 0]) < 3]",
    "$..[?match(@.a, '.') || search(@, '[^a]')]",
    "$[?!(length(@) != length($[0]))]",
    "$..[?@.a.length() != 1]",
  );
  const agrees = fc.asyncProperty(filter, json, (text, value) => agree(collect(path(text)), value));
  await fc.assert(agrees, { numRuns: 200, seed: 2108 });
});
