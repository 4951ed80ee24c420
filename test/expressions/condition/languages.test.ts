import { describe, expect, test } from "vitest";
import { member, variable } from "../../../src/expressions/core/build.ts";
import { evaluateAll } from "../../../src/expressions/interpreter/evaluate.ts";
import { parseCondition } from "../../../src/expressions/syntax/condition/conditions.ts";
import { type ConditionLanguage, conditionLanguageOf } from "../../../src/expressions/syntax/condition/languages.ts";
import type { ConditionScope } from "../../../src/expressions/syntax/condition/reader.ts";
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
  rows: [{ n: 1 }, { n: 2 }, { n: 3 }],
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
    ["spel", "age == 22L and 0x16 == age and 2.2e1f == 22D", true],
    ["spel", "name matches 'A.*' and not (name matches 'n')", true],
    ["spel", "{1, 22}.contains(age) and tags.contains('a') and name.contains('nn')", true],
    ["spel", "age between {1, 22} and age between {22, 30}", true],
    ["spel", "#root.name == 'Ann' and #root['age'] == age and #this.on", true],
    ["spel", "#jsonPath(#root, '$.tags[0]') == 'a'", true],
    ["spel", "missing?.startsWith('x')", false],
    ["spel", "name?.startsWith('A') and missing?.more != 1 and name?.length() == 3", true],
    ["spel", "(none ?: 'x') == 'x' and ('' ?: 'x') == 'x' and (off ?: true) == false", true],
    ["spel", "rows.?[n > 1].size() == 2 and rows.![n] == {1, 2, 3}", true],
    ["spel", "rows.^[n > 1].n == 2 and rows.$[n > 1].n == 3 and rows.^[n > 9] == null", true],
    ["spel", "rows.?[n == #root.rows[0].n].![n] == {1} and tags.?[#this == 'b'] == {'b'}", true],
    ["spel", "age DIV 4 EQ 5 AND age MOD 5 EQ 2", true],
    ["spel", "'n' + age + none + on == 'n22nulltrue'", true],
    ["spel", "name.substring(1) == 'nn' and name.substring(0, 1) == 'A' and name.indexOf('n') == 1", true],
    ["spel", "name.indexOf('x') == -1 and name.lastIndexOf('n') == 2 and !name.isEmpty() and name.equals('Ann')", true],
    ["jexl", "$.path eq 'a\\\\nb'", true],
    ["jexl", "$.quote == 'it\\'s' and $.quote == 'it\\u0027s' and 'it''s' == $.quote", true],
    ["jexl", "'\\ud83d\\ude00' == '\u{1F600}'", true],
    ["jexl", "$.age =~ [1, 22]", true],
    ["jexl", "$.age !~ [1, 22] or name !~ ['Bob']", true],
    ["jexl", "empty $.missing and not empty $.tags and !empty name", true],
    ["jexl", "empty '' and empty($.none) and empty missing", true],
    ["jexl", "name =~ 'A.*' and name !~ 'A' and 'a' =~ tags and 'c' !~ tags", true],
    ["jexl", "name =^ 'A' and name =$ 'n' and name !^ 'n' and name !$ 'A' and !(age =^ '2')", true],
    ["jexl", "size(tags) == 2 and size tags == 2 and size(missing) == 0 and tags.size() == 2", true],
    ["jexl", "(off ?: 'x') == 'x' and (0 ?: 1) == 1 and (off ?? 'x') == false and (none ?? 'x') == 'x'", true],
    ["jexl", "age div 4 == 5 and age mod 5 == 2 and 7 / 2 == 3 and 7.0 / 2 == 3.5 and 7 / 2d == 3.5", true],
    ["cel", "$.path == 'a\\\\nb' && 'a\\x41\\u0042\\U00000043\\104\\n' == 'aABCD\n'", true],
    ["cel", "'\\a\\b\\f\\r\\t\\v\\?\\`\\'\\\"' != ''", true],
    ["cel", 'r\'a\\nb\' == path && """it\'s""" == quote', true],
    ["cel", "$.age in [1, 22, 'x']", true],
    ["cel", "!(name in ['Bob']) && 'a' in tags && 'n' in rows[0] && !('x' in rows[0])", true],
    ["cel", "name in [$.name]", true],
    ["cel", "$.age in []", false],
    ["cel", "has($.none) && !has($.missing) && !has($.missing.more) && has(rows[0].n)", true],
    ["cel", "size($.tags) == 2 && size($.name) == 3 && tags.size() == 2", true],
    ["cel", "size($.missing) == 0", false],
    ["cel", "rows.exists(r, r.n > 2) && !rows.all(r, r.n > 2) && rows.exists_one(r, r.n > 2)", true],
    ["cel", "rows.filter(r, r.n > 1).map(r, r.n * 2) == [4, 6] && rows.map(r, r.n > 2, r.n) == [3]", true],
    ["cel", "rows.all(name, name.n < age) && name == 'Ann'", true],
    ["cel", "rows[0].exists(key, key == 'n')", true],
    ["cel", "rows.exists(r, tags.exists(t, t == 'b' && r.n == 2))", true],
    ["cel", "name.matches('nn$') && matches(name, '^A') && name.startsWith('A') && name.endsWith('n')", true],
    ["cel", "age / 4 == 5 && age / 4.0 == 5.5 && -age / 4 == -5 && age % 5 == 2 && 3u == 3", true],
    ["cel", "int('7') == 7 && int(7.9) == 7 && double('1.5') == 1.5 && string(age) == '22'", true],
    ["cel", "'a' + 'b' == 'ab'", true],
  ])("%s: %s is %s", (language, text, expected) => {
    expect(holds(text, language)).toBe(expected);
  });

  test.each<[ConditionLanguage, string]>([
    ["cel", "'a' + age == 'a22'"],
    ["spel", "missing.startsWith('a')"],
    ["jexl", "age.contains('2')"],
    ["cel", "missing.all(x, x > 1)"],
    ["spel", "name - 2 == 1"],
    ["jexl", "age / 0 == 1"],
    ["cel", "1 in age"],
  ])("%s: %s fails", (language, text) => {
    expect(() => holds(text, language)).toThrow();
  });
});

