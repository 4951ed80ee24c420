import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { definitionsModule, spellingTables } from "../../.build/definitions.ts";
import { readDocuments } from "../../src/documents/index.ts";
import type { JsonObject } from "../../src/json.ts";
import { canonicalize } from "../../src/languages/shared/spelling.ts";
import { positionOf } from "../../src/text/source.ts";

const schema = {
  title: "knitting pattern",
  description: "What to knit. Not */ this.",
  type: "object",
  "x-fold-keys": true,
  properties: {
    rows: { type: "array", items: { $ref: "#/$defs/row" } },
    yarn: { description: "Its colour, or more.", type: ["string", "object"], "x-aliases": ["wool"] },
    sizes: { type: "object", additionalProperties: { type: "integer" } },
    "for-whom": { $ref: "#/$defs/person" },
    notes: {},
  },
  required: ["rows"],
  $defs: {
    person: { type: "string" },
    row: {
      title: "row",
      discriminator: { propertyName: "stitch" },
      oneOf: [{ $ref: "#/$defs/knit" }, { $ref: "#/$defs/purl" }],
    },
    knit: {
      title: "knit row",
      type: "object",
      properties: { stitch: { const: "KNIT", "x-fold": true }, side: { $ref: "#/$defs/side", "x-aliases": ["face"] } },
      required: ["stitch"],
    },
    purl: {
      title: "purl row",
      type: "object",
      properties: { stitch: { const: "PURL", "x-fold": true, "x-words": { p: "PURL" } }, n: { type: "integer" } },
      required: ["stitch", "n"],
    },
    side: { enum: ["front", "back"], "x-fold": true },
  },
} satisfies JsonObject;

test("a schema becomes equivalent types", () => {
  const [types] = definitionsModule(schema, "schema/knitting.schema.json").split("/** Accepted spellings");
  expect(types).toBe(`// Generated from schema/knitting.schema.json by \`npm run generate\`; do not edit.

import type { Json, JsonObject } from "../json.ts";
import type { SpellingTables } from "../languages/shared/spelling.ts";

/** What to knit. Not *\\/ this. */
export interface KnittingPattern {
  readonly rows: readonly Row[];
  /** Its colour, or more. */
  readonly yarn?: string | JsonObject;
  readonly sizes?: { readonly [name: string]: number };
  readonly "for-whom"?: string;
  readonly notes?: Json;
}

export type Row = KnitRow | PurlRow;

export interface KnitRow {
  readonly stitch: "KNIT";
  readonly side?: "front" | "back";
}

export interface PurlRow {
  readonly stitch: "PURL";
  readonly n: number;
}

`);
});

test("rejects two parts with one name", () => {
  const twice = { ...schema, $defs: { ...schema.$defs, other: { title: "Row", type: "string" } } };
  expect(() => definitionsModule(twice, "a.json")).toThrow("a.json has two parts with type Row.");
});

describe("a published schema", () => {
  const files = readdirSync(join(import.meta.dirname, "../../schema")).filter((file) => file.endsWith(".json"));

  test.each(files)("%s conforms to draft 2020-12, ignoring our annotations", (file) => {
    const published = JSON.parse(readFileSync(join(import.meta.dirname, "../../schema", file), "utf8"));
    expect(published.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    const checker = new Ajv2020({ strict: false, discriminator: true, allErrors: true });
    expect([checker.validateSchema(published), checker.errors]).toEqual([true, null]);
    expect(checker.compile(published)).toBeTypeOf("function");
  });

  test.each(
    readdirSync(join(import.meta.dirname, "../../src/languages")).filter((name) =>
      files.includes(`${name}.schema.json`),
    ),
  )("the schema of %s generates its module deterministically", (name) => {
    const path = `src/languages/${name}/definition.schema.json`;
    const published = JSON.parse(readFileSync(join(import.meta.dirname, "../..", path), "utf8"));
    const made = definitionsModule(published, path);
    expect(definitionsModule(structuredClone(published), path)).toBe(made);
    const kept = readFileSync(join(import.meta.dirname, `../../src/generated/${name}-definition.ts`), "utf8");
    expect(made, "`npm run generate` makes it").toBe(kept);
  });
});

describe("schema annotations", () => {
  const tables = spellingTables(schema);

  /** The canonicalized source and its diagnostics: line, code and message. */
  function folded(text: string) {
    const findings: string[] = [];
    const [document] = readDocuments({ path: "a.yaml", text }, () => {});
    const { value } = canonicalize(document!, tables, ({ code, message, span: { source, start } }) =>
      findings.push(`${positionOf(source, start).line} ${code} ${message}`),
    );
    return { value, findings };
  }

  test("fold words, aliases and property names", () => {
    expect(folded("Rows:\n- { stitch: knit, face: BACK }\n- stitch: P\n  n: 1\nwool: Red")).toEqual({
      value: {
        rows: [
          { stitch: "KNIT", side: "back" },
          { stitch: "PURL", n: 1 },
        ],
        yarn: "Red",
      },
      findings: [
        "1 WB2101 `Rows` is read as `rows`.",
        "2 WB2101 `knit` is read as `KNIT`.",
        "2 WB2102 `face` is read as `side`.",
        "2 WB2101 `BACK` is read as `back`.",
        "3 WB2102 `P` is read as `PURL`.",
        "5 WB2102 `wool` is read as `yarn`.",
      ],
    });
  });

  test("do not fold an alias next to its property, nor canonical spellings", () => {
    const text = "yarn: red\nwool: blue\nnotes: { Rows: [KNIT] }";
    expect(folded(text)).toEqual({ value: { yarn: "red", wool: "blue", notes: { Rows: ["KNIT"] } }, findings: [] });
    expect(folded("rows: [{ stitch: lace, face: x, side: FRONT }, { __proto__: 1 }]").findings).toEqual([
      "1 WB2101 `FRONT` is read as `front`.",
    ]);
  });
});
