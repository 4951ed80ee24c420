import fc from "fast-check";
import { expect, test } from "vitest";
import { readDocuments } from "../../src/documents/index.ts";
import { narrowedTypes } from "../../src/expressions/analysis/narrowing.ts";
import { binary, call, literal, schemaViolation, variable } from "../../src/expressions/index.ts";
import type { Json } from "../../src/json.ts";
import { any, printType, typeOfRules } from "../../src/types/index.ts";
import { hasRules, schemaRules } from "../../src/types/schema-rules.ts";
import { fits } from "./fits.ts";
import { typed } from "./random-schema.ts";

const rulesOf = (schema: Json) => {
  const [document] = readDocuments({ path: "in.json", text: JSON.stringify(schema) }, () => {});
  const rules = schemaRules(document!, "");
  return hasRules(rules) ? rules : undefined;
};

const typeOf = (schema: Json): string => printType(typeOfRules(rulesOf(schema)!));

test.each<[Json, string]>([
  [{ type: "object", properties: { a: { type: "string" } }, required: ["a", "b"] }, "{ a: string, b: any, … }"],
  [{ type: "object", properties: { a: { type: "integer" } }, additionalProperties: false }, "{ a?: integer }"],
  [{ type: ["null", "array"], items: { type: "boolean" } }, "null | boolean[]"],
  [{ enum: ["x", 1] }, '1 | "x"'],
  [{ allOf: [{ type: "number" }, { type: ["integer", "string"] }] }, "integer"],
  [{ anyOf: [{ type: "string" }, { type: "null" }] }, "null | string"],
  [{ $ref: "#/$defs/id", $defs: { id: { type: "string" } } }, "string"],
  [{ minimum: 3 }, "any"],
])("%j: %s", (schema, expected) => expect(typeOf(schema)).toBe(expected));

test("a type contains all values that fit the rules", () => {
  fc.assert(
    fc.property(
      typed.chain(({ schema, value }) =>
        fc.tuple(fc.constant(schema), fc.oneof(value, fc.jsonValue() as fc.Arbitrary<Json>)),
      ),
      ([schema, value]) => {
        const rules = rulesOf(schema);
        if (!rules || schemaViolation(value, rules) !== null) return;
        expect(fits(value, typeOfRules(rules))).toBe(true);
      },
    ),
    { seed: 20_261_127, numRuns: 3_000 },
  );
});

test("a check against a schema narrows what is checked", () => {
  const rules = rulesOf({ type: "object", properties: { a: { type: "string" } }, required: ["a"] })!;
  const violated = binary("!=", call("schemaViolation", variable("x"), literal(rules)), literal(null));
  const typesWhere = (holds: boolean) =>
    narrowedTypes(violated, { input: any, variables: new Map() }, holds).map(([name, type]) => [name, printType(type)]);
  expect(typesWhere(false)).toEqual([["x", "{ a: string, … }"]]);
  expect(typesWhere(true)).toEqual([]);
});
