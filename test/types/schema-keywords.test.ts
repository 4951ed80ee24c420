import { expect, test } from "vitest";
import { readDocuments } from "../../src/documents/index.ts";
import { schemaViolation } from "../../src/expressions/index.ts";
import type { Json, JsonObject } from "../../src/json.ts";
import { findSchemaErrors } from "../../src/schema/check.ts";
import { compileSchema } from "../../src/schema/compile.ts";
import { checkedKeywords } from "../../src/schema/keywords.ts";
import { type RuleKeyword, typedKeywords, untypedKeywords } from "../../src/schema-keywords.ts";
import { any, typeOfRules, typeOfSchema } from "../../src/types/index.ts";
import { hasRules, schemaRules } from "../../src/types/schema-rules.ts";
import { fits } from "./fits.ts";

// What restricts values is one list: a keyword that the check of inputs, the types or the check of definitions forgets
// is a difference here, alone and next to each other keyword.

interface Sample {
  readonly schema: JsonObject;
  readonly accepted: Json;
  readonly rejected: Json;
}

const sample = (schema: JsonObject, accepted: Json, rejected: Json): Sample => ({ schema, accepted, rejected });

const text: JsonObject = { type: "string" };

/** As JSON: an object with a property `then` looks like a promise. */
const parsed = (json: string): JsonObject => JSON.parse(json) as JsonObject;

const samples = new Map<RuleKeyword | "const", Sample>([
  ["$ref", sample({ $ref: "#/$defs/text" }, "a", 1)],
  ["type", sample({ type: "string" }, "a", 1)],
  ["enum", sample({ enum: ["a", { b: 1 }] }, { b: 1 }, "b")],
  ["const", sample({ const: "a" }, "a", "b")],
  ["allOf", sample({ allOf: [text] }, "a", 1)],
  ["anyOf", sample({ anyOf: [text, { type: "null" }] }, null, 1)],
  ["oneOf", sample({ oneOf: [text, { type: "null" }] }, null, 1)],
  ["not", sample({ not: text }, 1, "a")],
  ["if", sample(parsed('{ "if": { "type": "string" }, "then": false }'), 1, "a")],
  ["then", sample(parsed('{ "if": { "type": "string" }, "then": { "minLength": 2 } }'), "ab", "a")],
  ["else", sample({ if: text, else: false }, "a", 1)],
  ["properties", sample({ properties: { a: text } }, { a: "a" }, { a: 1 })],
  [
    "patternProperties",
    sample({ patternProperties: { "^a": text }, additionalProperties: false }, { ab: "a" }, { ab: 1 }),
  ],
  ["additionalProperties", sample({ additionalProperties: text }, { a: "a" }, { a: 1 })],
  ["propertyNames", sample({ propertyNames: { maxLength: 1 } }, { a: 1 }, { ab: 1 })],
  ["required", sample({ required: ["a"] }, { a: 1 }, {})],
  ["dependentRequired", sample({ dependentRequired: { a: ["b"] } }, { a: 1, b: 1 }, { a: 1 })],
  ["dependentSchemas", sample({ dependentSchemas: { a: { required: ["b"] } } }, {}, { a: 1 })],
  ["minProperties", sample({ minProperties: 1 }, { a: 1 }, {})],
  ["maxProperties", sample({ maxProperties: 0 }, {}, { a: 1 })],
  ["prefixItems", sample({ prefixItems: [text], items: text }, ["a"], [1])],
  ["items", sample({ items: text }, ["a"], [1])],
  ["contains", sample({ contains: text }, ["a"], [1])],
  ["minContains", sample({ contains: text, minContains: 2 }, ["a", "a"], ["a"])],
  ["maxContains", sample({ contains: text, maxContains: 1 }, ["a"], ["a", "a"])],
  ["uniqueItems", sample({ uniqueItems: true }, [1, 2], [1, 1])],
  ["minItems", sample({ minItems: 1 }, [1], [])],
  ["maxItems", sample({ maxItems: 0 }, [], [1])],
  ["minLength", sample({ minLength: 2 }, "ab", "a")],
  ["maxLength", sample({ maxLength: 1 }, "a", "ab")],
  ["pattern", sample({ pattern: "^a" }, "a", "b")],
  ["minimum", sample({ minimum: 1 }, 1, 0)],
  ["maximum", sample({ maximum: 1 }, 1, 2)],
  ["exclusiveMinimum", sample({ exclusiveMinimum: 1 }, 2, 1)],
  ["exclusiveMaximum", sample({ exclusiveMaximum: 1 }, 0, 1)],
  ["multipleOf", sample({ multipleOf: 2 }, 4, 3)],
]);

