import { expect, test } from "vitest";
import { variable } from "../../src/expressions/core/build.ts";
import { evaluateOne } from "../../src/expressions/interpreter/evaluate.ts";
import { compileTemplate, type TemplateDiagnostic } from "../../src/expressions/syntax/template.ts";
import type { Json } from "../../src/json.ts";

const data: Json = { name: "Ann", age: 22, tags: ["a", "b"], inner: { "first-name": "A" } };

function run(value: Json, interpolate = false) {
  const diagnostics: TemplateDiagnostic[] = [];
  const expression = compileTemplate({ value }, "value", {
    root: variable("data"),
    interpolate,
    report: (diagnostic) => diagnostics.push(diagnostic),
  });
  return {
    expression,
    diagnostics,
    value: evaluateOne(expression, { input: null, variables: new Map([["data", data]]) }),
  };
}

test.each<[Json, Json]>([
  ["$", data],
  ["$.", data],
  ["$.name", "Ann"],
  ["$['age']", 22],
  ["$.missing.too", null],
  ["$.tags[*]", ["a", "b"]],
  ["$..none", []],
  ["$name", "$name"],
  ["$5", "$5"],
  ["\\$.name", "$.name"],
  ["\\$", "$"],
  ["C:\\$Recycle", "C:\\$Recycle"],
  ["costs 5 $", "costs 5 $"],
  ["", ""],
  [
    { a: "$.name", b: [1, "$.age", { c: "$.none" }] },
    { a: "Ann", b: [1, 22, { c: null }] },
  ],
  [["$.tags"], [["a", "b"]]],
  [[], []],
])("%j evaluates to %j", (template, expected) => {
  const { value, diagnostics } = run(template);
  expect(value).toEqual(expected);
  expect(diagnostics).toEqual([]);
});

test("a template without paths is one literal", () => {
  const { expression } = run({ a: [1, { __proto__x: "x" }], b: "\\$" });
  expect(expression).toEqual({ kind: "literal", value: { a: [1, { __proto__x: "x" }], b: "$" } });
});

test("a key named __proto__ stays a key", () => {
  const { value } = run(JSON.parse('{"__proto__":"$.name","x":1}'));
  expect(JSON.stringify(value)).toBe('{"__proto__":"Ann","x":1}');
  expect(JSON.stringify(run(JSON.parse('{"__proto__":{"y":2}}')).value)).toBe('{"__proto__":{"y":2}}');
});

test("a path inside a string stays literal and is reported", () => {
  const { value, diagnostics } = run("Dear $.name, or $.inner.first-name.");
  expect(value).toBe("Dear $.name, or $.inner.first-name.");
  expect(diagnostics).toEqual([
    { kind: "literalPath", owner: { value }, key: "value", from: 5, to: 11, path: "$.name" },
    { kind: "literalPath", owner: { value }, key: "value", from: 16, to: 34, path: "$.inner.first-name" },
  ]);
});

test.each<[string, string]>([
  ["Dear $.name, or $.inner.first-name.", "Dear Ann, or A."],
  ["$.name is $.age", "Ann is 22"],
  ["all: $.tags[*]; first: $.tags[0]", 'all: ["a","b"]; first: a'],
  ["no $.such, \\$.name, $5 $", "no null, $.name, $5 $"],
  ["[$['name']-$.age-$.age]", "[Ann-22-22]"],
])("interpolated, %j evaluates to %j", (template, expected) => {
  const { value, diagnostics } = run([template], true);
  expect(diagnostics).toEqual([]);
  expect(value).toEqual([expected]);
});

test("an invalid path is an error with a position", () => {
  const template = { a: "$.name[x]" };
  const { value, diagnostics } = run(template);
  expect(value).toEqual({ a: null });
  expect(diagnostics).toEqual([
    {
      kind: "error",
      owner: template,
      key: "a",
      category: "syntax",
      from: 7,
      to: 8,
      message: "`x` is not allowed in `[ ]`.",
      hint: expect.any(String),
    },
  ]);
});

test("a string that only starts with a path is a string", () => {
  const { value, diagnostics } = run("$.name $.age");
  expect(value).toBe("$.name $.age");
  expect(diagnostics.map((diagnostic) => diagnostic.kind === "literalPath" && diagnostic.path)).toEqual([
    "$.name",
    "$.age",
  ]);
});

test("many paths in one string do not nest deeply", () => {
  expect(run("$.age,".repeat(20_000).slice(1), true).value).toHaveLength(3 * 19_999 + 5);
});

test("a path that selects nothing in the root is resolved in the fallback and reported", () => {
  const diagnostics: TemplateDiagnostic[] = [];
  const value = { a: "$.name", b: "$.old", c: "$.none", d: "$.olds[*]", e: "$..none", f: "$" };
  const environment = {
    root: variable("data"),
    fallback: variable("before"),
    report: (diagnostic: TemplateDiagnostic) => diagnostics.push(diagnostic),
  };
  const variables = new Map<string, Json>([
    ["data", { name: "Ann" }],
    ["before", { name: "Bob", old: null, olds: [1, 2] }],
  ]);
  const evaluate = (template: Json, interpolate: boolean) =>
    evaluateOne(compileTemplate({ template }, "template", { ...environment, interpolate }), { input: null, variables });
  expect(evaluate(value, false)).toEqual({ a: "Ann", b: null, c: null, d: [1, 2], e: [], f: { name: "Ann" } });
  expect(diagnostics.map(({ kind, key }) => `${kind} ${key}`)).toEqual([
    "twoRoots a",
    "twoRoots b",
    "twoRoots c",
    "twoRoots d",
    "twoRoots e",
  ]);
  diagnostics.length = 0;
  expect(evaluate("Hello $.name and $.olds[1].", true)).toBe("Hello Ann and 2.");
  expect(diagnostics).toMatchObject([
    { kind: "twoRoots", from: 6, to: 12, path: "$.name" },
    { kind: "twoRoots", from: 17, to: 26, path: "$.olds[1]" },
  ]);
});
