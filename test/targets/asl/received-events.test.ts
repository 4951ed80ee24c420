import { expect, test } from "vitest";
import type { Expression } from "../../../src/expressions/core/ast.ts";
import { binary, call, conditional, literal, member, object, variable } from "../../../src/expressions/core/build.ts";
import { printExpression } from "../../../src/expressions/core/print.ts";
import { evaluateAll } from "../../../src/expressions/interpreter/evaluate.ts";
import type { Json } from "../../../src/json.ts";
import { anyArray, anyObject, type Type } from "../../../src/types/index.ts";
import { takeMembers } from "../../../targets/asl/select/received-events.ts";

// Reading a member of a merge directly from its origin gives the same value.

const [data, list, other] = [variable("data"), variable("list"), variable("other")];
const types = new Map<string, Type>([
  ["data", anyObject],
  ["list", anyArray],
]);
const merge = (target: Expression, given: Expression): Expression => call("merge", target, given);
const made = (members: { readonly [name: string]: Json | Expression }): Expression =>
  object(
    Object.entries(members).map(([name, value]) => [
      name,
      typeof value === "object" && value !== null && "kind" in value ? (value as Expression) : literal(value as Json),
    ]),
  );
const wrapped = conditional(binary("==", call("type", other), literal("object")), other, object([["input", other]]));

const taken: readonly (readonly [string, Expression, string])[] = [
  ["a constant", member(merge(data, made({ a: 1 })), "a"), "1"],
  ["a member that is not merged in", member(merge(data, made({ a: 1 })), "b", "c"), "$data.b.c"],
  ["the last of two merges", member(merge(merge(data, made({ a: 1 })), made({ a: 2 })), "a"), "2"],
  ["a member under the last of two merges", member(merge(merge(data, made({ a: 1 })), made({ b: 2 })), "a"), "1"],
  ["an array that replaces any value", member(merge(data, made({ a: list })), "a"), "$list"],
  ["an object that replaces another", member(call("mergeOutput", data, made({ a: { b: 1 } })), "a", "b"), "1"],
  ["a member of a sum", member(binary("+", made({ a: data, b: 1 }), made({ b: 2 })), "a"), "$data"],
  ["a placed value", member(call("place", data, literal(["a"]), literal(1)), "a"), "1"],
  ["a merged result", member(call("mergeResult", data, list, literal("a")), "a"), "$list"],
  ["a member that only an object can have", member(wrapped, "a"), "$other.a"],
  ["a member inside another expression", object([["x", member(merge(data, made({ a: 1 })), "a")]]), '{"x":1}'],
  [
    "a member that is replaced immediately",
    merge(merge(data, made({ a: 1 })), made({ a: 2, b: 3 })),
    'merge($data, {"a":2,"b":3})',
  ],
];

const kept: readonly (readonly [string, Expression])[] = [
  ["a member that may be merged with an object", member(merge(data, made({ a: { b: 1 } })), "a")],
  ["a merge of a value that may not be an object, which fails", member(merge(other, made({ a: 1 })), "a")],
  ["a merge of a value that may fail", member(merge(data, made({ a: call("error", literal("no")) })), "b")],
  [
    "a member that may be united with an array",
    call("merge", call("merge", data, made({ a: list }), literal("union")), made({ a: [1] }), literal("union")),
  ],
  ["a wrapped value", member(wrapped, "input")],
  ["members merged in another order", merge(merge(data, made({ a: 1 })), made({ b: 3, a: 2 }))],
  ["an object that is merged with the previous one", merge(merge(data, made({ a: 1 })), made({ a: { b: 1 } }))],
];

const values: readonly Json[] = [
  {},
  { a: 1, b: 2 },
  { b: { c: 3 }, a: { b: 4, x: 5 } },
  { input: 1 },
  [],
  [1],
  null,
  "a",
];

const outcomes = (expression: Expression): readonly unknown[] =>
  values.flatMap((value) =>
    values
      .filter((each) => typeof each === "object" && each !== null && !Array.isArray(each))
      .map((object) => {
        const variables = new Map<string, Json>([
          ["data", object],
          ["list", Array.isArray(value) ? value : []],
          ["other", value],
        ]);
        try {
          return JSON.stringify(evaluateAll(expression, { input: null, variables }));
        } catch (error) {
          return (error as Error).message;
        }
      }),
  );

test.each(taken)("%s", (_, expression, expected) => {
  const found = takeMembers(expression, types);
  expect(printExpression(found)).toBe(expected);
  expect(outcomes(found)).toEqual(outcomes(expression));
});

test.each(kept)("unchanged: %s", (_, expression) => {
  expect(takeMembers(expression, types)).toBe(expression);
});

test("a variable bound by the expression itself is different", () => {
  const bound: Expression = { kind: "let", name: "data", value: other, body: member(merge(data, made({ a: 1 })), "a") };
  expect(takeMembers(bound, types)).toBe(bound);
});
