import { describe, expect, test } from "vitest";
import { evaluate } from "../../../src/expressions/interpreter/evaluate.ts";
import { EvaluationError } from "../../../src/expressions/library/failure.ts";
import { fromJson } from "../../../src/expressions/library/json-reader.ts";
import { toJson } from "../../../src/expressions/library/json-text.ts";
import { equalValues } from "../../../src/expressions/library/order.ts";
import { readJq } from "../../../src/expressions/syntax/jq/lower.ts";
import type { Json } from "../../../src/json.ts";
import { haveSuites, readSuites, type SuiteCase } from "./suites.ts";

/** The outputs of a program, its error message, or why it is unsupported. */
function outcome(program: string, input: Json) {
  const read = readJq(program);
  if (!("expression" in read)) return { refused: read.map(({ message }) => message).join(" ") };
  const outputs: Json[] = [];
  try {
    for (const value of evaluate(read.expression, { input, variables: new Map() })) outputs.push(value);
    return { outputs };
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return { outputs, failed: error.message };
  }
}

/** The outputs of a program for null. */
const given = (program: string) => outcome(program, null);

describe.skipIf(!haveSuites)("jq's own tests (skipped without ../shared/cases/jq)", () => {
  const cases = readSuites().filter(({ input }) => input !== undefined);
  const wrong: string[] = [];
  const refused: string[] = [];
  const tooDeep: string[] = [];
  for (const { program, input, outputs, line } of cases as readonly (SuiteCase & { input: string })[]) {
    const { refused: reason, outputs: ours = [], failed } = outcome(program, fromJson(input));
    const theirs = outputs.map((text) => JSON.parse(toJson(fromJson(text))) as Json);
    if (reason !== undefined) refused.push(reason);
    else if (failed === "An expression needs too much memory.") tooDeep.push(program);
    else if (!equalValues(ours, theirs)) wrong.push(`${line}: ${program}`);
  }

  test("have jq's outputs", () => {
    expect(wrong).toEqual([]);
  });

  test("exceed no engine limit", () => expect(tooDeep).toEqual([]));

  test("are rejected only for features that workflows lack", () => {
    const subjects = refused.map((reason) => /`([^`]+)`/.exec(reason)?.[1]);
    expect([...new Set(subjects)].sort()).toEqual([
      "$ENV",
      "builtins",
      "debug",
      "env",
      "import",
      "include",
      "input",
      "modulemeta",
    ]);
  });
});

describe("order of outputs", () => {
  test.each([
    ["[(1,2) + (10,20)]", [11, 12, 21, 22]],
    ["[{a: (1,2), b: (3,4)}[]]", [1, 3, 1, 4, 2, 3, 2, 4]],
    ['["a\\(1,2)b\\(3,4)"]', ["a1b3", "a2b3", "a1b4", "a2b4"]],
    ["[[1,2,3][(0,1):(2,3)]]", [[1, 2], [1, 2, 3], [2], [2, 3]]],
    ["[range(0,1;3,4)]", [0, 1, 2, 0, 1, 2, 3, 1, 2, 1, 2, 3]],
    ["[setpath((['a'],['b']);1,2)]".replaceAll("'", '"'), [{ a: 1 }, { b: 1 }, { a: 2 }, { b: 2 }]],
    ["[limit(1,2;3,4,5)]", [3, 3, 4]],
    [
      "[(1,2) as $x | (3,4) as $y | [$x,$y]]",
      [
        [1, 3],
        [1, 4],
        [2, 3],
        [2, 4],
      ],
    ],
  ])("%s", (program, value) => {
    expect(given(program)).toEqual({ outputs: [value] });
  });
});

describe("definitions", () => {
  test.each([
    ["def f(g): [g, g]; f(1, 2)", [[1, 2, 1, 2]]],
    ["def f($a; g): $a + g; f(1, 2; 10, 20)", [11, 21, 12, 22]],
    ["def f: if . > 3 then . else . + 1 | f end; 0 | f", [4]],
    ["def f: 1; def g: f; def f: 2; [f, g]", [[2, 1]]],
    ["def f(x): x as $y | def g: $y + 1; g; 5 | f(. * 2)", [11]],
    ["1 as $x | def f(g): 2 as $x | g; f($x)", [1]],
    ["def f(f): f; f(3)", [3]],
    ["def f: def g: 3; g; [f, f]", [[3, 3]]],
    [
      "def ack($m; $n): if $m == 0 then $n + 1 elif $n == 0 then ack($m - 1; 1) else ack($m - 1; ack($m; $n - 1)) end; ack(2; 3)",
      [9],
    ],
  ])("%s", (program, outputs) => {
    expect(given(program)).toEqual({ outputs });
  });

  test("that are inlined too often are rejected", () => {
    const nested = Array.from({ length: 30 }).reduce<string>((inner) => `while(${inner}; .)`, ".");
    expect(outcome(nested, null)).toEqual({
      refused: "This expression grows too large when its functions are inlined.",
    });
  });
});

describe("failing", () => {
  test.each([
    ["try error({a: 1}) catch .a", { outputs: [1] }],
    ["[.[]?]", { outputs: [[]] }],
    ["(1, error('x'), 2)".replaceAll("'", '"'), { outputs: [1], failed: "x" }],
    ["try (1, error('x')) catch .".replaceAll("'", '"'), { outputs: [1, "x"] }],
    ["(try 1 catch 2) | error('late')".replaceAll("'", '"'), { outputs: [], failed: "late" }],
    ["[label $out | try (1, break $out), 2]", { outputs: [[1, 2]] }],
    [
      "label $out | try break $out catch .",
      { refused: "`break` out of `try … catch` is not supported: jq treats it as an error." },
    ],
    ["try (label $out | 1, break $out, 2)", { outputs: [1] }],
    ["(1, error) // 2", { outputs: [1], failed: "null" }],
    ["(false, error('x')) // 2".replaceAll("'", '"'), { outputs: [], failed: "x" }],
    ["1 | .a", { outputs: [], failed: 'Cannot index number with string ("a")' }],
  ])("%s", (program, expected) => {
    expect(given(program)).toEqual(expected);
  });
});

describe("places", () => {
  const document = { a: [{ b: 1 }, { b: 2 }], c: null };
  test.each([
    [
      "[path(.a[].b)]",
      [
        [
          ["a", 0, "b"],
          ["a", 1, "b"],
        ],
      ],
    ],
    ["del(.a[] | select(.b == 1))", [{ a: [{ b: 2 }], c: null }]],
    [".a[].b |= . + 1", [{ a: [{ b: 2 }, { b: 3 }], c: null }]],
    [".a |= map(empty)", [{ a: [], c: null }]],
    [".a[] |= empty", [{ a: [], c: null }]],
    ["(.c // .d) = 5", [{ a: [{ b: 1 }, { b: 2 }], c: null, d: 5 }]],
    [".a[1:] = [7]", [{ a: [{ b: 1 }, 7], c: null }]],
    ["[path(first(.a[], .c))]", [[["a", 0]]]],
    [
      "[path(limit(2; .a[], .c))]",
      [
        [
          ["a", 0],
          ["a", 1],
        ],
      ],
    ],
    ["to_entries | map(.key)", [["a", "c"]]],
    ["[paths]", [[["a"], ["a", 0], ["a", 0, "b"], ["a", 1], ["a", 1, "b"], ["c"]]]],
  ])("%s", (program, outputs) => {
    expect(outcome(program, document)).toEqual({ outputs });
  });

  test("computed values have no path", () => {
    expect(outcome("path(1 + 1)", null)).toEqual({ outputs: [], failed: "Invalid path expression with result 2" });
  });
});

test("a number that loses digits is reported with its value", () => {
  const read = readJq("[9007199254740993, 12345678901234567, 9007199254740992]");
  expect("warnings" in read && read.warnings).toEqual([
    { from: 1, to: 17, message: "Numbers are stored with 53 bits: this becomes 9007199254740992." },
    { from: 19, to: 36, message: "Numbers are stored with 53 bits: this becomes 12345678901234568." },
  ]);
});

test("functions whose last digit may differ from jq's are reported", () => {
  const warnings = (program: string) => {
    const read = readJq(program);
    return "warnings" in read && read.warnings;
  };
  expect(warnings("1 + (.a | cos)")).toEqual([
    { from: 10, to: 13, message: "The last digit of `cos` depends on the engine and may differ from jq's." },
  ]);
  expect(warnings("pow(.a; 2) | sqrt")).toHaveLength(1);
  expect(warnings("sqrt, floor")).toEqual([]);
});