const keywords = [...samples.keys()];
const sampleOf = (keyword: RuleKeyword | "const"): Sample => samples.get(keyword)!;
const typed: ReadonlySet<string> = new Set([...typedKeywords, "const"]);
const whole = (schema: JsonObject): JsonObject => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $defs: { text },
  ...schema,
});

function read(schema: JsonObject) {
  const [document] = readDocuments({ path: "a.json", text: JSON.stringify(whole(schema)) }, () => {});
  const rules = schemaRules(document!, "");
  if (!hasRules(rules)) throw new Error("not enforced");
  return { rules, type: typeOfSchema(document!, "", () => {})! };
}

const enforces = (schema: JsonObject, value: Json): boolean => schemaViolation(value, read(schema).rules) === null;

function definitionFits(schema: JsonObject, value: Json): boolean {
  const root = whole(schema);
  const isValid = compileSchema(root)(value);
  const errors = findSchemaErrors(root, root, { value, owner: undefined, key: undefined });
  expect(errors.length === 0, "a rejection is explained").toBe(isValid);
  return isValid;
}

test("there is a sample for each keyword, and each is in the list", () => {
  const found = keywords.filter((keyword) => keyword !== "const");
  expect(found.toSorted()).toEqual([...typedKeywords, ...untypedKeywords].toSorted());
});

test.each(keywords)("%s is enforced", (keyword) => {
  const { schema, accepted, rejected } = sampleOf(keyword);
  expect([accepted, rejected].map((value) => enforces(schema, value))).toEqual([true, false]);
});

test.each(keywords)("what follows from %s is enforced", (keyword) => {
  const { schema, accepted, rejected } = sampleOf(keyword);
  const { rules, type } = read(schema);
  const isTyped = typed.has(keyword);
  for (const each of [typeOfRules(rules), type]) {
    expect(fits(accepted, each)).toBe(true);
    expect(fits(rejected, each)).toBe(!isTyped);
  }
  if (!isTyped) expect(typeOfRules(rules)).toBe(any);
});

test.each(checkedKeywords.filter((keyword) => keyword !== "discriminator"))(
  "%s is checked in definitions",
  (keyword) => {
    const { schema, accepted, rejected } = sampleOf(keyword as RuleKeyword);
    expect([accepted, rejected].map((value) => definitionFits(schema, value))).toEqual([true, false]);
  },
);

test.each(keywords)("%s is enforced next to each other keyword", (keyword) => {
  const { schema, rejected } = sampleOf(keyword);
  for (const other of keywords) {
    const more = sampleOf(other).schema;
    if (Object.keys(more).some((each) => Object.hasOwn(schema, each))) continue;
    const both = { ...more, ...schema };
    expect(enforces(both, rejected), `${keyword} next to ${other}`).toBe(false);
    expect(enforces({ ...schema, ...more }, rejected), `${other} next to ${keyword}`).toBe(false);
    if ([...Object.keys(both)].every((each) => checkedKeywords.includes(each)))
      expect(definitionFits(both, rejected), `${keyword} next to ${other} in definitions`).toBe(false);
  }
});
