import { describe, expect, test } from "vitest";
import type { Expression } from "../../src/expressions/core/ast.ts";
import { call, literal, variable } from "../../src/expressions/core/build.ts";
import { dateDescriptor, evaluateOne, expandUri, simplify, uriTemplateNames } from "../../src/expressions/index.ts";
import { EvaluationError } from "../../src/expressions/library/failure.ts";
import type { Json } from "../../src/json.ts";
import { run } from "./js/running.ts";

/** The value of an expression over `$x`, which compiled JavaScript has too. */
function resultOf(expression: Expression, x: Json): Json {
  const variables = new Map([["x", x]]);
  const value = evaluateOne(expression, { input: null, variables });
  expect(run(expression, null, [x], ["x"])).toEqual({ outputs: [value] });
  expect(run(simplify(expression), null, [x], ["x"])).toEqual({ outputs: [value] });
  return value;
}

const x = variable("x");

describe("merge with arrays", () => {
  const merged = (target: Json, value: Json, arrays: "union" | "replace"): Json =>
    resultOf(call("merge", x, literal(value), literal(arrays)), target);

  test.each<[string, Json, Json, Json, Json]>([
    ["objects member by member", { a: 1, b: { c: 2 } }, { b: { d: 3 } }, { a: 1, b: { c: 2, d: 3 } }, "same"],
    ["arrays", [1, { k: 1 }], [{ k: 1 }, 2, 2], [1, { k: 1 }, 2], [{ k: 1 }, 2, 2]],
    ["inner arrays", { a: { b: [1] } }, { a: { b: [2] } }, { a: { b: [1, 2] } }, { a: { b: [2] } }],
    ["an array and an element", [1], 2, [1, 2], "same"],
    ["an array and an element that it has", [1, { k: [1] }], { k: [1] }, [1, { k: [1] }], "same"],
    ["an array and null", ["a"], null, ["a", null], "same"],
    ["equal members in another order", [{ a: 1, b: 2 }], [{ b: 2, a: 1 }], [{ a: 1, b: 2 }], [{ b: 2, a: 1 }]],
    ["another value and an array", { a: 1 }, { a: [2] }, { a: [2] }, "same"],
    ["scalars", 1, "b", "b", "same"],
  ])("%s", (_, target, value, union, replaced) => {
    expect(merged(target, value, "union")).toEqual(union);
    expect(merged(target, value, "replace")).toEqual(replaced === "same" ? union : replaced);
  });

  test("a member `__proto__` is like any other", () => {
    const value = JSON.parse('{"__proto__":{"a":[1]}}') as Json;
    expect(JSON.stringify(merged(value, JSON.parse('{"__proto__":{"a":[2]}}') as Json, "union"))).toBe(
      '{"__proto__":{"a":[1,2]}}',
    );
  });

  test("large arrays take no quadratic time", () => {
    const numbers = (from: number): Json => Array.from({ length: 100_000 }, (_, i) => from + i);
    const result = evaluateOne(call("merge", literal(numbers(0)), literal(numbers(50_000)), literal("union")), {
      input: null,
      variables: new Map(),
    });
    expect(result).toHaveLength(150_000);
  });
});

test("a schema is checked under the name of the value", () => {
  const check = (rules: Json) => call("schemaViolation", x, literal(rules), literal("the output"));
  const rules = [{ type: ["object"], required: ["a"], properties: { a: { type: ["string"] } } }];
  expect(resultOf(check(rules), { a: "b" })).toBeNull();
  expect(resultOf(check(rules), 1)).toBe("the output is not an object");
  expect(resultOf(check(rules), {})).toBe("/a is missing");
  expect(resultOf(check(rules), { a: 1 })).toBe("/a is not a string");
});

describe("dates", () => {
  test.each<[Json, Json]>([
    [0, "1970-01-01T00:00:00.000Z"],
    [1700000000.1239, "2023-11-14T22:13:20.123Z"],
    [-0.0001, "1969-12-31T23:59:59.999Z"],
    [253402300800, null],
    ["a", null],
  ])("%j is the instant %j", (seconds, wanted) => {
    expect(resultOf(call("instant", x), seconds)).toBe(wanted);
  });

  test("a descriptor has all forms", () => {
    expect(resultOf(dateDescriptor(x), 1700000000.25)).toEqual({
      iso8601: "2023-11-14T22:13:20.250Z",
      epoch: { seconds: 1700000000, milliseconds: 1700000000250 },
    });
  });
});

describe("URI templates", () => {
  test.each<[string, Json, string]>([
    [
      "https://a.example/{name}",
      { name: "é /?#[]@!$&'()*+,;=~-._" },
      "https://a.example/%C3%A9%20%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D~-._",
    ],
    ["/{a}{b}/{c}", { a: 1.5, b: true, c: null }, "/1.5true/"],
    ["/{a}", {}, "/"],
    ["/{a}", [1], "/"],
    ["/{a}", "text", "/"],
    ["/plain", {}, "/plain"],
    ["/{constructor}", {}, "/"],
  ])("%s over %j", (template, value, wanted) => {
    expect(resultOf(expandUri(template, x), value)).toBe(wanted);
  });

  test.each<[Json]>([[{ a: [1] }], [{ a: {} }]])("a member of %j has no text", (value) => {
    const expanded = expandUri("/{a}", x);
    expect(() => evaluateOne(expanded, { input: null, variables: new Map([["x", value]]) })).toThrow(EvaluationError);
  });

  test.each<[string, ReturnType<typeof uriTemplateNames>]>([
    ["https://a/{b}/{c}?d={b}", ["b", "c", "b"]],
    ["/plain", []],
    ["/{+path}", { invalid: "{+path}" }],
    ["/{a", { invalid: "{" }],
    ["/a}", { invalid: "/a}" }],
    ["/{}", { invalid: "{}" }],
  ])("%s has the names %j", (template, wanted) => {
    expect(uriTemplateNames(template)).toEqual(wanted);
  });
});
