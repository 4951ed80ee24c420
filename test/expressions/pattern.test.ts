import { expect, test } from "vitest";
import { expressionDiagnostic } from "../../src/diagnostics/data.ts";
import { literal } from "../../src/expressions/core/build.ts";
import { isParseError, type ParseError } from "../../src/expressions/syntax/cursor.ts";
import { parseJsonPath } from "../../src/expressions/syntax/jsonpath/jsonpath.ts";
import { patternError } from "../../src/expressions/syntax/pattern.ts";

test.each(["", "\\bfoo\\b", "^[a-z0-9._%+-]+@[a-z]+$", "(?:a|b){2,3}?", "\\u00e9\\x41\\.\\/\\-", "[[]", "a\\\\1", "."])(
  "%j is a pattern",
  (text) => {
    expect(patternError(text)).toBeUndefined();
  },
);

test.each<[string, Partial<ParseError>]>([
  ["a(?=b)", { category: "unsupported", from: 1, to: 4, message: "Look-around in patterns is not supported." }],
  ["(?<!a)b", { category: "unsupported", from: 0, to: 4 }],
  ["(a)\\1", { category: "unsupported", from: 3, to: 5, message: "Back-references in patterns are not supported." }],
  ["(?<n>a)", { category: "unsupported", from: 0 }],
  ["(?i)a", { category: "unsupported", from: 0, to: 4 }],
  ["\\p{L}", { category: "unsupported", from: 0, to: 2 }],
  ["\\Qa\\E", { category: "unsupported", from: 0, to: 2 }],
  ["[[:alpha:]]", { category: "unsupported", from: 0 }],
  ["(", { category: "syntax", from: 0, to: 1, message: "Invalid regular expression." }],
  ["a++", { category: "syntax" }],
  ["\\", { category: "syntax" }],
  ["a".repeat(10_001), { category: "limit" }],
])("%j is rejected", (text, fault) => {
  expect(patternError(text)).toMatchObject(fault);
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
