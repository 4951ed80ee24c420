import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Expression } from "../../../src/expressions/core/ast.ts";
import { call, variable } from "../../../src/expressions/core/build.ts";
import { printExpression } from "../../../src/expressions/core/print.ts";
import { evaluateAll, evaluateOne } from "../../../src/expressions/interpreter/evaluate.ts";
import { EvaluationError } from "../../../src/expressions/library/failure.ts";
import { parseCondition } from "../../../src/expressions/syntax/condition/conditions.ts";
import type { ConditionScope } from "../../../src/expressions/syntax/condition/reader.ts";
import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import type { Json } from "../../../src/json.ts";

const data: Json = {
  error: "hidden by the error itself",
  exit_code: 1,
  name: "Ann",
  age: 22,
  empty: [],
  user: { title: "MANAGER" },
  on: true,
  off: false,
  none: null,
  "exit-code": 2,
  items: [{ id: 1 }, { id: 2 }],
};
const error: Json = { name: "Timeout", message: "late" };
const variables = new Map<string, Json>([
  ["data", data],
  ["error", error],
]);

const scope: ConditionScope = {
  root: variable("data"),
  member: (name) => (name === "error" || name === "exception" ? variable("error") : undefined),
  identifier: (name) =>
    name === "name" || name === "message"
      ? call("first", variable("error"))
      : name === "error"
        ? variable("error")
        : undefined,
  identifiers: ["name", "message", "error"],
  data: variable("data"),
};

function parse(text: string, within = scope): Expression {
  const condition = parseCondition(text, within);
  if (isParseError(condition)) throw new Error(`${text}: ${condition.message}`);
  return condition;
}

describe("conditions", () => {
  test.each<[string, boolean]>([
    ["$.error.name eq 'Timeout'", true],
    ["$.exception != null", true],
    ["$.error ne null", true],
    ["error.name == 'Timeout'", true],
    ["$['error'].message EQ \"late\"", true],
    ["$.exit_code == 1", true],
    ["$.exit_code == '1'", false],
    ["$.exit-code ge 2", true],
    ["$.missing == null", true],
    ["$.missing != null", false],
    ["$.missing != 1", false],
    ["$.none == null", true],
    ["$.on", true],
    ["$.none", false],
    ["$.missing", false],
    ["$.empty", true],
    ["!$.on", false],
    ["not ($.age lt 18)", true],
    ["NOT $.off AND $.on", true],
    ["$.off or $.on && $.off", false],
    ["($.on or $.off) and $.on", true],
    ["($.age) > 21.5e0", true],
    ["(($.age gt 1)) == true", true],
    ["empty($.empty) and empty($.missing) && !empty($.name)", true],
    ["#jsonPath(stateOutputData,'$..user.title') eq 'MANAGER'", true],
    ['#jsonpath( StateData , "$.items[0].id" ) eq 1', true],
    ["$.items[*].id == 1", false],
    ["$.items[?(@.id == 2)].id == 2", true],
    ["true", true],
    ["false || TRUE", true],
    ["'it''s' == \"it's\"", true],
    ["-1 < 0", true],
    ["$.name >= 'Ann'", true],
    ["error['name'] eq 'Timeout'", true],
    ["error . name eq 'Timeout' and not error.more[0].deep", true],
    ["$.age > 18 ? $.on : $.off", true],
    ["$.age lt 18 ? $.on : $.off ? true : not $.on", false],
    ["($.off ? 'x' : 'y') == 'y'", true],
    ["$.on and $.off ? false : $.age == 22", true],
    ["not (not ($.on))", true],
    ["$.a-b eq 1 || $.age >= -5e-1", true],
    ["age > 18 and user.title == 'MANAGER'", true],
    ["on", true],
    ["missing.more == 1", false],
    ["missing != 1", true],
    ["age + 1 == 23 && age - 2 * 3 == 16 && age / 4 == 5 && age / 4.0 == 5.5 && -age % 5 == -2", true],
    ["-(age) < - age + 1", true],
    ["$.name.startsWith('A') and user.title.length() == 7 and $.items.size() == 2", true],
    ["#root.age == 22 and #root['age'] == age", true],
    ["items[0].id + items[1]['id'] == 3", true],
    ["items[age - 21].id == 2", true],
    ["age in [1, 22] and 'id' in items[0] and not (3 in $.items[*].id)", true],
    ["empty items or user matches 'x'", false],
  ])("%s is %s", (text, expected) => {
    expect(evaluateAll(parse(text), { input: null, variables })).toEqual([expected]);
  });

  test("compile to these expressions", () => {
    const show = (text: string) => printExpression(parse(text));
    expect(show("$.a eq 1 and not $.b or empty($)")).toBe(
      'compareInCondition($data.a, "==", 1) and not(truthy($data.b)) or isEmpty($data)',
    );
    expect(show("#jsonPath(stateData,'$..a') != null")).toBe('compareInCondition($data..a, "!=", null)');
  });
});

