import { expect, test } from "vitest";
import { type Block, type JsExpression, js, printCode, walkNodes } from "../../../../src/js-ast/index.ts";
import { widenTypes } from "../../../../targets/typescript/emit/type-widening.ts";

// Tests that tell TypeScript more than what is done after them can bear forget what they ask; all others stay as they are.

const [data, error] = [js.name("data"), js.member(js.name("error"), "name")];
const a = js.member(data, "a");
const is = (type: string): JsExpression => js.binary(js.unary("typeof", data), "===", js.literal(type));
const equals = (path: JsExpression, value: string | number | boolean): JsExpression =>
  js.binary(path, "===", js.literal(value));
const not = (test: JsExpression): JsExpression => js.unary("!", test);
const give = js.returnStatement(data);
const giveA = js.returnStatement(a);

/** What the tests in statements forget. */
const forgotten = (code: Block): readonly string[] =>
  Array.from(walkNodes(widenTypes(code))).flatMap((node) =>
    node.kind === "binary" && node.operator === "===" && printCode(node.left, { types: true }).includes("unknown")
      ? [printCode(node, { types: true })]
      : [],
  );

const text = 'typeof (data as unknown) === "string"';

test.each<[string, Block, readonly string[]]>([
  ["a text that is given", [js.ifStatement(is("string"), [give])], []],
  ["a text of which a member is read", [js.ifStatement(is("string"), [giveA])], [text]],
  ["what is no text of which a member is read", [js.ifStatement(is("string"), [give], [giveA])], []],
  [
    "a text that is taken for something else",
    [js.ifStatement(is("string"), [js.returnStatement(js.as(data, js.type("Data")))])],
    [text],
  ],
  ["within one condition", [js.ifStatement(js.and(is("string"), equals(a, 1)), [give])], [text]],
  ["in a conditional", [js.returnStatement(js.conditional(is("string"), a, data))], [text]],
  ["behind a way that ends", [js.ifStatement(not(is("string")), [js.throwStatement(data)]), giveA], [text]],
  ["behind a way that goes on", [js.ifStatement(is("string"), [js.expressionStatement(data)]), giveA], []],
  ["in a block around", [js.block([js.ifStatement(not(is("string")), [js.throwStatement(data)])]), giveA], [text]],
  [
    "behind a loop in which it is asked",
    [js.whileStatement(data, [js.ifStatement(not(is("string")), [js.continueStatement()])]), giveA],
    [],
  ],
  ["in a function of the module", [js.functionDeclaration("f", [], [js.ifStatement(is("string"), [giveA])])], [text]],
  ["a text and a number at once", [js.ifStatement(js.and(is("string"), is("number")), [give])], [text]],
  [
    "two texts at once",
    [js.ifStatement(js.and(equals(error, "A"), equals(error, "B")), [give])],
    ['(error.name as unknown) === "A"'],
  ],
  ["one text or another", [js.ifStatement(js.or(equals(error, "A"), equals(error, "B")), [give])], []],
  [
    "what is not true and then true",
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
  expect(forgotten(code)).toEqual(expected);
});

test.each<[string, Block, readonly string[]]>([
  [
    "an object that is then a number",
    [js.assign("data", js.object([])), js.ifStatement(equals(data, 0), [give])],
    ["{} as Json"],
  ],
  [
    "a text that is then a number",
    [js.assign("data", js.literal("a")), js.returnStatement(equals(data, 0))],
    ['"a" as Json'],
  ],
  ["a text that is then a text", [js.assign("data", js.literal("a")), js.returnStatement(equals(data, "b"))], []],
  [
    "an object with a member that is a number",
    [js.assign("data", js.object([])), js.returnStatement(equals(a, 0))],
    [],
  ],
  [
    "a number that may be taken for data",
    [
      js.assign("data", js.literal(1)),
      js.returnStatement(js.as(js.conditional(is("object"), data, a), js.type("Data"))),
    ],
    ["1 as Json"],
  ],
  ["what has any type", [js.assign("data", js.name("other")), js.returnStatement(equals(data, 0))], []],
  [
    "behind the block of it",
    [js.block([js.assign("data", js.array([]))]), js.returnStatement(is("string"))],
    ["[] as Json"],
  ],
])("What is assigned: %s", (_, code, expected) => {
  const assigned = Array.from(walkNodes(widenTypes(code))).flatMap((node) =>
    node.kind === "assign" && node.value.kind === "assertion" ? [printCode(node.value, { types: true })] : [],
  );
  expect(assigned).toEqual(expected);
});
