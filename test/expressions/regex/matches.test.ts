import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expressionDiagnostic } from "../../../src/diagnostics/data.ts";
import { literal } from "../../../src/expressions/core/build.ts";
import { createSearcher, createTester } from "../../../src/expressions/library/backtracking.ts";
import { cursorOf, isParseError, type ParseError } from "../../../src/expressions/syntax/cursor.ts";
import { parseJsonPath } from "../../../src/expressions/syntax/jsonpath/jsonpath.ts";
import { portableRegex } from "../../../src/expressions/syntax/regex/portable.ts";
import { readRegex } from "../../../src/expressions/syntax/regex/reader.ts";
import { translatePattern } from "../../../src/expressions/syntax/regex/translate.ts";
import { pattern, text } from "./samples.ts";
import { isFoundIn } from "./tree.ts";

/** The JavaScript form of a pattern. */
function sourceOf(given: string): string {
  const translated = translatePattern(given);
  if (isParseError(translated)) throw new Error(`${given}: ${translated.message}`);
  return translated.source;
}

describe("the operator `matches`", () => {
  test.each<[pattern: string, found: readonly string[], others: readonly string[]]>([
    ["", ["", "a"], []],
    ["b+c", ["abbcd"], ["ac"]],
    ["^[a-z0-9._%+-]+@[a-z]+$", ["a.b@c"], ["@c", "a@c\n"]],
    ["^\\d{3}$", ["123"], ["123\n", "1234", "١٢٣"]],
    ["^.$", ["a", "🍐", "\u0085"], ["", "\n", "\r", "\u2028", "ab"]],
    ["^[^a]$", ["b", "\n", "🍐"], ["a", "bb"]],
    ["^\\w+\\s$", ["ab ", "ab\u00a0", "ab\ufeff"], ["é ", "ab\u0085"]],
    ["\\bfoo\\b", ["a foo", "éfoo"], ["afoo"]],
    ["^\\Bx?$", [""], ["x"]],
    ["^🍐{2}$", ["🍐🍐"], ["🍐", "🍐🍐🍐"]],
    ["^\\ud83c\\udf50$", ["🍐"], ["\ud83c"]],
    ["\\x{41}\\x41\\u0041\\u{41}", ["AAAA"], ["x{41}AAA"]],
    ["(?:a|b){2,3}?", ["ab"], ["a"]],
    ["(?:a|)+b", ["b", "aab"], ["a"]],
    ["(?i)fo[k-m]", ["FOL", "foK", "fo\u212a"], ["fn"]],
    ["a(?i:b)", ["aB"], ["AB"]],
    ["a(?=b)(?!bc)", ["abd"], ["abc", "ac"]],
    ["(?<!a)b", ["cb"], ["ab"]],
    ["(?<n>a|b)\\k<n>", ["aa", "bb"], ["ab"]],
    ["^(?>a+)ab", [], ["aab"]],
    ["^a++$", ["aa"], ["aab"]],
    ["[[:alpha:]]\\p{Lu}", ["éÉ"], ["éé"]],
    ["\\Aa\\Z", ["a", "a\n"], ["a\n\n"]],
    ["[\\]\\[&.-]", ["]", "[", "&", ".", "-"], ["\\"]],
    ["{}", ["{}"], ["{"]],
  ])("%j", (given, found, others) => {
    const isFound = createTester(sourceOf(given), "u");
    expect([...found, ...others].filter(isFound)).toEqual(found);
  });

  test.each<[string, Partial<ParseError>]>([
    [
      "[a-z&&[^b]]",
      { category: "unsupported", from: 4, to: 5, message: "Write `\\&\\&` for two ampersands in a class." },
    ],
    ["[a&&b]", { category: "unsupported", from: 2 }],
    ["[^]", { category: "unsupported", from: 2, to: 3, message: "Write `\\]` for a bracket in a class." }],
    ["[]a]", { category: "unsupported", from: 1, to: 2 }],
    ["[[a]", { category: "unsupported", from: 1, to: 2, message: "Write `\\[` for a bracket in a class." }],
    ["a\\0", { category: "unsupported", from: 1, to: 3, message: "This escape is not supported." }],
    ["\\x4", { category: "unsupported", from: 0, to: 2 }],
    ["\\u004", { category: "unsupported", from: 0, to: 2 }],
    ["\\Qa\\E", { category: "unsupported", from: 0, to: 2 }],
    ["[\\b]", { category: "unsupported", from: 1, to: 3 }],
    ["[a-\\d]", { category: "syntax", from: 1, to: 5, message: "A character range must end with a character." }],
    ["[\\w-z]", { category: "unsupported", from: 3, to: 4 }],
    ["a{,3}", { category: "unsupported", from: 1, to: 2, message: "Write `\\{` for a literal brace." }],
    ["\\ud83cx", { category: "syntax", from: 0, to: 6, message: "Invalid code point." }],
    ["(?i)a🍐", { category: "unsupported", from: 5, to: 7 }],
    ["(?m)a", { category: "unsupported", from: 0 }],
    ["(a)?\\1", { category: "unsupported", from: 4, to: 6 }],
    ["(", { category: "syntax", from: 0, to: 1, message: "This group is not closed." }],
    ["a**", { category: "unsupported", from: 1 }],
    ["\\", { category: "unsupported", from: 0, to: 1 }],
    ["a".repeat(10_001), { category: "limit" }],
  ])("rejects %j", (given, fault) => {
    expect(translatePattern(given)).toMatchObject(fault);
  });
});