describe("constructs rejected in a named language", () => {
  const tight = "`not` binds tighter than this comparison, which does not apply to booleans.";
  test.each<[ConditionLanguage, string, string, number, number, string]>([
    ["spel", "not $.age eq 22", "unsupported", 0, 9, tight],
    ["cel", "!$.age < $.age", "unsupported", 0, 6, tight],
    ["cel", "!$.age in [1]", "unsupported", 0, 6, tight],
    ["jexl", "1 != !$.age", "unsupported", 5, 11, tight],
    ["cel", "$.age =~ [1]", "unsupported", 6, 8, "The operator `=~` is not supported in CEL conditions."],
    ["jexl", "$.name =~ '[z-a]'", "syntax", 10, 17, "This character range is reversed."],
    ["cel", "$.age in [1, ]", "syntax", 13, 14, "A path, name or value is missing before `]`."],
    ["cel", "$.age in [1", "syntax", 11, 11, "`]` is missing before the end of the expression."],
    ["cel", "$.age in [1] == true", "syntax", 13, 15, "Chained comparisons need parentheses."],
    ["cel", "has($)", "syntax", 4, 5, "`has` requires a member, as in `has(order.id)`."],
    ["cel", "has($..a)", "syntax", 4, 8, "`has` requires a member, as in `has(order.id)`."],
    ["cel", "tags.exists(1, true)", "syntax", 12, 13, "The name of a variable is missing before `1`."],
    ["cel", "tags.exists(x)", "syntax", 5, 14, "This macro takes a variable and an expression."],
    ["cel", "b'a' == name", "unsupported", 0, 1, "Bytes are not supported in CEL conditions."],
    ["cel", "{'a': 1} == name", "unsupported", 0, 1, "A map or message literal is not supported in CEL conditions."],
    [
      "cel",
      "timestamp(name) < 1",
      "unsupported",
      0,
      9,
      "The conversion `timestamp` is not supported in CEL conditions.",
    ],
    ["cel", "a ?: b", "unsupported", 2, 4, "The operator `?:` is not supported in CEL conditions."],
    ["cel", "'\\q' == name", "syntax", 1, 3, "Unsupported escape in a string."],
    ["cel", "'\\ud800' == name", "syntax", 1, 7, "Unsupported escape in a string."],
    ["jexl", "'\\n' == name", "syntax", 1, 3, "Unsupported escape in a string."],
    ["jexl", "x -> x", "unsupported", 2, 4, "A lambda is not supported in JEXL conditions."],
    ["jexl", "name; age", "syntax", 4, 5, "An operator is missing before `;`."],
    [
      "jexl",
      "name.replace('a', 'b') == ''",
      "unsupported",
      5,
      12,
      "The method `replace` is not supported in JEXL conditions.",
    ],
    ["spel", "empty $.tags", "syntax", 6, 7, "An operator is missing before `$`."],
    [
      "spel",
      "T(java.lang.Math).random() > 0",
      "unsupported",
      0,
      1,
      "The type reference `T(…)` is not supported in SpEL conditions.",
    ],
    ["spel", "new String() == ''", "unsupported", 0, 3, "The constructor `new` is not supported in SpEL conditions."],
    ["spel", "@bean.x > 1", "unsupported", 0, 1, "A bean reference with `@` is not supported in SpEL conditions."],
    ["spel", "age ^ 2 > 1", "unsupported", 4, 5, "The power operator `^` is not supported in SpEL conditions."],
    ["spel", "age instanceof X", "unsupported", 4, 14, "`instanceof` is not supported in SpEL conditions."],
    ["spel", "#data.x > 1", "unsupported", 0, 7, "The variable `#data.x` is not supported in SpEL conditions."],
    ["spel", "age between 5", "syntax", 12, 13, "`between` takes a list of two bounds, as in `{1, 10}`."],
    ["spel", "name matches age", "unsupported", 13, 16, "A regular expression must be a string literal."],
    ["cel", "$.age + [1] > 2", "syntax", 8, 11, "`+` applies to numbers; this is a list."],
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

  test("long operands are parsed in linear time, and deep ones are rejected", () => {
    const parse = (text: string) => parseCondition(text, scope, { language: "jexl" });
    const start = performance.now();
    expect(parse(`name${".a".repeat(100_000)} == 1`)).not.toHaveProperty("category");
    expect(parse(`$.a${"[0]".repeat(100_000)} == 1`)).not.toHaveProperty("category");
    expect(parse(`name${"?.a['b']".repeat(30_000)} == 1`)).not.toHaveProperty("category");
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(parse("empty ".repeat(10_000))).toMatchObject({ category: "limit" });
    expect(parse("a[".repeat(10_000))).toMatchObject({ category: "limit" });
  });

  test("operations nested too deeply", () => {
    const limit = { category: "limit", message: "More than 500 operations are nested in this expression." };
    expect(parseCondition(`age${" + 1".repeat(501)} > 1`, scope, { language: "spel" })).toMatchObject(limit);
    expect(parseCondition(`name${".toString()".repeat(501)} == ''`, scope, { language: "jexl" })).toMatchObject(limit);
    expect(holds(`${"age + 1 > 1 and ".repeat(1_000)}on`, "cel")).toBe(true);
  });
});
