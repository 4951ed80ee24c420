import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Expression } from "../../src/expressions/ast.ts";
import { type BooleanEnvironment, parseBoolean } from "../../src/expressions/boolean.ts";
import { call, literal, object, variable } from "../../src/expressions/build.ts";
import { evaluateAll, evaluateOne } from "../../src/expressions/evaluate.ts";
import { isFault } from "../../src/expressions/fault.ts";
import { disjunctiveNormalForm } from "../../src/expressions/normal-form.ts";
import { printExpression } from "../../src/expressions/print.ts";
import type { Json } from "../../src/json.ts";

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

const environment: BooleanEnvironment = {
  root: variable("data"),
  member: (name) => (name === "error" || name === "exception" ? variable("error") : undefined),
  identifier: (name) =>
    name === "name" || name === "message" ? call("first", variable("error")) : name === "error" ? variable("error") : undefined,
  data: variable("data"),
};

function parse(text: string, within = environment): Expression {
  const condition = parseBoolean(text, within);
  if (isFault(condition)) throw new Error(`${text}: ${condition.message}`);
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
    ["$.missing == null", false],
    ["$.missing != null", true],
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
  ])("%s is %s", (text, expected) => {
    expect(evaluateAll(parse(text), { input: null, variables })).toEqual([expected]);
  });

  test("what they become", () => {
    const show = (text: string) => printExpression(parse(text));
    expect(show("$.a eq 1 and not $.b or empty($)")).toBe('relates($data.a, "==", 1) and not(truthy($data.b)) or isEmpty($data)');
    expect(show("#jsonPath(stateData,'$..a') != null")).toBe('relates($data..a, "!=", null)');
  });
});

describe("faults", () => {
  test.each([
    ["", "syntax", 0, 0, "A path, a name or a value is missing before the end of the text."],
    ["$.a ==", "syntax", 6, 6, "A path, a name or a value is missing before the end of the text."],
    ["$.a = 1", "syntax", 4, 5, "The operator `=` is not supported in conditions."],
    ["$.a matches 'x'", "unsupported", 4, 11, "The operator `matches` is not supported in conditions."],
    ["$.a + 1 > 2", "unsupported", 4, 5, "The operator `+` is not supported in conditions."],
    ["$.a ? 1 : 2", "unsupported", 4, 5, "The operator `?` is not supported in conditions."],
    ["nobody == 1", "unsupported", 0, 6, "`nobody` is no name that has a meaning here."],
    ["T(java.lang.Runtime)", "unsupported", 0, 1, "`T` is not supported in conditions."],
    ["#root.a == 1", "unsupported", 0, 7, "`#root.a` is not supported in conditions."],
    ["name.length() > 1", "unsupported", 0, 11, "`name.length` is not supported in conditions."],
    ["not $.a eq 1", "unsupported", 0, 7, "`not` beside a comparison means different things in different languages."],
    ["$.a eq 1 eq 2", "syntax", 9, 11, "Comparisons in a row need parentheses."],
    ["5 and $.a", "syntax", 0, 1, "A value alone is not a condition."],
    ["($.a", "syntax", 4, 4, "`)` is missing before the end of the text."],
    ["$.a)", "syntax", 3, 4, "The condition ends before `)`."],
    ["$.a eq 'x", "syntax", 7, 9, "The text that begins here is not closed."],
    ["$.a eq 'x\\n'", "unsupported", 9, 10, "A backslash in a text means different things in different languages."],
    ["$.a[(1)] eq 1", "unsupported", 4, 5, "Script expressions in paths are not supported."],
    ["#jsonPath(other, '$')", "unsupported", 10, 15, "`#jsonPath` looks only into `stateData` or `stateOutputData`."],
    ["#jsonPath(stateData, '$[')", "syntax", 23, 24, "The `[` that begins here is not closed."],
    ["#jsonPath(stateData, $.a)", "syntax", 21, 22, "A path in quotes is missing before `$`."],
  ])("%j", (text, fault, from, to, message) => {
    expect(parseBoolean(text, environment)).toMatchObject({ fault, from, to, message });
  });

  test("depth is bounded, and nothing is read twice", () => {
    expect(evaluateOne(parse(`${"(".repeat(100)}$.on${")".repeat(100)}`), { input: null, variables })).toBe(true);
    expect(parseBoolean("(".repeat(101), environment)).toMatchObject({ fault: "limit" });
    expect(parseBoolean("not ".repeat(200_000), environment)).toMatchObject({ fault: "limit" });
    expect(evaluateOne(parse(`${"$.on and ".repeat(100_000)}$.on`), { input: null, variables })).toBe(true);
  });

  test("no text makes the parser throw, and what it accepts gives one boolean", () => {
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
          const condition = parseBoolean(text, environment);
          if (isFault(condition))
            expect([condition.from >= 0, condition.from <= condition.to, condition.to <= text.length]).toEqual([true, true, true]);
          else expect(evaluateOne(condition, { input: null, variables })).toBeTypeOf("boolean");
        },
      ),
      { seed: 3, numRuns: 20_000 },
    );
  });
});

describe("event expressions, by the same parser", () => {
  const events = new Set(["A", "B", "C", "order-placed"]);
  const within: BooleanEnvironment = { condition: (name) => (events.has(name) ? call("truthy", variable(name)) : undefined) };
  const normal = (text: string) =>
    disjunctiveNormalForm(parse(text, within))?.map((term) =>
      term.map(({ expression, negated }) => (negated ? "-" : "") + printExpression(expression).slice(8, -1).replace("$", "")),
    );

  test.each<[string, readonly (readonly string[])[]]>([
    ["A", [["A"]]],
    [
      "A and (B or C)",
      [
        ["A", "B"],
        ["A", "C"],
      ],
    ],
    ["order-placed OR A && B", [["order-placed"], ["A", "B"]]],
    ["not (A or B)", [["-A", "-B"]]],
    ["A or A and B", [["A"]]],
    ["A and !A or B", [["B"]]],
    ["A and A", [["A"]]],
    ["A or true", [[]]],
    ["A and false", []],
  ])("%s", (text, expected) => {
    expect(normal(text)).toEqual(expected);
  });

  test("names and paths without a meaning are faults", () => {
    expect(parseBoolean("A and D", within)).toMatchObject({ fault: "unsupported", from: 6, to: 7 });
    expect(parseBoolean("$.a", within)).toMatchObject({ fault: "unsupported", from: 0, to: 1, message: "Paths have no meaning here." });
  });

  test("its size is bounded", () => {
    const pairs = Array.from({ length: 20 }, (_, i) => `(a${i} or b${i})`).join(" and ");
    const condition = parse(pairs, { condition: (name) => object([[name, literal(1)]]) });
    expect(disjunctiveNormalForm(condition)).toBeUndefined();
  });
});
