import { describe, expect, test } from "vitest";
import { infer, inferType as inferred } from "../../src/expressions/analysis/types.ts";
import { literal, variable } from "../../src/expressions/core/build.ts";
import { isParseError } from "../../src/expressions/syntax/cursor.ts";
import { parseJsonPath } from "../../src/expressions/syntax/jsonpath/jsonpath.ts";
import { compileTemplate } from "../../src/expressions/syntax/template.ts";
import { fuelOf, storedType } from "../../src/types/lattice.ts";
import { printType } from "../../src/types/print.ts";
import { any } from "../../src/types/type.ts";
import { cpuTime } from "../cpu.ts";
import { schemaType } from "../types/schemas.ts";
import { core } from "./js/running.ts";

const item = {
  type: "object",
  properties: { sku: { type: "string" }, price: { type: "number" }, count: { type: "integer" } },
  required: ["sku", "price"],
  additionalProperties: false,
};
const order = schemaType({
  type: "object",
  properties: {
    id: { type: "integer" },
    name: { type: "string" },
    note: { type: ["string", "null"] },
    items: { type: "array", items: item },
    kind: { enum: ["a", "b"] },
    more: { type: "object" },
  },
  required: ["id", "name", "items", "more"],
  additionalProperties: false,
});

/** The inferred type of a jq program over an order. */
const ofProgram = (program: string): string =>
  printType(storedType(infer(core(program), { input: order, variables: new Map(), fuel: fuelOf(10_000) }).type));

/** The inferred type of a path over an order, and whether it surely selects something. */
function ofPath(path: string): readonly [string, boolean] {
  const parsed = parseJsonPath(path, variable("order"));
  if (isParseError(parsed)) throw new Error(parsed.message);
  const { type, isNonEmpty: some } = infer(parsed.query, {
    input: any,
    variables: new Map([["order", order]]),
    fuel: fuelOf(10_000),
  });
  return [printType(type), some];
}

describe("paths", () => {
  test.each([
    ["$.id", "integer", true],
    ["$.note", "null | string", false],
    ["$.items[0].sku", "string", false],
    ["$.items[*].count", "integer", false],
    ["$.items[?(@.price > 1)]", "{ sku: string, price: number, count?: integer }", false],
    ["$.items[0:1]['sku','price']", "number | string", false],
    ["$.items..price", "number", false],
    ["$..price", "any", false],
    ["$.*", "null | integer | string | { sku: string, price: number, count?: integer }[] | { … }", false],
    ["$.more.x", "any", false],
    ["$.none", "never", false],
    ["$.name.length", "never", false],
    ["$.items.sku", "never", false],
    ["$.name[0]", "never", false],
    ["$.items..none", "never", false],
  ])("%s selects %s", (path, type, some) => {
    expect(ofPath(path)).toEqual([type, some]);
  });
});