test("the tree, the bounded matcher, JavaScript and the portable form agree", () => {
  let [supported, portable] = [0, 0];
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 4, maxLength: 4 }), (given, texts) => {
      const translated = translatePattern(given);
      if (isParseError(translated)) return;
      const { source } = translated;
      const options = { ignoresCase: false, isDotAll: false, isExtended: false };
      const tree = readRegex(cursorOf(given), "javascript", options).pattern;
      const expected = texts.map((each) => isFoundIn(tree, each));
      expect({ given, found: texts.map(createTester(source, "u")) }).toEqual({ given, found: expected });
      supported++;
      const form = portableRegex(source);
      if (form === undefined) return;
      expect({ given, form, found: texts.map((each) => new RegExp(form).test(each)) }).toEqual({
        given,
        form,
        found: expected,
      });
      portable++;
    }),
    { seed: 20_261_126, numRuns: 6_000 },
  );
  expect(supported).toBeGreaterThan(3_000);
  expect(portable).toBeGreaterThan(2_000);
});

test("the engine is never left alone with a pattern that backtracks", () => {
  const long = "a".repeat(100_000);
  const mayBacktrack = (source: string) => /[*+?|]|\{\d+,/.test(source.replace(/\(\?/g, ""));
  fc.assert(
    fc.property(pattern, (given) => {
      const translated = translatePattern(given);
      if (isParseError(translated)) return;
      const { source } = translated;
      if (mayBacktrack(source)) expect(createSearcher(source, "gu", long)).not.toBeInstanceOf(RegExp);
      const form = portableRegex(source) ?? "";
      if (mayBacktrack(form)) expect(createSearcher(form, "g", long)).not.toBeInstanceOf(RegExp);
    }),
    { seed: 8, numRuns: 3_000 },
  );
});

test("a translation is its own translation", () => {
  fc.assert(
    fc.property(pattern, (given) => {
      const first = translatePattern(given);
      if (!isParseError(first)) expect(translatePattern(first.source)).toEqual(first);
    }),
    { seed: 7, numRuns: 3_000 },
  );
});

test("errors become diagnostics by category and grammar", () => {
  const span = { source: { path: "a", text: "" }, start: 0, end: 0 };
  const error = (kind: ParseError["category"]): ParseError => ({
    category: kind,
    from: 0,
    to: 1,
    message: "It is so.",
    hint: "Do this.",
  });
  const codes = (["path", "condition", "pattern"] as const).map((grammar) =>
    (["syntax", "unsupported", "limit"] as const).map((kind) => expressionDiagnostic(span, error(kind), grammar).code),
  );
  expect(codes).toEqual([
    ["WB4001", "WB4003", "WB4004"],
    ["WB4002", "WB4003", "WB4004"],
    ["WB4006", "WB4006", "WB4004"],
  ]);
  const path = parseJsonPath("$.a b", literal(null));
  expect(isParseError(path) && expressionDiagnostic(span, path, "path")).toEqual({
    code: "WB4001",
    severity: "error",
    message: "The path ends before `b`.",
    hint: "Write names with other characters as `['…']`.",
    span,
    notes: [],
  });
});
