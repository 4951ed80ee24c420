import { describe, expect, test } from "vitest";
import {
  type ComparisonOperator,
  compareInCondition,
  comparesNodes,
  equals,
  isAbove,
  isAtLeast,
  isAtMost,
  isBelow,
  matches,
  notEquals,
  notMatches,
  type SwitchOperator,
  switchCondition,
} from "../../src/expressions/builtins/dialect/conditions.ts";
import {
  assignResultJson,
  dataMergeError,
  differenceJson,
  mergeJson,
  mergeResultJson,
  placeJson,
  text,
} from "../../src/expressions/builtins/dialect/data.ts";
import { attribute, isEmpty, truthy } from "../../src/expressions/builtins/dialect.ts";
import { call, collect, comma, literal, member, variable } from "../../src/expressions/core/build.ts";
import { evaluateAll } from "../../src/expressions/interpreter/evaluate.ts";
import { EvaluationError } from "../../src/expressions/library/failure.ts";
import type { Json } from "../../src/json.ts";
import { cpuTime } from "../cpu.ts";

const failure = (run: () => unknown): Json => {
  try {
    run();
  } catch (error) {
    if (error instanceof EvaluationError) return error.value;
    throw error;
  }
  return "no failure";
};

describe("merge", () => {
  test.each<[Json, Json, Json]>([
    [
      { a: { b: 1, c: 2 }, d: 3 },
      { e: 4, a: { c: 5 } },
      { a: { b: 1, c: 5 }, d: 3, e: 4 },
    ],
    [{ a: [1, 2] }, { a: [3] }, { a: [3] }],
    [{ a: { b: 1 } }, { a: null }, { a: null }],
    [{ a: 1 }, { a: { b: 2 } }, { a: { b: 2 } }],
    [{ a: 1 }, 5, 5],
    [7, [1], [1]],
  ])("%j and %j merge to %j", (target, value, expected) => {
    expect(JSON.stringify(mergeJson(target, value))).toBe(JSON.stringify(expected));
  });

  test("merging an object into another value fails", () => {
    expect(failure(() => mergeJson([1], {}))).toEqual({ name: "DataMergeError", message: dataMergeError.merge });
    expect(failure(() => mergeJson(null, { a: 1 }))).toEqual({ name: "DataMergeError", message: dataMergeError.merge });
  });

  test("changes neither argument nor a prototype", () => {
    const target = { a: { b: 1 } };
    const merged = mergeJson(target, JSON.parse('{"a":{"c":2},"__proto__":{"x":1}}')) as object;
    expect(target).toEqual({ a: { b: 1 } });
    expect(Object.keys(merged)).toEqual(["a", "__proto__"]);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});

test.each<[Json, Json, Json]>([
  [{ a: 1 }, null, { a: 1 }],
  [5, null, 5],
  [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  [{ a: 1 }, [2], { a: 1, k: [2] }],
  [{ k: { x: 1 } }, false, { k: false }],
])("mergeResult(%j, %j, k) is %j", (target, value, expected) => {
  expect(mergeResultJson(target, value, "k")).toEqual(expected);
});

test.each<[Json, Json, Json]>([
  [{ a: 1, o: { x: 1, l: [1] } }, { o: { y: 2 } }, { a: 1, o: { y: 2 } }],
  [{ a: 1 }, null, { a: 1 }],
  [{ a: 1 }, [2], { a: 1, k: [2] }],
  [{ k: { x: 1 } }, false, { k: false }],
  [JSON.parse('{ "__proto__": 1 }'), JSON.parse('{ "__proto__": [2] }'), JSON.parse('{ "__proto__": [2] }')],
])("assignResult(%j, %j, k) is %j", (target, value, expected) => {
  expect(assignResultJson(target, value, "k")).toEqual(expected);
  expect(failure(() => assignResultJson([], { a: 1 }, "k"))).toEqual({
    name: "DataMergeError",
    message: dataMergeError.merge,
  });
});

test("merging a result into another value fails", () => {
  expect(failure(() => mergeResultJson("x", 1, "k"))).toEqual({
    name: "DataMergeError",
    message: dataMergeError.merge,
  });
});

test.each<[Json, Json, Json, Json]>([
  [{ a: 1 }, [], 2, 2],
  [3, [], 2, 2],
  [{ a: { b: 1, c: 2 } }, ["a", "b"], 9, { a: { b: 9, c: 2 } }],
  [{ a: 5 }, ["a", "b", "c"], {}, { a: { b: { c: {} } } }],
  [{ a: { b: { x: 1 } } }, ["a", "b"], { y: 2 }, { a: { b: { y: 2 } } }],
])("place(%j, %j, %j) is %j", (target, path, value, expected) => {
  expect(placeJson(target, path, value)).toEqual(expected);
});

test("placing changes neither argument and fails outside of objects", () => {
  const target = { a: { b: 1 } };
  placeJson(target, ["a", "c"], 2);
  expect(target).toEqual({ a: { b: 1 } });
  expect(Object.keys(placeJson({}, ["__proto__", "x"], 1) as object)).toEqual(["__proto__"]);
  expect(failure(() => placeJson([], ["a"], 1))).toEqual({ name: "DataMergeError", message: dataMergeError.place });
});

test.each<[Json, Json, Json]>([
  [{ a: 1, b: 2 }, { a: 1 }, { b: 2 }],
  [{ a: { x: 1, y: 2 } }, { a: { x: 1, y: 3 } }, { a: { y: 2 } }],
  [{ a: { x: 1 } }, { a: { x: 1 } }, {}],
  [{ a: {} }, { a: { x: 1 } }, {}],
  [{ a: { x: 1 } }, { a: 5 }, { a: { x: 1 } }],
  [[1], [1], null],
  [[1], [2], [1]],
  [{}, 1, {}],
])("difference(%j, %j) is %j", (value, base, expected) => {
  expect(differenceJson(value, base)).toEqual(expected);
});

describe("switchCondition", () => {
  test.each<[readonly Json[], SwitchOperator, Json, boolean]>([
    [[], "notexists", "", true],
    [[], "exists", "", false],
    [[], "notnull", "", false],
    [[], "notequals", "x", false],
    [[], "notmatches", "x", false],
    [[null], "exists", "", true],
    [[null], "notexists", "", false],
    [[1, null], "null", "", true],
    [[1, null], "notnull", "", false],
    [[1, false], "notnull", "", true],
    [[1], "equals", "1", true],
    [[1.5], "equals", "1.50", false],
    [[true], "equals", "true", true],
    [["1"], "equals", 1, false],
    [[[1]], "equals", "1", false],
    [[{ a: [1] }], "equals", { a: [1] }, true],
    [[null], "equals", null, false],
    [[null], "notequals", "x", false],
    [[{}], "notequals", "x", true],
    [["a", "b"], "equals", "b", true],
    [["a", "b"], "notequals", "b", false],
    [["a", "c"], "notequals", "b", true],
    [[22], "greaterthanorequals", "18", true],
    [["9"], "lessthan", "10", true],
    [["9a"], "lessthan", "10", false],
    [["1e1"], "lessthanorequals", 10, true],
    [[true], "lessthan", "2", false],
    [["2020-01-01T00:00:00+01:00"], "lessthan", "2020-01-01T00:00:00Z", true],
    [["2020-01-01T00:00:00.5Z"], "greaterthan", "2020-01-01T00:00:00Z", true],
    [["2020-02-31T00:00:00+01:00"], "lessthan", "2020-02-31T00:00:00Z", true],
    [["b"], "greaterthan", "a", true],
    [["order 5"], "matches", "\\d", true],
    [[5], "matches", "\\d", false],
    [[5], "notmatches", "x", false],
    [["a", "b"], "notmatches", "a", false],
    [["b"], "notmatches", "a", true],
  ])("%j %s %j is %s", (values, operator, operand, expected) => {
    expect(switchCondition(values, operator, operand)).toBe(expected);
  });

  test.each([
    ["equals", equals],
    ["notequals", notEquals],
    ["lessthan", isBelow],
    ["lessthanorequals", isAtMost],
    ["greaterthan", isAbove],
    ["greaterthanorequals", isAtLeast],
    ["matches", matches],
    ["notmatches", notMatches],
  ] as const)("%s of one value or none is a function of its own", (operator, holds) => {
    const selected = [
      undefined,
      null,
      true,
      0,
      -0,
      7,
      "",
      "7",
      "7.0",
      "a",
      "2020-01-01T00:00:00Z",
      [],
      [7],
      {},
      { a: 7 },
    ];
    const operands = [...selected.slice(1), "true", "null", "^a", "["] as readonly Json[];
    const outcome = (run: () => boolean): Json => {
      try {
        return run();
      } catch (error) {
        return (error as EvaluationError).value;
      }
    };
    const seen = new Set<Json>();
    for (const value of selected) {
      for (const operand of operands) {
        const expected = outcome(() => switchCondition(value === undefined ? [] : [value], operator, operand));
        expect(outcome(() => holds(value, operand))).toEqual(expected);
        seen.add(expected);
      }
    }
    expect(seen).toContain(true);
    expect(seen).toContain(false);
  });

  test("an invalid pattern fails with a message of our own", () => {
    expect(failure(() => switchCondition(["a"], "matches", "("))).toEqual({
      name: "ExpressionError",
      message: "The operand of `matches` is not a regular expression.",
    });
  });
});

test.each<[readonly Json[], ComparisonOperator, readonly Json[], boolean]>([
  [[], "==", [null], true],
  [[null], "==", [], true],
  [[], "==", [], true],
  [[], "==", [1], false],
  [[], "!=", [null], false],
  [[null], "!=", [], false],
  [[], "!=", [1], false],
  [[], "!=", [], false],
  [[null], "!=", [1], true],
  [[], "<", [1], false],
  [["a"], "==", ["a"], true],
  [[1], "==", ["1"], false],
  [[1, 2], "==", [[1, 2]], true],
  [["9"], "<", [10], true],
  [["b"], ">=", ["b"], true],
  [[{}], "<", [{}], false],
  [[{}], "<=", [{}], false],
  [[null], "==", [null], true],
])("%j %s %j is %s in a condition", (left, operator, right, expected) => {
  expect(compareInCondition(left, operator, right)).toBe(expected);
});

test.each<[readonly Json[], ComparisonOperator, readonly Json[], boolean]>([
  [[], "==", [], true],
  [[], "<=", [], true],
  [[], "==", [null], false],
  [[], "!=", [null], true],
  [[1], "<", [2], true],
  [["1"], "<", [2], false],
  [["\uffff"], "<", ["\u{10000}"], true],
  [[null], "<=", [null], true],
  [[true], "<", [false], false],
])("%j %s %j is %s in a path's filter", (left, operator, right, expected) => {
  expect(comparesNodes(left, operator, right)).toBe(expected);
});

test("stream builtins evaluate only what they need", () => {
  const yielding =
    (...values: readonly Json[]) =>
    () =>
      values;
  expect(
    [yielding(), yielding(null), yielding(""), yielding([]), yielding({}), yielding(null, 1)].map(isEmpty),
  ).toEqual(Array(6).fill(true));
  expect([yielding(0), yielding(false), yielding([null]), yielding({ a: 1 })].map(isEmpty)).toEqual(
    Array(4).fill(false),
  );
  expect([yielding(), yielding(null, false)].map(truthy)).toEqual([false, false]);
  expect([yielding(0), yielding(null, "")].map(truthy)).toEqual([true, true]);
});

test("event attributes are case-insensitive and exclude the data", () => {
  const event: Json = { type: "t", PatientId: "p", data: { patientid: "no" } };
  const of = (name: string) => [
    ...attribute(
      () => [event],
      () => [name],
    ),
  ];
  expect([of("patientid"), of("TYPE"), of("data"), of("Data"), of("none")]).toEqual([["p"], ["t"], [], [], []]);
});

test("text keeps strings and prints other values as compact JSON", () => {
  expect([text("a"), text(1), text(null), text({ a: [1, "x"] })]).toEqual(["a", "1", "null", '{"a":[1,"x"]}']);
});

test("value builtins combine all outputs, the first argument varying slowest", () => {
  const scope = { input: null, variables: new Map([["x", { a: 1 }]]) };
  const values = comma(literal(1), literal(2));
  expect(evaluateAll(call("mergeResult", comma(literal({}), literal({ z: 0 })), values, literal("k")), scope)).toEqual([
    { k: 1 },
    { k: 2 },
    { z: 0, k: 1 },
    { z: 0, k: 2 },
  ]);
  expect(evaluateAll(call("compareInCondition", values, literal("=="), collect(values)), scope)).toEqual([true]);
  expect(evaluateAll(call("exists", member(variable("x"), "b")), scope)).toEqual([false]);
});

describe("matching a pattern", () => {
  test.each([
    ["^(\\w+\\s?)*$", `${"a".repeat(60)}!`, false],
    ["(x+x+)+y", "x".repeat(200), false],
    ["^(a|b)+$", "ab".repeat(500), true],
    ["^\\u0061+(b)*\\1$", "aabb", true],
    ["^(.{2})+$", "😀😀", true],
  ])("%s takes time linear in the string", (pattern, text, expected) => {
    const start = cpuTime();
    expect(matches(text, pattern)).toBe(expected);
    expect(notMatches(text, pattern)).toBe(!expected);
    expect(cpuTime() - start).toBeLessThan(3_000);
  });
});
