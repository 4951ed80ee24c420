import { describe, expect, test } from "vitest";
import { inferType } from "../../src/expressions/index.ts";
import { readJq } from "../../src/expressions/syntax/jq/lower.ts";
import type { Json } from "../../src/json.ts";
import { equalTypes, isSubtype, storedType, typeOfValue, union } from "../../src/types/lattice.ts";
import { descendantOf, memberOf } from "../../src/types/members.ts";
import { differenceType, mergeResultTypes, mergeTypes, placeType } from "../../src/types/merge.ts";
import { findMismatch, printType } from "../../src/types/print.ts";
import {
  any,
  arrayOf,
  integer,
  literal,
  never,
  nullType,
  number,
  recordOf,
  string,
  type Type,
} from "../../src/types/type.ts";
import { cpuTime } from "../cpu.ts";
import { schemaType } from "./schemas.ts";

const value = (json: Json): Type => typeOfValue(json);

describe("a union", () => {
  test.each<readonly [readonly Type[], string]>([
    [[], "never"],
    [[string, any], "any"],
    [[string, literal("a"), never], "string"],
    [[literal(true), literal(false)], "boolean"],
    [[literal(1), literal(2), literal(1)], "1 | 2"],
    [[integer, literal(1.5)], "number"],
    [[integer, number], "number"],
    [[arrayOf(string), nullType, arrayOf(never)], "null | string[]"],
    [[value({ a: 1 }), value({ a: 1 }), value({ a: 2 })], "{ a: 1 } | { a: 2 }"],
    [[union(string, nullType), union(integer, nullType)], "null | integer | string"],
    [Array.from({ length: 33 }, (_, i) => literal(`v${i}`)), "string"],
    [
      Array.from({ length: 9 }, (_, i) => value({ a: i, [`m${i % 2}`]: true })),
      "{ a: 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8, m0?: true, m1?: true }",
    ],
  ])("case %# is in normal form", (types, text) => {
    expect(printType(union(...types))).toBe(text);
  });
});

describe("arrays that have an element", () => {
  const filled: Type = { ...arrayOf(string), isFilled: true };

  test.each<readonly [name: string, type: Type, isFilled: boolean]>([
    ["another one", union(filled, { ...arrayOf(integer), isFilled: true }), true],
    ["an equal one", union(filled, { ...filled }), true],
    ["one that may be empty", union(filled, arrayOf(string)), false],
    ["one that may be empty, first", union(arrayOf(string), filled), false],
    ["the empty array", union(filled, arrayOf(never)), false],
  ])("in a union with %s", (_, type, isFilled) => {
    expect(type.kind === "array" && Boolean(type.isFilled)).toBe(isFilled);
  });

  test("are arrays, but arrays may be empty", () => {
    expect([isSubtype(filled, arrayOf(string)), isSubtype(arrayOf(string), filled)]).toEqual([true, false]);
    expect(equalTypes(filled, arrayOf(string))).toBe(false);
  });

  test.each([
    ["$x[0]", "string"],
    ["$x[-1]", "null | string"],
    ["$x[1]", "null | string"],
    ["$x[1:][0]", "null | string"],
    ['($x - ["a"])[0]', "null | string"],
    ['($x | map(select(. != "a")))[0]', "null | string"],
    ["($x + $x)[0]", "string"],
    ["first($x[])", "string"],
  ])("%s is %s", (text, type) => {
    const program = readJq(text, { variables: ["x"] });
    if (!("expression" in program)) throw new Error(text);
    expect(printType(inferType(program.expression, new Map([["x", filled]])))).toBe(type);
  });
});

describe("a member", () => {
  const type = schemaType({
    type: ["object", "null"],
    properties: { a: { type: "string" }, b: false },
    required: ["a"],
    additionalProperties: { type: "integer" },
  });

  test.each([
    ["a", "string", "maybe"],
    ["b", "never", "never"],
    ["c", "integer", "maybe"],
  ])("%s is %s, %s", (name, text, presence) => {
    const found = memberOf(type, name);
    expect([printType(found.type), found.presence]).toEqual([text, presence]);
  });

  test("is always present if every alternative has it", () => {
    expect(memberOf(union(value({ a: 1 }), value({ a: "x", b: 1 })), "a")).toMatchObject({ presence: "always" });
    expect(memberOf(union(value({ a: 1 }), value({ b: 1 })), "a").presence).toBe("maybe");
    expect(memberOf(string, "length").presence).toBe("never");
    expect(memberOf(any, "a")).toEqual({ type: any, presence: "maybe" });
  });

  test("of a recursive type is found at any depth", () => {
    const tree = schemaType({
      $ref: "#/$defs/t",
      $defs: {
        t: {
          type: "object",
          properties: { t: { $ref: "#/$defs/t" }, v: { type: "integer" } },
          required: ["t"],
          additionalProperties: false,
        },
      },
    });
    expect(memberOf(memberOf(memberOf(tree, "t").type, "t").type, "v").type).toMatchObject({
      kind: "number",
      integer: true,
    });
    expect(printType(memberOf(descendantOf(tree), "v").type)).toBe("integer");
  });
});

