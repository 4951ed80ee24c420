import { expect, test } from "vitest";
import { expressionFault } from "../../src/diagnostics/data.ts";
import { literal } from "../../src/expressions/core/build.ts";
import { type Fault, isFault } from "../../src/expressions/syntax/cursor.ts";
import { parseJsonPath } from "../../src/expressions/syntax/jsonpath/jsonpath.ts";
import { patternFault } from "../../src/expressions/syntax/pattern.ts";

test.each(["", "\\bfoo\\b", "^[a-z0-9._%+-]+@[a-z]+$", "(?:a|b){2,3}?", "\\u00e9\\x41\\.\\/\\-", "[[]", "a\\\\1", "."])(
  "%j is a pattern",
  (text) => {
    expect(patternFault(text)).toBeUndefined();
  },
);

test.each<[string, Partial<Fault>]>([
  ["a(?=b)", { fault: "unsupported", from: 1, to: 4, message: "Look-around in patterns is not supported." }],
  ["(?<!a)b", { fault: "unsupported", from: 0, to: 4 }],
  ["(a)\\1", { fault: "unsupported", from: 3, to: 5, message: "Back-references in patterns are not supported." }],
  ["(?<n>a)", { fault: "unsupported", from: 0 }],
  ["(?i)a", { fault: "unsupported", from: 0, to: 4 }],
  ["\\p{L}", { fault: "unsupported", from: 0, to: 2 }],
  ["\\Qa\\E", { fault: "unsupported", from: 0, to: 2 }],
  ["[[:alpha:]]", { fault: "unsupported", from: 0 }],
  ["(", { fault: "syntax", from: 0, to: 1, message: "This is not a regular expression." }],
  ["a++", { fault: "syntax" }],
  ["\\", { fault: "syntax" }],
  ["a".repeat(10_001), { fault: "limit" }],
])("%j is none", (text, fault) => {
  expect(patternFault(text)).toMatchObject(fault);
});

test("faults become diagnostics by their kind and by what was to be read", () => {
  const span = { source: { path: "a", text: "" }, start: 0, end: 0 };
  const fault = (kind: Fault["fault"]): Fault => ({
    fault: kind,
    from: 0,
    to: 1,
    message: "It is so.",
    hint: "Do this.",
  });
  const codes = (["path", "condition", "pattern"] as const).map((grammar) =>
    (["syntax", "unsupported", "limit"] as const).map((kind) => expressionFault(span, fault(kind), grammar).code),
  );
  expect(codes).toEqual([
    ["WB4001", "WB4003", "WB4004"],
    ["WB4002", "WB4003", "WB4004"],
    ["WB4006", "WB4006", "WB4004"],
  ]);
  const path = parseJsonPath("$.a b", literal(null));
  expect(isFault(path) && expressionFault(span, path, "path")).toEqual({
    code: "WB4001",
    severity: "error",
    message: "The path ends before `b`.",
    hint: "Write names with other characters as `['…']`.",
    span,
    notes: [],
  });
});
