import { expect, test } from "vitest";
import { type Block, type JsExpression, js, printCode, printProgram, walkNodes } from "../../../../src/js-ast/index.ts";
import { widenTypes } from "../../../../targets/typescript/emit/type-widening.ts";

// Widens only the tests whose narrowing conflicts with later code.

const [data, error] = [js.name("data"), js.member(js.name("error"), "name")];
const a = js.member(data, "a");
const is = (type: string): JsExpression => js.binary(js.unary("typeof", data), "===", js.literal(type));
const equals = (path: JsExpression, value: string | number | boolean): JsExpression =>
  js.binary(path, "===", js.literal(value));
const not = (test: JsExpression): JsExpression => js.unary("!", test);
const give = js.returnStatement(data);
const giveA = js.returnStatement(a);

/** The tests whose paths are widened. */
const widenedTests = (code: Block): readonly string[] =>
  Array.from(walkNodes(widenTypes(code))).flatMap((node) =>
    node.kind === "binary" && node.operator === "===" && printCode(node.left, { types: true }).includes("unknown")
      ? [printCode(node, { types: true })]
      : [],
  );

const text = 'typeof (data as unknown) === "string"';

test.each<[string, Block, readonly string[]]>([
  ["a string that is returned", [js.ifStatement(is("string"), [give])], []],
  ["a string whose member is read", [js.ifStatement(is("string"), [giveA])], [text]],
  ["a value other than a string whose member is read", [js.ifStatement(is("string"), [give], [giveA])], []],
  [
    "a string that is cast to another type",
    [js.ifStatement(is("string"), [js.returnStatement(js.as(data, js.type("Data")))])],
    [text],
  ],
  ["within one condition", [js.ifStatement(js.and(is("string"), equals(a, 1)), [give])], [text]],
  ["in a conditional expression", [js.returnStatement(js.conditional(is("string"), a, data))], [text]],
  ["after a branch that exits", [js.ifStatement(not(is("string")), [js.throwStatement(data)]), giveA], [text]],
  ["after a branch that completes", [js.ifStatement(is("string"), [js.expressionStatement(data)]), giveA], []],
  ["in an enclosing block", [js.block([js.ifStatement(not(is("string")), [js.throwStatement(data)])]), giveA], [text]],
  [
    "after a loop that contains the test",
    [js.whileStatement(data, [js.ifStatement(not(is("string")), [js.continueStatement()])]), giveA],
    [],
  ],
  ["in a function of the module", [js.functionDeclaration("f", [], [js.ifStatement(is("string"), [giveA])])], [text]],
  ["both a string and a number", [js.ifStatement(js.and(is("string"), is("number")), [give])], [text]],
  [
    "two strings at once",
    [js.ifStatement(js.and(equals(error, "A"), equals(error, "B")), [give])],
    ['(error.name as unknown) === "A"'],
  ],
  ["one string or another", [js.ifStatement(js.or(equals(error, "A"), equals(error, "B")), [give])], []],
  [
    "first not true, then true",
    [js.ifStatement(equals(data, true), [give], [js.ifStatement(equals(data, true), [give])])],
    ["(data as unknown) === true"],
  ],
  [
    "another variable of the same name",
    [
      js.block([js.constant("error", data), js.ifStatement(not(equals(error, "A")), [js.throwStatement(data)])]),
      js.block([js.constant("error", data), js.ifStatement(equals(error, "B"), [give])]),
    ],
    [],
  ],
])("%s", (_, code, expected) => {
  expect(widenedTests(code)).toEqual(expected);
});

test.each<[string, Block, readonly string[]]>([
  [
    "an object, compared with a number",
    [js.assign("data", js.object([])), js.ifStatement(equals(data, 0), [give])],
    ["{} as Json"],
  ],
  [
    "a string, compared with a number",
    [js.assign("data", js.literal("a")), js.returnStatement(equals(data, 0))],
    ['"a" as Json'],
  ],
  ["a string, compared with a string", [js.assign("data", js.literal("a")), js.returnStatement(equals(data, "b"))], []],
  [
    "an object whose member is compared with a number",
    [js.assign("data", js.object([])), js.returnStatement(equals(a, 0))],
    [],
  ],
  [
    "a number that may be cast to an object type",
    [
      js.assign("data", js.literal(1)),
      js.returnStatement(js.as(js.conditional(is("object"), data, a), js.type("Data"))),
    ],
    ["1 as Json"],
  ],
  ["a value of any type", [js.assign("data", js.name("other")), js.returnStatement(equals(data, 0))], []],
  [
    "after the block of the assignment",
    [js.block([js.assign("data", js.array([]))]), js.returnStatement(is("string"))],
    ["[] as Json"],
  ],
])("assignments: %s", (_, code, expected) => {
  const assigned = Array.from(walkNodes(widenTypes(code))).flatMap((node) =>
    node.kind === "assign" && node.value.kind === "assertion" ? [printCode(node.value, { types: true })] : [],
  );
  expect(assigned).toEqual(expected);
});

const isFalse = equals(data, false);
const defaulted = js.conditional(isFalse, js.literal(3), data);

test.each<[string, Block, string]>([
  [
    "a conditional value that excludes false",
    [js.constant("b", defaulted), js.returnStatement(equals(js.name("b"), false))],
    "const b = (data === false ? 3 : data) as Json;",
  ],
  [
    "a conditional value, compared with one of its results",
    [js.constant("b", defaulted), js.returnStatement(equals(js.name("b"), 3))],
    "const b = data === false ? 3 : data;",
  ],
  [
    "a constant, compared with another",
    [js.constant("b", js.literal(0)), js.returnStatement(equals(js.name("b"), 1))],
    "const b = 0 as Json;",
  ],
  [
    "a constant, compared with itself",
    [js.constant("b", js.literal(0)), js.returnStatement(equals(js.name("b"), 0))],
    "const b = 0;",
  ],
  [
    "a conditional value of any type",
    [js.constant("b", js.conditional(isFalse, js.literal(3), a)), js.returnStatement(equals(js.name("b"), true))],
    "const b = data === false ? 3 : data.a;",
  ],
  [
    "constants",
    [
      js.constant("b", js.conditional(a, js.literal(1), js.literal(2))),
      js.returnStatement(js.binary(js.literal(3), "!==", js.name("b"))),
    ],
    "const b = (data.a ? 1 : 2) as Json;",
  ],
  [
    "null, compared with a constant of another type than the other result",
    [
      js.constant("b", js.conditional(js.binary(data, "===", js.literal(null)), data, js.literal(""))),
      js.returnStatement(equals(js.name("b"), false)),
    ],
    'const b = (data === null ? data : "") as Json;',
  ],
  [
    "an operand",
    [js.expressionStatement(equals(defaulted, false))],
    "((data === false ? 3 : data) as Json) === false;",
  ],
  ["two constants", [js.expressionStatement(equals(js.literal(3), 0))], "(3 as Json) === 0;"],
  ["an array that stays empty", [js.constant("b", js.array([]))], "const b = [] as Json;"],
  [
    "an array that is filled",
    [js.constant("b", js.array([])), js.expressionStatement(js.method(js.name("b"), "push", [data]))],
    "const b = [];",
  ],
])("narrowed values: %s", (_, code, expected) => {
  expect(printProgram(widenTypes(code).slice(0, 1), { types: true }).trim()).toBe(expected);
});
