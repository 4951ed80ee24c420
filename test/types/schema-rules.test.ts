import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readDocuments } from "../../src/documents/index.ts";
import { schemaViolation } from "../../src/expressions/index.ts";
import type { Json } from "../../src/json.ts";
import { typeOfSchema } from "../../src/types/index.ts";
import { isSubtype, typeOfValue } from "../../src/types/lattice.ts";
import { hasRules, schemaRules } from "../../src/types/schema-rules.ts";

// A schema is converted to rules when compiling, and interpreted when a run starts.

const documentOf = (schema: Json) => readDocuments({ path: "in.json", text: JSON.stringify(schema) }, () => {})[0]!;

const rulesOf = (schema: Json, fragment = "") => {
  const rules = schemaRules(documentOf(schema), fragment);
  if (!hasRules(rules)) throw new Error(rules?.reason ?? "not enforced");
  return rules;
};

const violation = (schema: Json, value: Json) => schemaViolation(value, rulesOf(schema));

describe("where a value does not fit", () => {
  const ordered: Json = {
    type: "object",
    properties: { order: { $ref: "#/$defs/order" }, "a/b": { type: ["string", "null"] } },
    required: ["order"],
    additionalProperties: false,
    $defs: { order: { properties: { items: { type: "array", items: { minimum: 1 }, uniqueItems: true } } } },
  };
  test.each<[Json, string | null]>([
    [{ order: {} }, null],
    [{ order: { items: [1, 2] }, "a/b": null }, null],
    [[], "the input is not an object"],
    [{}, "/order is missing"],
    [{ order: {}, more: 1 }, "/more is not allowed"],
    [{ order: { items: [1, 0] } }, "/order/items/1 is not at least 1"],
    [{ order: { items: [1, 1] } }, "/order/items has equal elements"],
    [{ order: {}, "a/b": 1 }, "/a~1b is not a string or null"],
  ])("%j: %s", (value, expected) => expect(violation(ordered, value)).toBe(expected));

  test.each<[Json, Json, string | null]>([
    [{ multipleOf: 0.1 }, 0.3, null],
    [{ multipleOf: 0.1 }, 0.35, "the input is not a multiple of 0.1"],
    [{ multipleOf: 1e-300 }, 1e300, null],
    [{ const: { a: [1, 2], b: null } }, { b: null, a: [1, 2] }, null],
    [{ enum: [[1], {}] }, [], "the input is none of the listed values"],
    [{ maxLength: 1 }, "😀", null],
    [{ type: "integer" }, 1.0, null],
    [{ oneOf: [{ type: "number" }, { minimum: 3 }] }, 5, "the input fits 2 of the alternatives, not one"],
    [
      JSON.parse('{ "if": { "type": "string" }, "then": { "minLength": 2 }, "else": { "type": "null" } }') as Json,
      "a",
      "the input has fewer than 2 characters",
    ],
    [{ not: { required: ["a"] } }, { a: 1 }, "the input is excluded"],
    [{ dependencies: { a: ["b"], b: { required: ["c"] } } }, { a: 1, b: 2 }, "/c is missing"],
    [{ contains: { type: "null" }, maxContains: 1 }, [null, null], 'the input has 2 elements that fit "contains"'],
    [{ required: ["__proto__"] }, {}, "/__proto__ is missing"],
    [{ properties: { constructor: { type: "string" } } }, {}, null],
    [false, {}, "the input is not allowed"],
  ])("%j %j: %s", (schema, value, expected) => expect(violation(schema, value)).toBe(expected));
});

test("up to draft 7, a reference overrides its siblings", () => {
  const schema = { properties: { a: { $ref: "#/definitions/any", type: "string" } }, definitions: { any: {} } };
  expect(violation(schema, { a: 1 })).toBeNull();
  const newer = { $schema: "https://json-schema.org/draft/2020-12/schema", ...schema };
  expect(violation(newer, { a: 1 })).toBe("/a is not a string");
});

test("a check is bounded", () => {
  expect(violation({ $ref: "#" }, {})).toBe("the input is too large to check");
  const branching = { $defs: { t: { anyOf: [{ $ref: "#/$defs/t" }, { $ref: "#/$defs/t" }] } }, $ref: "#/$defs/t" };
  expect(violation(branching, {})).toBe("the input is too large to check");
  expect(violation({ not: { $ref: "#" } }, {})).toBe("the input is too large to check");
  const started = performance.now();
  expect(violation({ pattern: "^(a+)+$" }, `${"a".repeat(20_000)}b`)).toMatch(/too large|does not match/);
  expect(performance.now() - started).toBeLessThan(5_000);
});

