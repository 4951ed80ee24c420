import { expect, test } from "vitest";
import type { Expression } from "../../../../src/expressions/core/ast.ts";
import { readJq } from "../../../../src/expressions/syntax/jq/lower.ts";
import { core } from "../../../expressions/js/running.ts";
import { prepareBoth, printed } from "./running.ts";

function read(text: string, variables: readonly string[]): Expression {
  const result = readJq(text, { variables });
  if (!("expression" in result)) throw new Error(result[0]!.message);
  return result.expression;
}

const codeOf = (text: string, variables: readonly string[] = []): string =>
  printed(read(text, variables), variables).code;

test("members are read by one function each", () => {
  const code = codeOf(".order.id + .order.price");
  expect(code.match(/^const getOrder = /gm)).toHaveLength(1);
  expect(code).toContain(
    'const getPrice = (value: Json): Json =>\n  mayHaveMembers(value) && value.price !== undefined ? value.price : absent(value, "price");',
  );
});

test("inherited members are read by the function for all", () => {
  expect(codeOf(".length + .constructor")).toContain('get(input, "constructor")');
});

test("functions for members have names of their own", () => {
  expect(codeOf(".a + $getA", ["getA"])).toMatch(/^const getA2 = /m);
  expect(codeOf(".path")).toMatch(/^const getPath2 = /m);
  expect(codeOf(".a_b + .aB")).toMatch(/^const getAB2 = /m);
});

test("only functions for members that are read are declared", () => {
  expect(codeOf(".a |= first($getA, error)", ["getA"])).not.toMatch(/^const getA\d* = /m);
});

test.each([".a", ".a.b", "[.[] | .a]", "try .a catch .", ".toString"])("%s has the meaning of the core", (text) => {
  const both = prepareBoth(core(text), [])!;
  const inputs = [null, 1, "a", true, [], [{ a: 1 }], {}, { a: null }, { a: false }, { a: { b: 0 } }, { a: "" }];
  for (const input of inputs) expect(both.run(input, [])).toBe(both.expected(input, []));
});