describe("merging data", () => {
  const data = value({ a: { b: 1 }, c: "x" });

  test.each<readonly [string, Type, string]>([
    ["merge", mergeTypes(data, value({ a: { d: true }, c: 1 })), "{ a: { b: 1, d: true }, c: 1 }"],
    [
      "merge with what is not known",
      mergeTypes(data, any),
      "null | boolean | number | string | any[] | { a: any, c: any, … }",
    ],
    ["merge into what is not known", mergeTypes(any, value({ a: { d: 1 } })), "{ a: { d: 1, … }, … }"],
    ["merge a text", mergeTypes(data, string), "string"],
    ["merge into a text", mergeTypes(string, data), "never"],
    ["mergeResult null", mergeResultTypes(data, nullType, literal("k")), '{ a: { b: 1 }, c: "x" }'],
    ["mergeResult a number", mergeResultTypes(data, integer, literal("k")), '{ a: { b: 1 }, c: "x", k: integer }'],
    ["mergeResult an object", mergeResultTypes(data, value({ c: null }), literal("k")), "{ a: { b: 1 }, c: null }"],
    ["place", placeType(data, ["a", "n"], string), '{ a: { b: 1, n: string }, c: "x" }'],
    ["place where no object is", placeType(data, ["c", "n"], string), "{ a: { b: 1 }, c: { n: string } }"],
    ["place at the root", placeType(data, [], string), "string"],
    ["difference", differenceType(data, data), '{ a?: { b?: 1 }, c?: "x" }'],
    ["difference of anything", differenceType(string, data), "null | string"],
  ])("%s", (_, type, text) => {
    expect(printType(type)).toBe(text);
  });
});

describe("sizes are bounded", () => {
  test("of values", () => {
    expect(printType(value({ deep: { er: [1, [2]] } }))).toBe("{ deep: { er: (1 | 2[])[] } }");
    expect(printType(value(Array.from({ length: 5_000 }, () => ({ a: 1 }))))).toBe("any[]");
    expect(printType(value(Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`k${i}`, i]))))).toBe("{ … }");
  });

  test("of stored types", () => {
    const nested = Array.from({ length: 50 }).reduce<Type>((type) => recordOf([["in", type]]), string);
    expect(printType(storedType(nested)).length).toBeLessThan(400);
    const doubled = Array.from({ length: 50 }).reduce<Type>(
      (type) =>
        recordOf([
          ["l", type],
          ["r", type],
        ]),
      string,
    );
    const started = cpuTime();
    expect(storedType(doubled).kind).toBe("object");
    expect(mergeTypes(doubled, doubled).kind).toBe("object");
    expect(union(doubled, storedType(doubled)).kind).toBe("union");
    expect(cpuTime() - started).toBeLessThan(1_000);
  });
});

describe("a mismatch", () => {
  const wanted = schemaType({
    type: "object",
    properties: { id: { type: "string" }, total: { type: "number" }, in: { type: "object", required: ["x"] } },
    required: ["id"],
    additionalProperties: false,
  });

  test.each<readonly [Type, readonly string[] | undefined]>([
    [value({ id: "a", total: 1 }), undefined],
    [any, undefined],
    [union(value({ id: "a" }), string), undefined],
    [string, []],
    [value({ total: 1 }), ["id"]],
    [value({ id: 7 }), ["id"]],
    [value({ id: "a", more: 1 }), ["more"]],
    [value({ id: "a", in: { y: 1 } }), ["in", "x"]],
    [union(value({ id: 1 }), value({ id: null })), ["id"]],
  ])("case %# is reported only if it is certain", (type, path) => {
    expect(findMismatch(type, wanted)?.path).toEqual(path);
  });
});
