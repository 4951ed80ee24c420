import jsonata from "jsonata";
import { describe, expect, test } from "vitest";
import { binary, call, literal, schemaViolation, variable } from "../../../../src/expressions/index.ts";
import type { Json } from "../../../../src/json.ts";
import { UnsupportedExpression } from "../../../../targets/asl/jsonata/context.ts";
import { printJsonata } from "../../../../targets/asl/jsonata/print.ts";

// A check against a plain schema is JSONata that says what `schemaViolation` says, for values that fit and that do not.

const schemas: readonly Json[] = [
  true,
  false,
  {
    type: ["object"],
    required: ["id", "n"],
    properties: { id: { type: ["string"] }, n: { type: ["integer"], minimum: 1 } },
  },
  { type: ["object", "null"], properties: { n: { exclusiveMaximum: 3 }, id: { enum: ["a", null, { k: 2 }] } } },
  { type: ["string", "number"], minLength: 2, maxLength: 3, pattern: "^[a-z]+$", maximum: 5, exclusiveMinimum: 0 },
  { pattern: "é.$" },
  {
    type: ["array"],
    minItems: 1,
    maxItems: 2,
    items: { type: ["object"], required: ["id"], properties: { id: { maxLength: 1 } } },
  },
  { type: ["array"], items: { items: { type: ["number"] } } },
  {
    anyOf: [{ type: ["number"] }, { type: ["string"] }],
    not: { enum: ["no", 0] },
    allOf: [{ minimum: 1 }, { maximum: 9 }],
  },
  { required: ["a b", "c~/d"], properties: { "a b": { type: ["boolean"] }, "c~/d": false } },
];

const values: readonly Json[] = [
  ...[null, true, 0, 1, 2.5, 9, 10, "", "a", "ab", "abcd", "no", "é!", "é!\n", "😀😀"],
  ...[[], [[]], [[1], ["x"]], [{ id: "a" }], [{ id: "ab" }, {}], [1, 2, 3], [{ id: 1 }, 2]],
  ...[
    {},
    { id: "a" },
    { id: "a", n: 1 },
    { n: 1.5, id: "a" },
    { n: "1", id: 2 },
    { id: [1], n: 3 },
    { id: { k: 2 }, n: 0 },
  ],
  ...[{ "a b": true, "c~/d": 1 }, { "a b": 1 }, { id: null }],
];

const print = (given: Parameters<typeof printJsonata>[0]) => printJsonata(given, (name) => `$${name}`);
const run = async (code: string, x: Json) => JSON.parse(JSON.stringify(await jsonata(code).evaluate({}, { x })));

describe.each(schemas)("%j", (schema) => {
  const check = call("schemaViolation", variable("x"), literal([schema]), literal("the output"));
  const said = print(check);
  const fits = print(binary("==", check, literal(null)));

  test.each(values)("%j", async (x) => {
    const violation = schemaViolation(x, [schema]);
    expect(await run(said, x)).toBe(violation?.replace(/^the input /, "the output ") ?? null);
    expect(await run(fits, x)).toBe(violation === null);
  });
});

test.each([
  [[{ $ref: 0 }]],
  [[{ items: { $ref: 1 } }, { type: ["string"] }]],
  [[{ uniqueItems: true }]],
  [[{ additionalProperties: false }]],
  [[{ enum: [[]] }]],
  [[{ pattern: "^(\\w+\\s?)*$" }]],
  [[{ properties: Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`k${i}`, { type: ["string"] }])) }]],
])("%j is left to the Lambda function", (rules) => {
  expect(() => print(call("schemaViolation", variable("x"), literal(rules)))).toThrow(UnsupportedExpression);
});

test("a property that is listed first is reported first, whatever the order of the value", () => {
  const schema = { properties: { a: { type: ["string"] }, b: { type: ["string"] } } };
  expect(schemaViolation({ b: 1, a: 1 }, [schema])).toBe("/a is not a string");
});