/** The result of a condition, which fails if an operation does not apply to its operands. */
function resultOf(condition: Expression): Json {
  try {
    return evaluateOne(condition, { input: null, variables });
  } catch (error) {
    if (error instanceof EvaluationError) return "failed";
    throw error;
  }
}

describe("errors", () => {
  test.each([
    ["", "syntax", 0, 0, "A path, name or value is missing before the end of the expression."],
    ["$.a ==", "syntax", 6, 6, "A path, name or value is missing before the end of the expression."],
    ["$.a = 1", "syntax", 4, 5, "The operator `=` is not supported in conditions."],
    ["$.a <> 1", "syntax", 4, 6, "The operator `<>` is not supported in conditions."],
    ["$.a & $.b", "syntax", 4, 5, "The operator `&` is not supported in conditions."],
    ["$.a adn $.b", "unsupported", 4, 7, "The operator `adn` is not supported in conditions."],
    ["$.a $.b", "syntax", 4, 5, "An operator is missing before `$`."],
    ["$.a and or $.b", "syntax", 8, 10, "A path, name or value is missing before `or`."],
    ["$.a 'b'", "syntax", 4, 7, "An operator is missing before a string."],
    ["$.a == (1", "syntax", 9, 9, "`)` is missing before the end of the expression."],
    ["$.a == 1)", "syntax", 8, 9, "An operator or the matching `(` is missing before `)`."],
    ["$.a == 1]", "syntax", 8, 9, "An operator is missing before `]`."],
    ["$.a == 007", "syntax", 7, 10, "`007` is not a valid number."],
    ["$.a == 10L", "syntax", 7, 10, "`10L` is not a valid number."],
    ["$.a == - 'x'", "syntax", 9, 12, "`-` applies to numbers; this is a string."],
    ["error. == 1", "syntax", 5, 6, "A name is missing after `.`."],
    ["error[-1] == 1", "syntax", 6, 8, "An index is a whole number from 0 on."],
    ["error[1.5] == 1", "syntax", 6, 9, "An index is a whole number from 0 on."],
    ["error['a'; 1", "syntax", 9, 10, "`]` is missing before `;`."],
    ["error.name('x')", "unsupported", 6, 10, "The method `name` is not supported in conditions."],
    ["$.on ? $.off", "syntax", 12, 12, "`:` is missing before the end of the expression."],
    ["$.a ?: 1", "unsupported", 4, 6, "`?:`, whose meaning differs between languages, is not supported in conditions."],
    ["(1 == 2", "syntax", 7, 7, "`)` is missing before the end of the expression."],
    ["emty($.a)", "unsupported", 0, 4, "The function `emty` is not supported in conditions."],
    ["@.a", "unsupported", 0, 1, "A bean reference with `@` is not supported in conditions."],
    ["$.a == \u200b1", "syntax", 7, 8, "A path, name or value is missing before the character U+200B."],
    ["$.a matches $.b", "unsupported", 12, 15, "A regular expression must be a string literal."],
    ["$.a + true > 2", "syntax", 6, 10, "`+` applies to numbers; this is a boolean."],
    ["$.a ? 1 : 2", "syntax", 6, 7, "A value alone is not a condition."],
    ["T(java.lang.Runtime)", "unsupported", 0, 1, "The type reference `T(…)` is not supported in conditions."],
    ["#other.a == 1", "unsupported", 0, 8, "The variable `#other.a` is not supported in conditions."],
    ["name.toUpperCase() == 'A'", "unsupported", 5, 16, "The method `toUpperCase` is not supported in conditions."],
    ["name.length(1) > 1", "syntax", 5, 14, "`length` takes 0 arguments in conditions."],
    ["not $.a eq 1", "unsupported", 0, 7, "The precedence of `not` next to a comparison differs between languages."],
    ["$.a eq 1 eq 2", "syntax", 9, 11, "Chained comparisons need parentheses."],
    ["5 and $.a", "syntax", 0, 1, "A value alone is not a condition."],
    ["($.a", "syntax", 4, 4, "`)` is missing before the end of the expression."],
    ["$.a)", "syntax", 3, 4, "An operator or the matching `(` is missing before `)`."],
    ["$.a eq 'x", "syntax", 7, 9, "This string is not terminated."],
    ["$.a eq 'x\\n'", "unsupported", 9, 10, "The meaning of a backslash in a string differs between languages."],
    ["$.a[(1)] eq 1", "unsupported", 4, 5, "Script expressions in paths are not supported."],
    [
      "#jsonPath(other, '$')",
      "unsupported",
      10,
      15,
      "The first argument of `#jsonPath` must be `#root`, `stateData` or `stateOutputData`.",
    ],
    ["#jsonPath(stateData, '$[')", "syntax", 23, 24, "This `[` is not closed."],
    ["#jsonPath(stateData, $.a)", "syntax", 21, 22, "A path in quotes is missing before `$`."],
  ])("%j", (text, category, from, to, message) => {
    expect(parseCondition(text, scope)).toMatchObject({ category, from, to, message });
  });

  test.each([
    ["emty($.a)", "Did you mean `empty`?"],
    ["#jsonpaht(stateData, '$')", "Did you mean `#jsonPath`?"],
    ["$.a adn $.b", "Did you mean `and`?"],
    ["$.a = 1", "Write `==`."],
    ["$.a.startWith('x')", "Did you mean `startsWith`?"],
  ])("%s: %s", (text, hint) => {
    expect(parseCondition(text, scope)).toMatchObject({ hint });
  });

  test("numbers that lose digits are reported everywhere", () => {
    const losses: string[] = [];
    const warn = ({ from, to, message }: { from: number; to: number; message: string }) =>
      losses.push(`${from}-${to} ${message}`);
    parseCondition("$.a == 9007199254740993 or $.a eq -12345678901234567890 or 9007199254740992 < 1e999", scope, {
      warn,
    });
    expect(losses).toEqual([
      "7-23 Numbers are stored with 53 bits: this becomes 9007199254740992.",
      "34-55 Numbers are stored with 53 bits: this becomes -12345678901234567168.",
      "78-83 Numbers are stored with 53 bits: this becomes 1.7976931348623157e+308.",
    ]);
  });

  test("depth is bounded, and parsing is linear", () => {
    expect(evaluateOne(parse(`${"(".repeat(100)}$.on${")".repeat(100)}`), { input: null, variables })).toBe(true);
    expect(parseCondition("(".repeat(101), scope)).toMatchObject({ category: "limit" });
    expect(parseCondition(`${"(".repeat(10_000)}$.on${")".repeat(10_000)}`, scope)).toMatchObject({
      category: "limit",
      from: 100,
      to: 101,
    });
    expect(parseCondition("not ".repeat(200_000), scope)).toMatchObject({ category: "limit" });
    expect(parseCondition("$.on ? true : ".repeat(50_000), scope)).toMatchObject({ category: "limit" });
    expect(parseCondition(`$.name == '${"x".repeat(1_000_000)}'`, scope)).toMatchObject({
      category: "limit",
      from: 0,
    });
    expect(evaluateOne(parse(`${"$.on and ".repeat(100_000)}$.on`), { input: null, variables })).toBe(true);
  });

  test("the parser never throws, and accepted conditions yield one boolean", () => {
    const word = fc.constantFrom(
      "$",
      ".a",
      "$.on",
      "name",
      "(",
      ")",
      "and",
      "or",
      "not",
      "!",
      "eq",
      "!=",
      "<",
      "'x'",
      '"',
      "1",
      "null",
      "true",
      "empty(",
      "#jsonPath(",
      "stateData,",
      "'$.a')",
      "\\",
      "[",
      "?",
      "\u0000",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(word, { maxLength: 10 }).map((words) => words.join(" ")),
          fc.string(),
        ),
        (text) => {
          const condition = parseCondition(text, scope);
          if (isParseError(condition))
            expect([condition.from >= 0, condition.from <= condition.to, condition.to <= text.length]).toEqual([
              true,
              true,
              true,
            ]);
          else expect(resultOf(condition)).toBeOneOf([true, false, "failed"]);
        },
      ),
      { seed: 3, numRuns: 20_000 },
    );
  });
});