describe("programs", () => {
  test.each([
    [".id + 1", "integer"],
    [".id / 2", "number"],
    ["[.items[] | .price * .count]", "number[]"],
    ["[.items[] | .price * (.count // 1)]", "number[]"],
    ['.note // "none"', "string"],
    [".items | map(.sku)", "string[]"],
    [".items | map(select(.price > 3) | {sku, cheap: false})", "{ sku: string, cheap: false }[]"],
    [".items | length", "integer"],
    [".items | map(.price) | add", "null | number"],
    ['if .kind == "a" then 1 else .name end', "1 | string"],
    ['.name == "a"', "boolean"],
    [".name == 1", "false"],
    [".items != .id", "true"],
    [".note == null", "boolean"],
    [".note == 1", "false"],
    [".unknown == .id", "false"],
    ["if .id then 1 else .name end", "1"],
    [".kind", 'null | "a" | "b"'],
    ["{(.name): .id}", "{ …: integer }"],
    ["{a: 1, (.name): .id, b: 2}", "{ a: integer, b: 2, …: integer }"],
    ["{a: .id} + {b: .name}", "{ a: integer, b: string }"],
    [".more + {a: 1}", "{ a: 1, … }"],
    ["{a: {b: 1}} * {a: {c: .name}}", "{ a: { b: 1, c: string } }"],
    ['.name + "!"', "string"],
    ['"no \\(.id)"', "string"],
    ['.name | split(",")', "string[]"],
    ["[.items[] | to_entries[] | .value]", "(number | string)[]"],
    ["reduce .items[] as $i (0; . + $i.price)", "number"],
    ["[.items[] | .price * .count - .price * .price]", "(null | number)[]"],
    ["reduce .items[] as $i (0; . + 1)", "integer"],
    ["reduce .items[] as $i ([]; [.])", "any"],
    [
      ".items |= map(.price)",
      '{ id: integer, name: string, note?: null | string, items: number[], kind?: "a" | "b", more: { … } }',
    ],
    [
      '.id = "x"',
      '{ id: "x", name: string, note?: null | string, items: { sku: string, price: number, count?: integer }[], kind?: "a" | "b", more: { … } }',
    ],
    [".items.a? = 1", "any"],
    ['try error("x") catch .', "any"],
    ["[limit(1; .items[].sku)]", "string[]"],
    ['first(.items[].sku, "none")', "string"],
    ['.name | ltrimstr("a")', "string"],
    ["type", '"object"'],
    ["[.. | numbers]", "number[]"],
    [".none", "null"],
    [".name.x", "never"],
    [".items[0].price | floor", "integer"],
    ["-.id", "integer"],
    [".id | abs", "integer"],
    [".items | length | . / 2 | round", "integer"],
    ["[range(.id)]", "integer[]"],
    ['.name | index("a")', "null | integer"],
    [".name | explode", "integer[]"],
    [".items | reverse | map(.sku)", "string[]"],
    ["{a: 1, b: 2} | del(.a)", "{ b: 2 }"],
    ["{a: {b: 1, c: 2}} | del(.a.b, .d)", "{ a: { c: 2 } }"],
    ["{a: 1} + .more | del(.a)", "{ a?: never, … }"],
    ['{a: {}} | setpath(["a", "b"]; 1)', "{ a: { b: 1 } }"],
    ['null | setpath(["a", "b"]; 1)', "{ a: { b: 1 } }"],
    ['{a: {b: 1}} | getpath(["a", "b"])', "1"],
    ['{a: {b: 1}} | getpath(["a", "c"])', "null"],
    ["{a: [{b: 1}]} | .a[].b |= . + 1", "{ a: { b: integer }[] }"],
    ["{a: 1, b: 2} | map_values(. + 1)", "{ a: integer, b: integer }"],
    ["{a: 1, b: 2} | map_values(empty)", "{}"],
    ["def f: if . > 9 then . else (. + 1 | f) end; .id | f", "any"],
    ["empty", "never"],
  ])("%s has type %s", (program, type) => {
    expect(ofProgram(program)).toBe(type);
  });
});

test("templates have object types of the selected values", () => {
  const owner = { parameters: { id: "$.id", skus: "$.items[*].sku", note: "$.note", fixed: 1 } };
  const expression = compileTemplate(owner, "parameters", {
    root: variable("order"),
    interpolate: false,
    report: () => {},
  });
  expect(printType(inferred(expression, new Map([["order", order]])))).toBe(
    "{ id: integer, skus: string[], note: null | string, fixed: 1 }",
  );
});

test("intermediate infinities and nan become finite or null", () => {
  const sum = (a: string, b: string) => `(${a}) - (${b})`;
  expect(ofProgram(".id * 2")).toBe("integer");
  expect(ofProgram(sum(".id * 2", ".id * 3"))).toBe("null | integer");
});

test("expressions that take too long to infer may be anything", () => {
  const deep = Array.from({ length: 12 }).reduce<string>(
    (program, _, i) => `reduce .items[] as $v${i} (null; [${program}])`,
    ".",
  );
  const started = cpuTime();
  expect(ofProgram(deep)).toBe("any");
  expect(cpuTime() - started).toBeLessThan(2_000);
  expect(printType(inferred(literal(Array.from({ length: 100_000 }, (_, i) => ({ [`k${i}`]: i }))), new Map()))).toBe(
    "any[]",
  );
});
