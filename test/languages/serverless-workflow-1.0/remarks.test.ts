import { describe, expect, test } from "vitest";
import { check } from "../../../src/compile.ts";
import { languages } from "../../../src/languages/index.ts";

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: expressions of definitions

const head = "document: { dsl: 1.0.3, namespace: shop, name: w, version: 1.0.0 }\n";

const inputOf = (rest: string) => ({
  sources: [{ path: "w.yaml", text: rest.startsWith("document") ? rest : head + rest }],
  options: {},
});

const codesIn = (rest: string): readonly string[] =>
  check(inputOf(rest), languages).diagnostics.map(({ code }) => code);

/** The tasks of a definition. */
const tasks = (...lines: readonly string[]): string => `do:\n${lines.map((line) => `  - ${line}\n`).join("")}`;

describe("members that `set` drops", () => {
  test.each([
    ["read by the next task", ["a: { set: { x: 1 } }", "b: { set: { y: '${ .id }' } }"], ["WB4621"]],
    ["read by a condition", ["a: { set: { x: 1 } }", "b: { if: .id, set: {} }"], ["WB4621"]],
    [
      "read in a branch",
      ["a: { set: { x: 1 } }", "b: { fork: { branches: [{ c: { set: { y: '${ .id }' } } }] } }"],
      ["WB4621"],
    ],
    [
      "read in a try",
      ["a: { set: { x: 1 } }", "b: { try: [{ c: { set: { y: '${ .id }' } } }], catch: { do: [{ d: { set: {} } }] } }"],
      ["WB4621"],
    ],
    [
      "that the data did not have",
      ["a: { set: { x: 1 } }", "b: { set: { y: '${ .x }' } }", "c: { set: { z: '${ .y, .z | values }' } }"],
      [],
    ],
    ["that are kept", ["a: { set: '${ . + { x: 1 } }' }", "b: { set: { y: '${ .id }' } }"], []],
    ["that are set", ["a: { set: { x: 1 } }", "b: { set: { y: '${ .x }' } }"], []],
    ["that another path keeps", ["a: { if: .large, set: { x: 1 } }", "b: { set: { y: '${ .id }' } }"], []],
  ])("%s", (_, lines, expected) => {
    expect(codesIn(tasks(...lines)).filter((code) => code === "WB4621")).toEqual(expected);
  });
});

describe("members that `export` drops", () => {
  const exports = (second: string) =>
    tasks(
      "a: { set: { id: 1 }, export: { as: '{ a: .id }' } }",
      `b: { set: { id: 2 }, export: { as: '${second}' } }`,
      "c: { set: { x: '${ $context.a }' } }",
    );

  test.each([
    ["by another object", "{ b: .id }", ["WB4622"]],
    ["by another value", ".id", ["WB4622"]],
    ["not if it adds to the context", "$context + { b: .id }", []],
    ["not if it has the member", "{ a: .id }", []],
  ])("%s", (_, second, expected) => {
    expect(codesIn(exports(second))).toEqual(expected);
  });

  test("a context that no task has exported yet", () => {
    const lines = ["a: { set: { x: '${ $context.a }' } }", "b: { set: { a: 1 }, export: { as: . } }"];
    expect(codesIn(tasks(...lines))).toContain("WB4607");
  });
});

test.each([
  [".amount", ["WB3625", "WB4623"]],
  ['".[0].amount"', ["WB3625"]],
  ['".amount? // 0"', ["WB3625"]],
])("the output of `listen` is an array: %s", (path, expected) => {
  expect(codesIn(tasks(`a: { listen: { to: { one: { with: { type: t } } } }, output: { as: ${path} } }`))).toEqual(
    expected,
  );
});

describe("a switch without default", () => {
  const cases = (then: string, rest = "") =>
    tasks(`a: { switch: [{ x: { when: .v == 1, then: ${then} } }]${rest} }`, "b: { set: {} }", "c: { set: {} }");

  test.each([
    ["whose next task is that of a case", cases("b"), ["WB3627"]],
    ["whose case continues", cases("continue"), ["WB3627"]],
    ["whose next task is that of no case", cases("c"), []],
    ["with a `then` of its own", cases("b", ", then: c"), []],
  ])("%s", (_, definition, expected) => {
    expect(codesIn(definition)).toEqual(expected);
  });
});

describe("properties newer than `dsl`", () => {
  const at = (version: string, line: string) =>
    codesIn(`document: { dsl: ${version}, namespace: shop, name: w, version: 1.0.0 }\n${tasks(line)}`).filter(
      (code) => code === "WB2633",
    );

  test.each([
    ["1.0.0", "1.0.1", "a: { set: '${ .x }' }"],
    ["1.0.0", "1.0.1", "a: { call: http, with: { method: get, endpoint: https://a, headers: '${ .h }' } }"],
    [
      "1.0.1",
      "1.0.2",
      "a: { call: mcp, with: { protocolVersion: '1', method: m, transport: { http: { endpoint: https://a } } } }",
    ],
    ["1.0.2", "1.0.3", "a: { run: { shell: { command: ls, stdin: x } } }"],
    ["1.0.3", "1.0.4", "a: { for: { in: [1] }, do: [{ b: { set: {} } }] }"],
  ])("%s lacks what %s has", (without, having, line) => {
    expect([at(without, line), at(having, line)]).toEqual([["WB2633"], []]);
  });
});

test.each([
  [".x + 1", ["WB4620"]],
  ['"\\"yes\\""', ["WB4620"]],
  [".x", []],
  [".x == 1", []],
  ["true", []],
])("the condition %s", (condition, expected) => {
  expect(codesIn(tasks(`a: { if: ${condition}, set: {} }`)).filter((code) => code === "WB4620")).toEqual(expected);
});

test("a function of the catalog `default` has to be bound, and others have to be defined", () => {
  const called = (name: string) => tasks(`a: { call: "log:1.0.0@${name}", with: { x: 1 } }`);
  expect(codesIn(called("default"))).toEqual(["WB2634"]);
  expect(codesIn(called("public"))).toEqual(["WB2616"]);
});

test("the input schema types the data", () => {
  const schema =
    "input: { schema: { document: { type: object, properties: { n: {} }, additionalProperties: false } } }\n";
  expect(codesIn(schema + tasks("a: { set: { x: '${ .m }' } }"))).toEqual(["WB4301"]);
});

// biome-ignore-end lint/suspicious/noTemplateCurlyInString: expressions of definitions
