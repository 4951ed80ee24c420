import { describe, expect, test } from "vitest";
import { printDefinitions, printType } from "../../src/types/print.ts";
import { json, read, schemaType } from "./schemas.ts";

const printed = (schema: unknown): string => printType(schemaType(schema));
const closed = { type: "object", additionalProperties: false };

describe("the type of a schema", () => {
  test.each([
    [true, "any"],
    [false, "never"],
    [{}, "any"],
    [{ title: "A text", description: "Any text", format: "date" }, "any"],
    [{ type: "string", minLength: 1, pattern: "^a" }, "string"],
    [{ type: "integer", minimum: 0 }, "integer"],
    [{ type: ["number", "null"] }, "null | number"],
    [{ type: ["integer", "number"] }, "number"],
    [{ const: "a" }, '"a"'],
    [{ enum: ["a", 1, null, true, { b: [] }] }, 'null | true | 1 | "a" | { b: [] }'],
    [{ enum: ["a", 1, null], type: "string" }, '"a"'],
    [{ type: "array" }, "any[]"],
    [{ type: "array", items: { type: "string" } }, "string[]"],
    [{ type: "array", items: [{ type: "string" }, { type: "null" }], additionalItems: false }, "(null | string)[]"],
    [{ type: "array", prefixItems: [{ type: "string" }], items: { type: "number" } }, "(number | string)[]"],
    [{ type: "array", prefixItems: [{ type: "string" }] }, "any[]"],
    [{ type: "object" }, "{ … }"],
    [{ ...closed, properties: { a: { type: "string" }, b: true }, required: ["b"] }, "{ a?: string, b: any }"],
    [{ type: "object", properties: { a: { type: "string" } }, required: ["c"] }, "{ a?: string, c: any, … }"],
    [{ type: "object", additionalProperties: { type: "number" } }, "{ …: number }"],
    [{ ...closed, patternProperties: { "^x-": { type: "string" } } }, "{ …: string }"],
    [{ type: "object", unevaluatedProperties: false, properties: { a: true } }, "{ a?: any }"],
    [{ type: "object", unevaluatedProperties: false, properties: { a: true }, $dynamicRef: "#x" }, "{ a?: any, … }"],
    [{ ...closed, required: ["a"] }, "never"],
    [{ properties: { a: { type: "string" } } }, "null | boolean | number | string | any[] | { a?: string, … }"],
  ])("%j is %s", (schema, type) => {
    expect(printed(schema)).toBe(type);
  });

  test.each([
    [{ anyOf: [{ type: "string" }, { type: "null" }] }, "null | string"],
    [
      {
        oneOf: [
          { ...closed, properties: { a: true } },
          { ...closed, properties: { b: true } },
        ],
      },
      "{ a?: any } | { b?: any }",
    ],
    [
      { type: "object", properties: { a: true }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
      "{ a: any, … } | { a?: any, b: any, … }",
    ],
    [{ allOf: [{ type: ["string", "null"] }, { type: ["string", "number"] }] }, "string"],
    [{ allOf: [{ type: "number" }, { type: "integer" }, { enum: [1, 1.5] }] }, "1"],
    [
      {
        allOf: [
          { type: "object", properties: { a: { type: "string" } } },
          { type: "object", required: ["a"] },
        ],
      },
      "{ a: string, … }",
    ],
    [
      {
        allOf: [
          { ...closed, properties: { a: true } },
          { type: "object", properties: { b: true } },
        ],
      },
      "{ a?: any }",
    ],
    [{ allOf: [{ type: "string" }, { type: "number" }] }, "never"],
    [{ not: { type: "string" }, if: true, else: { type: "number" } }, "any"],
  ])("%j combines to %s", (schema, type) => {
    expect(printed(schema)).toBe(type);
  });

  test("unsupported parts allow any value", () => {
    expect(printed({ ...closed, properties: { a: 1, b: [], c: { type: "sting" }, d: { type: 7 } } })).toBe(
      "{ a?: any, b?: any, c?: any, d?: any }",
    );
    expect(printed({ type: "object", properties: [], required: "a", additionalProperties: 3 })).toBe("{ … }");
  });

  test("titles and descriptions are kept", () => {
    const type = schemaType({
      type: "object",
      properties: { a: { title: "A", description: "The first." }, b: { $ref: "#/$defs/c" } },
      $defs: { c: { description: "C." } },
    });
    if (type.kind !== "object") throw new Error("No object.");
    expect(type.members.get("a")?.documentation).toBe("A\n\nThe first.");
    const second = type.members.get("b")?.type;
    expect(second?.kind === "reference" && second.definition.documentation).toBe("C.");
  });
});

describe("references", () => {
  const tree = {
    type: "object",
    properties: { left: { $ref: "#/$defs/tree" }, right: { $ref: "#/$defs/tree" } },
    additionalProperties: false,
  };

  test("have names and may be recursive", () => {
    const type = schemaType({ $ref: "#/$defs/tree", $defs: { tree } });
    expect(printType(type)).toBe("tree");
    expect(printDefinitions(type)).toEqual(["tree = { left?: tree, right?: tree }"]);
  });

  test.each([
    ["the root", { type: "array", items: { $ref: "#" } }, "Schema[]"],
    ["draft 7", { definitions: { a: { type: "string" } }, type: "array", items: { $ref: "#/definitions/a" } }, "a[]"],
    [
      "an anchor",
      { $defs: { a: { $anchor: "one", type: "string" } }, type: "array", items: { $ref: "#one" } },
      "one[]",
    ],
    [
      "its own address",
      {
        $id: "https://x.org/a",
        $defs: { b: { type: "string" } },
        type: "array",
        items: { $ref: "https://x.org/a#/$defs/b" },
      },
      "b[]",
    ],
    [
      "escaped steps",
      { $defs: { "a/b~c": { type: "string" } }, type: "array", items: { $ref: "#/$defs/a~1b~0c" } },
      "a/b~c[]",
    ],
    ["other documents", { type: "array", items: { $ref: "other.json#/a" } }, "any[]"],
    [
      "a part with an address of its own",
      { type: "array", items: { $id: "inner", $ref: "#/$defs/a" }, $defs: { a: { type: "null" } } },
      "any[]",
    ],
  ])("lead to %s", (_, schema, type) => {
    expect(printed(schema)).toBe(type);
  });

  test("exclude other keywords in draft 7, but not in 2020-12", () => {
    const schema = {
      type: "object",
      properties: { a: { $ref: "#/$defs/b", required: ["c"] } },
      $defs: { b: { type: "object" } },
    };
    expect(printed(schema)).toBe("{ a?: b, … }");
    expect(printed({ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema })).toBe(
      "{ a?: { c: any, … }, … }",
    );
  });

  test("that dangle are reported", () => {
    expect(read({ items: { $ref: "#/$defs/a" }, $defs: {} }).findings).toEqual(["WB4306"]);
    expect(read({ items: { $ref: "#a" } }).findings).toEqual(["WB4306"]);
  });

  test("and the parts of a file", () => {
    const schema = { $defs: { a: { type: "string" } } };
    expect(read(schema, "/$defs/a").type).toMatchObject({ kind: "string" });
    expect(read(schema, "/$defs/b").type).toBeUndefined();
    expect(read(schema, "/$defs/__proto__").type).toBeUndefined();
  });
});

describe("hostile schemas", () => {
  test("circular references allow any value", () => {
    const circle = { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } };
    expect(printDefinitions(schemaType(circle))).toEqual(["a = b", "b = a"]);
    const inAll = { allOf: [{ $ref: "#" }, { type: "string" }] };
    expect(printed(inAll)).toBe("string");
  });

  test("all names are ordinary names", () => {
    const schema = json(
      '{"type": "object", "properties": {"__proto__": {"type": "string"}, "constructor": true}, "required": ["__proto__"], "additionalProperties": false}',
    );
    expect(printed(schema)).toBe("{ __proto__: string, constructor?: any }");
  });

  test("any value is allowed below 64 levels", () => {
    const nested = (levels: number): string =>
      `${'{"type":"array","items":'.repeat(levels)}{"type":"string"}${"}".repeat(levels)}`;
    expect(printType(read(nested(11)).type!)).toBe(`string${"[]".repeat(11)}`);
    expect(read(nested(90)).findings).toEqual([]);
  });

  test("thousands of alternatives, members and combinations take little time", () => {
    const many = Array.from({ length: 3_000 }, (_, i) => i);
    expect(printed({ enum: many.map((i) => `v${i}`), type: "string" })).toBe("string");
    expect(printed({ anyOf: many.map((i) => ({ const: `v${i}` })) })).toBe("string");
    expect(
      printed({ type: "object", properties: Object.fromEntries(many.map((i) => [`m${i}`, { type: "string" }])) }),
    ).toBe("{ … }");
    const objects = many.map((i) => ({ ...closed, properties: { kind: { const: i % 20 } }, required: ["kind"] }));
    expect(printed({ anyOf: objects })).toMatch(/^\{ kind: 0 \| 1 \| 2.* \| 19 \}$/);
    const pairs = { anyOf: many.slice(0, 500).map((i) => ({ ...closed, properties: { [`m${i}`]: true } })) };
    expect(printed({ allOf: Array.from({ length: 20 }, () => pairs) })).toMatch(/^\{ m0\?: any/);
  });

  test("shared parts do not multiply", () => {
    const levels = Array.from({ length: 60 }, (_, i) => [
      `d${i}`,
      { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
    ]);
    const twice = Array.from({ length: 60 }, (_, i) => [
      `d${i}`,
      { type: "array", items: { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] } },
    ]);
    for (const parts of [levels, twice]) {
      const schema = { $ref: "#/$defs/d0", $defs: { ...Object.fromEntries(parts), d60: { type: "string" } } };
      expect(printDefinitions(schemaType(schema))).toHaveLength(61);
    }
  });
});
