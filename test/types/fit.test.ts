import { expect, test } from "vitest";
import {
  any,
  anyObject,
  arrayOf,
  boolean,
  findMisfit,
  integer,
  literal,
  type MemberType,
  never,
  nullType,
  number,
  objectOf,
  recordOf,
  string,
  type Type,
  type TypeDefinition,
  union,
} from "../../src/types/index.ts";

const optional = (type: Type): MemberType => ({ type, required: false });
const required = (type: Type): MemberType => ({ type, required: true });
const open = (members: { readonly [name: string]: MemberType }, rest: Type = any) =>
  objectOf(new Map(Object.entries(members)), rest);

const order = open({ id: required(string), amount: required(number), note: optional(string) });

test.each<[name: string, type: Type, wanted: Type]>([
  ["the same type", order, order],
  ["an unknown value", any, order],
  ["a wider type than wanted", literal("a"), string],
  ["a whole number", integer, number],
  ["one of several types", string, union(string, nullType)],
  ["one of several values", literal("a"), union(literal("a"), literal("b"))],
  [
    "an object with other members",
    recordOf([
      ["id", string],
      ["amount", number],
      ["more", number],
    ]),
    order,
  ],
  ["an object whose members are unknown", anyObject, order],
  ["an empty array", arrayOf(never), arrayOf(string)],
  ["members of an index signature", recordOf([["a", number]]), open({}, number)],
  [
    "an alternative of a union of objects",
    recordOf([["kind", literal("b")]]),
    union(open({ kind: required(literal("a")), x: required(number) }), open({ kind: required(literal("b")) })),
  ],
])("%s fits", (_, type, wanted) => {
  expect(findMisfit(type, wanted)).toBeUndefined();
});

test.each<[name: string, type: Type, wanted: Type, misfit: string]>([
  ["another type", string, number, "it is a string, not a number"],
  ["another value", literal("c"), union(literal("a"), literal("b")), 'it is `"c"`, not `"a"` or `"b"`'],
  [
    "a member of another type",
    recordOf([
      ["id", number],
      ["amount", number],
    ]),
    order,
    "id is a number, not a string",
  ],
  ["a missing member", recordOf([["id", string]]), order, "amount is missing, not a number"],
  ["a member of an index signature", recordOf([["a", string]]), open({}, number), "a is a string, not a number"],
  [
    "no alternative of a union of objects",
    recordOf([["kind", literal("b")]]),
    union(open({ kind: required(literal("a")) }), open({ kind: required(literal("c")) })),
    'kind is `"b"`, not `"a"`',
  ],
  ["several types of which none fits", union(string, nullType), number, "it is null or a string, not a number"],
])("%s does not fit", (_, type, wanted, misfit) => {
  expect(describe(type, wanted)).toBe(misfit);
  expect(findMisfit(type, wanted)?.isCertain).toBe(true);
});

test.each<[name: string, type: Type, wanted: Type, misfit: string]>([
  ["null among others", union(string, nullType), string, "it is null, not a string"],
  [
    "a string where certain ones are wanted",
    string,
    union(literal("a"), literal("b")),
    'it is a string, not `"a"` or `"b"`',
  ],
  [
    "a member that is not required",
    open({ id: optional(string), amount: required(number) }),
    order,
    "id is missing, not a string",
  ],
  ["the elements of an array", arrayOf(number), arrayOf(string), "[] is a number, not a string"],
  [
    "an optional member of another type",
    open({ note: optional(boolean), id: required(string), amount: required(number) }),
    order,
    "note is a boolean, not a string",
  ],
  [
    "one of two objects",
    union(
      recordOf([
        ["id", string],
        ["amount", number],
      ]),
      recordOf([["id", string]]),
    ),
    order,
    "amount is missing, not a number",
  ],
])("%s may not fit", (_, type, wanted, misfit) => {
  expect(describe(type, wanted)).toBe(misfit);
  expect(findMisfit(type, wanted)?.isCertain).toBe(false);
});

test("what is certain takes precedence", () => {
  const type = recordOf([
    ["id", union(string, nullType)],
    ["amount", string],
  ]);
  expect(describe(type, order)).toBe("amount is a string, not a number");
});

test("types that contain themselves are compared to a bounded depth", () => {
  const definition: { name: string; type: Type } = { name: "Node", type: any };
  const node: Type = { kind: "reference", definition: definition satisfies TypeDefinition };
  definition.type = open({ value: required(string), next: optional(node) });
  const other: { name: string; type: Type } = { name: "Other", type: any };
  other.type = open({ value: required(string), next: required({ kind: "reference", definition: other }) });
  expect(findMisfit(node, { kind: "reference", definition: other })?.path).toEqual(["next"]);
  expect(findMisfit({ kind: "reference", definition: other }, node)).toBeUndefined();
});

function describe(type: Type, wanted: Type): string | undefined {
  const misfit = findMisfit(type, wanted);
  if (!misfit) return undefined;
  const { path, found, wanted: goals } = misfit;
  return `${path.join(".") || "it"} is ${found.join(" or ") || "missing"}, not ${goals.join(" or ")}`;
}
