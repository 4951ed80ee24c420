import { describe, expect, test } from "vitest";
import { member, variable } from "../../../src/expressions/core/build.ts";
import { evaluateAll } from "../../../src/expressions/interpreter/evaluate.ts";
import { type ConditionScope, parseCondition } from "../../../src/expressions/syntax/condition/conditions.ts";
import { type ConditionLanguage, conditionLanguageOf } from "../../../src/expressions/syntax/condition/tokens.ts";
import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import type { Json } from "../../../src/json.ts";

const data: Json = {
  name: "Ann",
  age: 22,
  on: true,
  off: false,
  none: null,
  tags: ["a", "b"],
  path: "a\\nb",
  quote: "it's",
};
const root = variable("data");
const scope: ConditionScope = {
  root,
  data: root,
  identifier: (name) => (name === "name" ? member(root, "name") : undefined),
};

function holds(text: string, language: ConditionLanguage): boolean {
  const condition = parseCondition(text, scope, { language });
  if (isParseError(condition)) throw new Error(`${text}: ${condition.message}`);
  const [value, ...more] = evaluateAll(condition, { input: null, variables: new Map([["data", data]]) });
  expect(more).toEqual([]);
  return value as boolean;
}

test("language names are case-insensitive", () => {
  expect(["SpEL", "JEXL", "cel", "groovy", ""].map(conditionLanguageOf)).toEqual([
    "spel",
    "jexl",
    "cel",
    undefined,
    undefined,
  ]);
});

describe("constructs of one language", () => {
  test.each<[ConditionLanguage, string, boolean]>([
    ["spel", "not $.on eq false", true],
    ["jexl", "!$.off != $.on", false],
    ["cel", "true == !$.off", true],
    ["spel", "$.path eq 'a\\nb'", true],
    ["spel", "'\\' eq '\\'", true],
    ["jexl", "$.path eq 'a\\\\nb'", true],
    ["jexl", "$.quote == 'it\\'s' and $.quote == 'it\\u0027s' and 'it''s' == $.quote", true],
    ["jexl", "'\\ud83d\\ude00' == '\u{1F600}'", true],
    ["cel", "$.path == 'a\\\\nb' && 'a\\x41\\u0042\\U00000043\\104\\n' == 'aABCD\n'", true],
    ["cel", "'\\a\\b\\f\\r\\t\\v\\?\\`\\'\\\"' != ''", true],
    ["cel", "$.age in [1, 22, 'x']", true],
    ["cel", "!(name in ['Bob'])", true],
    ["cel", "name in [$.name]", true],
    ["cel", "$.age in []", false],
    ["cel", "$.missing in [null]", false],
    ["cel", "has($.none) && !has($.missing) && !has($.missing.more)", true],
    ["cel", "size($.tags) == 2 && size($.name) == 3", true],
    ["cel", "size($.missing) == 0", false],
    ["jexl", "$.age =~ [1, 22]", true],
    ["jexl", "$.age !~ [1, 22] or name !~ ['Bob']", true],
    ["jexl", "empty $.missing and not empty $.tags and !empty name", true],
    ["jexl", "empty '' and empty($.none)", true],
  ])("%s: %s is %s", (language, text, expected) => {
    expect(holds(text, language)).toBe(expected);
  });
});

describe("constructs rejected in a named language", () => {
  const tight = "`not` binds tighter than this comparison, which does not apply to booleans.";
  test.each<[ConditionLanguage, string, string, number, number, string]>([
    ["spel", "not $.age eq 22", "unsupported", 0, 9, tight],
    ["cel", "!$.age < $.age", "unsupported", 0, 6, tight],
    ["cel", "!$.age in [1]", "unsupported", 0, 6, tight],
    ["jexl", "1 != !$.age", "unsupported", 5, 11, tight],
    ["spel", "$.age in [1]", "unsupported", 6, 8, "The operator `in` is not supported in conditions."],
    ["cel", "$.age =~ [1]", "unsupported", 6, 8, "The operator `=~` is not supported in conditions."],
    [
      "jexl",
      "$.name =~ 'A.*'",
      "unsupported",
      10,
      15,
      "A list in brackets, such as `['a', 'b']`, is missing before a string.",
    ],
    ["cel", "'a' in $.tags", "unsupported", 7, 8, "A list in brackets, such as `['a', 'b']`, is missing before `$`."],
    ["cel", "$.age in [1, ]", "syntax", 13, 14, "A path, name or value is missing before `]`."],
    ["cel", "$.age in [1", "syntax", 11, 11, "`]` is missing before the end of the expression."],
    ["cel", "$.age in [1] == true", "syntax", 13, 15, "Chained comparisons need parentheses."],
    ["cel", "has($)", "syntax", 4, 5, "`has` requires a member, as in `has($.order.id)`."],
    ["cel", "has($..a)", "syntax", 4, 8, "`has` requires a member, as in `has($.order.id)`."],
    ["cel", "'''a''' == name", "unsupported", 0, 3, "Triple-quoted strings are not supported in conditions."],
    ["cel", "'\\q' == name", "syntax", 1, 3, "Unsupported escape in a string."],
    ["cel", "'\\ud800' == name", "syntax", 1, 7, "Unsupported escape in a string."],
    ["jexl", "'\\n' == name", "syntax", 1, 3, "Unsupported escape in a string."],
    ["jexl", "size($.tags) > 0", "unsupported", 0, 4, "`size` is not supported in conditions."],
    ["spel", "empty $.tags", "unsupported", 0, 5, "`empty` without parentheses is not supported in conditions."],
    ["spel", "T(java.lang.Math).random() > 0", "unsupported", 0, 1, "`T` is not supported in conditions."],
    ["spel", "name.startsWith('A')", "unsupported", 0, 15, "`name.startsWith` is not supported in conditions."],
    ["spel", "name matches 'A.*'", "unsupported", 5, 12, "The operator `matches` is not supported in conditions."],
    ["spel", "name?.length == 1", "unsupported", 4, 6, "The operator `?.` is not supported in conditions."],
    ["cel", "$.age + 1 > 2", "unsupported", 6, 7, "The operator `+` is not supported in conditions."],
  ])("%s: %s", (language, text, category, from, to, message) => {
    expect(parseCondition(text, scope, { language })).toMatchObject({ category, from, to, message });
  });

  test("a list that would repeat a long path too often", () => {
    const text = `$${".a".repeat(1_000)} in [${Array.from({ length: 1_000 }, (_, i) => i).join()}]`;
    expect(parseCondition(text, scope, { language: "cel" })).toMatchObject({
      category: "limit",
      message: "This list is too long.",
    });
  });
});