test.each<[Json, string]>([
  [{ $ref: "other.json#/a" }, "`$ref` refers to another document"],
  [{ $dynamicRef: "#a" }, "`$dynamicRef` is not supported"],
  [{ properties: { a: { $id: "x", type: "string" } } }, "`properties` contains a schema with an `$id` of its own"],
  [{ allOf: [{}], unevaluatedProperties: false }, "`unevaluatedProperties` next to subschemas is not supported"],
  [{ type: "text" }, "`type` names no type of JSON"],
  [{ pattern: "(" }, "`pattern` is not a regular expression"],
  [{ required: "a" }, "`required` has to be an array of strings"],
  [{ minimum: true }, "`minimum` has to be a number"],
])("%j is not enforced", (schema, reason) => {
  expect(schemaRules(documentOf(schema), "")).toMatchObject({ reason });
});

const scalar = fc.constantFrom<Json>(null, true, false, 0, 1, 2, 1.5, -1, 10, "", "a", "ab", "b1", "1");
const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c1"), tie("value"), { maxKeys: 3 }),
  ),
}));

const { schema: anySchema } = fc.letrec<{ schema: Json }>((tie) => {
  const schema = tie("schema");
  const schemas = fc.array(schema, { minLength: 1, maxLength: 2 });
  const members = fc.dictionary(fc.constantFrom("a", "b", "c1"), schema, { minKeys: 1, maxKeys: 2 });
  const size = fc.integer({ min: 0, max: 2 });
  const names = fc.uniqueArray(fc.constantFrom("a", "b", "c1"), { minLength: 1, maxLength: 2 });
  const type = fc.constantFrom("null", "boolean", "number", "integer", "string", "array", "object");
  const keywords = fc.record(
    {
      type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
      enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 4 }),
      const: anyValue,
      ...{ allOf: schemas, anyOf: schemas, oneOf: schemas },
      ...Object.fromEntries(["not", "if", "then", "else"].map((each) => [each, schema])),
      ...{ properties: members, additionalProperties: schema, propertyNames: schema, required: names },
      patternProperties: fc.dictionary(fc.constantFrom("^c", "1$", "[ab]"), schema, { minKeys: 1, maxKeys: 2 }),
      dependentRequired: fc.dictionary(fc.constantFrom("a", "b"), names, { minKeys: 1, maxKeys: 2 }),
      dependentSchemas: members,
      ...{ prefixItems: schemas, items: schema, contains: schema, uniqueItems: fc.boolean() },
      ...{ minItems: size, maxItems: size, minLength: size, maxLength: size, minProperties: size, maxProperties: size },
      ...{ minimum: size, maximum: size, exclusiveMinimum: size, exclusiveMaximum: size },
      multipleOf: fc.constantFrom(1, 2, 0.5),
      pattern: fc.constantFrom("^a", "b$", "[0-9]", "^$"),
      $ref: fc.constantFrom("#/$defs/d", "#"),
    },
    { requiredKeys: [] },
  );
  const few = keywords.chain((all) =>
    fc.subarray(Object.keys(all), { maxLength: 3 }).map((keys): Json => {
      const picked = Object.fromEntries(Object.entries(all).filter(([key]) => keys.includes(key)));
      return JSON.parse(JSON.stringify(picked)) as Json;
    }),
  );
  return { schema: fc.oneof({ depthSize: "small", maxDepth: 3 }, fc.boolean(), few) };
});

test("random schemas accept what Ajv accepts, and values of their type", () => {
  const draft = "https://json-schema.org/draft/2020-12/schema";
  const property = fc.property(
    anySchema,
    anySchema,
    fc.array(anyValue, { minLength: 6, maxLength: 6 }),
    (root, d, values) => {
      const schema: Json = typeof root === "boolean" ? root : { $schema: draft, ...(root as object), $defs: { d } };
      const rules = schemaRules(documentOf(schema), "");
      if (!hasRules(rules)) throw new Error(rules?.reason ?? "a reference leads nowhere");
      const type = typeOfSchema(documentOf(schema), "", () => {})!;
      const validate = new Ajv2020({ strict: false, logger: false }).compile(schema as object | boolean);
      for (const value of values) {
        const found = schemaViolation(value, rules);
        if (found === "the input is too large to check") continue;
        expect({ value, fits: found === null }).toEqual({ value, fits: validate(value) });
        if (found === null)
          expect({ value, isOfType: isSubtype(typeOfValue(value), type) }).toEqual({ value, isOfType: true });
      }
    },
  );
  fc.assert(property, { numRuns: 400, seed: 38 });
}, 30_000);

test("draft 7: Ajv agrees on arrays of items and dependencies", () => {
  const schema = {
    items: [{ type: "number" }, { type: "string" }],
    additionalItems: { type: "null" },
    dependencies: {},
  };
  const validate = new Ajv({ strict: false }).compile(schema);
  for (const value of [[1], [1, "a"], [1, "a", null], ["a"], [1, "a", 1]])
    expect(violation(schema, value) === null).toBe(validate(value));
});
