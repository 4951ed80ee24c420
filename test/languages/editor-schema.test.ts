import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { editorSchema } from "../../.build/editor-schema.ts";
import { check } from "../../src/compile.ts";
import { readDocuments } from "../../src/documents/index.ts";
import { isObject, type Json, type JsonObject, own } from "../../src/json.ts";
import { languages } from "../languages.ts";

const root = join(import.meta.dirname, "../..");
const textOf = (path: string): string => readFileSync(path, "utf8");
const published = (name: string): JsonObject => JSON.parse(textOf(join(root, `schema/${name}.schema.json`)));

const withSchema = languages
  .map(({ name }) => name)
  .filter((name) => existsSync(join(root, `schema/${name}.schema.json`)));

describe.each(withSchema)("the schema of %s for editors", (name) => {
  const schema = published(name);
  const validate = new Ajv2020({ strict: false }).compile(schema);
  const misfits = (path: string): readonly string[] =>
    readDocuments({ path, text: textOf(path) }, () => {}).flatMap(({ value }) =>
      validate(value)
        ? []
        : (validate.errors ?? []).map(({ instancePath, message }) => `${path}${instancePath} ${message}`),
    );

  test("has a title and a description for every property", () => {
    const undocumented = propertiesIn(schema).filter(
      ([, property]) =>
        !isObject(property) || own(property, "title") === undefined || !hasDescription(schema, property),
    );
    expect(undocumented.map(([at]) => at)).toEqual([]);
  });

  const examples = join(root, "../shared/examples", name);
  test.skipIf(!existsSync(examples))("accepts every valid published example", () => {
    const paths = readdirSync(examples, { recursive: true, encoding: "utf8" })
      .filter((path) => /\.(?:ya?ml|json)$/.test(path))
      .map((path) => join(examples, path));
    const sound = paths.filter((path) => findings(path).length === 0);
    expect(sound.length).toBeGreaterThan(2);
    expect(sound.flatMap(misfits)).toEqual([]);
  });

  test("accepts exactly the valid goldens", () => {
    const folder = join(root, "golden", name);
    const paths = readdirSync(folder)
      .map((each) => join(folder, each, "workflow.yaml"))
      .filter(existsSync);
    const sound = paths.filter((path) => findings(path).length === 0);
    expect(sound.length).toBeGreaterThan(3);
    expect(sound.flatMap(misfits)).toEqual([]);
    expect(misfits(join(folder, "wrong-types/workflow.yaml"))).not.toEqual([]);
  });
});

describe("the schema of scenarios for editors", () => {
  const schema = published("scenario");
  const validate = new Ajv2020({ strict: false, allowUnionTypes: true }).compile(schema);
  const files = ["golden", "test/rules", "test/equivalence/findings"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith("scenarios.yaml"))
      .map((path) => join(root, folder, path)),
  );

  test("has a description for every property", () => {
    const undocumented = propertiesIn(schema).filter(
      ([, property]) => !isObject(property) || !hasDescription(schema, property),
    );
    expect(undocumented.map(([at]) => at)).toEqual([]);
  });

  test("accepts every scenario file of the project", () => {
    expect(files.length).toBeGreaterThan(100);
    const slips = join(root, "golden/problems/scenario-slips/scenarios.yaml");
    expect(files.filter((path) => !validate(parse(textOf(path))))).toEqual([slips]);
  });

  const sound = { workflow: "a.yaml", scenarios: [{ name: "A", expect: { status: "succeeded" } }] };
  test.each<[string, object]>([
    ["a member that no scenario has", { ...sound, scenario: [] }],
    ["no expectation", { ...sound, scenarios: [{ name: "A" }] }],
    [
      "two answers in one",
      { ...sound, scenarios: [{ ...sound.scenarios[0], functions: { f: { returns: 1, computes: "." } } }] },
    ],
    ["a time in words", { ...sound, scenarios: [{ name: "A", expect: { status: "failed", elapsed: "a day" } }] }],
  ])("rejects %s", (_, value) => {
    expect([validate(sound), validate(value)]).toEqual([true, false]);
  });
});

test("accepts the aliases and case variants that the compiler accepts", () => {
  const schema: JsonObject = {
    type: "object",
    properties: {
      row: { type: "string", "x-aliases": ["line"] },
      stitch: { enum: ["knit", "purl", "null"], "x-fold": true, "x-words": { "k.": "knit" } },
      count: { type: "integer" },
    },
    required: ["row", "count"],
    additionalProperties: false,
  };
  const validate = new Ajv2020({ strict: false }).compile(editorSchema(schema, "https://example.com/knitting"));
  const taken = (members: JsonObject): boolean => validate({ row: "a", count: 1, ...members });
  expect([taken({ stitch: "KNIT" }), taken({ stitch: "K." }), taken({ stitch: null })]).toEqual([true, true, true]);
  expect([taken({ stitch: "kxx" }), taken({ stitch: "knitting" }), taken({ lime: 1 })]).toEqual([false, false, false]);
  expect([validate({ line: "a", count: 1 }), validate({ count: 1 }), validate({ line: "a" })]).toEqual([
    true,
    false,
    false,
  ]);
});

const findings = (path: string): readonly string[] =>
  check({ sources: [{ path, text: textOf(path) }], options: {} }, languages)
    .diagnostics.filter(({ severity, code }) => severity === "error" || code === "WB1002")
    .map(({ code }) => code);

/** All object properties in a schema, with their paths. */
function propertiesIn(schema: Json, at = ""): readonly (readonly [string, Json])[] {
  if (!isObject(schema)) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    const inner = propertiesIn(value, `${at}/${key}`);
    if (key !== "properties" || !isObject(value)) return inner;
    return [...Object.entries(value).map(([name, property]) => [`${at}/${name}`, property] as const), ...inner];
  });
}

/** A property may inherit the description of the part that it refers to. */
function hasDescription(schema: JsonObject, property: JsonObject): boolean {
  const reference = own(property, "$ref");
  const part =
    typeof reference === "string" ? own(schema["$defs"] as JsonObject, reference.split("/").at(-1)!) : undefined;
  return [property, part].some(
    (each) => isObject(each ?? null) && own(each as JsonObject, "description") !== undefined,
  );
}
