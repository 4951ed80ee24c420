import { expect, test } from "vitest";
import { type Block, type Expression, js, nodesIn, printCode } from "../../../src/js-ast/index.ts";
import { unnarrowed } from "../../../targets/typescript/emit/widening.ts";

// Tests that tell TypeScript more than what is done after them can bear forget what they ask; all others stay as they are.

const [data, error] = [js.name("data"), js.member(js.name("error"), "name")];
const a = js.member(data, "a");
const is = (type: string): Expression => js.binary(js.unary("typeof", data), "===", js.literal(type));
const equals = (path: Expression, value: string | number | boolean): Expression =>
  js.binary(path, "===", js.literal(value));
const not = (test: Expression): Expression => js.unary("!", test);
const give = js.give(data);
const giveA = js.give(a);

/** What the tests in statements forget. */
const forgotten = (code: Block): readonly string[] =>
  Array.from(nodesIn(unnarrowed(code))).flatMap((node) =>
    node.kind === "binary" && node.operator === "===" && printCode(node.left, { types: true }).includes("unknown")
      ? [printCode(node, { types: true })]
      : [],
  );

const text = 'typeof (data as unknown) === "string"';

test.each<[string, Block, readonly string[]]>([
  ["a text that is given", [js.when(is("string"), [give])], []],
  ["a text of which a member is read", [js.when(is("string"), [giveA])], [text]],
  ["what is no text of which a member is read", [js.when(is("string"), [give], [giveA])], []],
  ["a text that is taken for something else", [js.when(is("string"), [js.give(js.as(data, js.type("Data")))])], [text]],
  ["within one condition", [js.when(js.and(is("string"), equals(a, 1)), [give])], [text]],
  ["in a conditional", [js.give(js.conditional(is("string"), a, data))], [text]],
  ["behind a way that ends", [js.when(not(is("string")), [js.raise(data)]), giveA], [text]],
  ["behind a way that goes on", [js.when(is("string"), [js.statement(data)]), giveA], []],
  ["in a block around", [js.block([js.when(not(is("string")), [js.raise(data)])]), giveA], [text]],
  ["behind a loop in which it is asked", [js.whileLoop(data, [js.when(not(is("string")), [js.again()])]), giveA], []],
  ["in a function of the module", [js.functionDeclaration("f", [], [js.when(is("string"), [giveA])])], [text]],
  ["a text and a number at once", [js.when(js.and(is("string"), is("number")), [give])], [text]],
  [
    "two texts at once",
    [js.when(js.and(equals(error, "A"), equals(error, "B")), [give])],
    ['(error.name as unknown) === "A"'],
  ],
  ["one text or another", [js.when(js.or(equals(error, "A"), equals(error, "B")), [give])], []],
  [
    "what is not true and then true",
    [js.when(equals(data, true), [give], [js.when(equals(data, true), [give])])],
    ["(data as unknown) === true"],
  ],
  [
    "another variable of the same name",
    [
      js.block([js.constant("error", data), js.when(not(equals(error, "A")), [js.raise(data)])]),
      js.block([js.constant("error", data), js.when(equals(error, "B"), [give])]),
    ],
    [],
  ],
])("%s", (_, code, expected) => {
  expect(forgotten(code)).toEqual(expected);
});

test.each<[string, Block, readonly string[]]>([
  [
    "an object that is then a number",
    [js.assign("data", js.object([])), js.when(equals(data, 0), [give])],
    ["{} as Json"],
  ],
  ["a text that is then a number", [js.assign("data", js.literal("a")), js.give(equals(data, 0))], ['"a" as Json']],
  ["a text that is then a text", [js.assign("data", js.literal("a")), js.give(equals(data, "b"))], []],
  ["an object with a member that is a number", [js.assign("data", js.object([])), js.give(equals(a, 0))], []],
  [
    "a number that may be taken for data",
    [js.assign("data", js.literal(1)), js.give(js.as(js.conditional(is("object"), data, a), js.type("Data")))],
    ["1 as Json"],
  ],
  ["what has any type", [js.assign("data", js.name("other")), js.give(equals(data, 0))], []],
  ["behind the block of it", [js.block([js.assign("data", js.array([]))]), js.give(is("string"))], ["[] as Json"]],
])("What is assigned: %s", (_, code, expected) => {
  const assigned = Array.from(nodesIn(unnarrowed(code))).flatMap((node) =>
    node.kind === "assign" && node.value.kind === "assertion" ? [printCode(node.value, { types: true })] : [],
  );
  expect(assigned).toEqual(expected);
});
