// Compiles JSON Schemas to modules: src/languages/<name>/definition.schema.json to src/generated/<name>.js, and targets/<target>/<name>.schema.json to
// src/generated/<target>-<name>.js. Each module exports `validate` and `schema`. For a source language, also writes src/generated/<name>-definition.ts (the
// types of its definitions and the accepted spellings) and schema/<name>.schema.json (for editors). Assembles schema/configuration.schema.json from the
// schemas of the targets. Run by `npm run generate`.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";
import dependentRequired from "ajv/dist/vocabularies/validation/dependentRequired.js";
import { build } from "esbuild";
import type { Json, JsonObject } from "../src/json.ts";
import { unknownKeywords } from "../src/schema/keywords.ts";
import { definitionsModule } from "./definitions.ts";
import { editorSchema, schemaUri } from "./editor-schema.ts";

const root = new URL("../", import.meta.url);
const ending = ".schema.json";

const declarations = `import type { Json } from "../json.ts";

/** Whether a value fits the schema. */
export declare function validate(value: unknown): boolean;
/** The schema, made anew by each call. */
export declare function schema(): Json;
`;

mkdirSync(new URL("src/generated/", root), { recursive: true });
for (const language of foldersIn("src/languages/").filter((name) => name !== "shared")) {
  const path = `src/languages/${language}/definition${ending}`;
  // A language may validate without a JSON Schema; it then has no schema for editors.
  if (!existsSync(new URL(path, root))) continue;
  const schema = read(path);
  await write(language, schema, path);
  writeFileSync(new URL(`src/generated/${language}-definition.ts`, root), definitionsModule(schema, path));
  publish(language, editorSchema(schema, schemaUri(language)));
}
const targets = foldersIn("targets/");
for (const target of targets) {
  for (const name of schemasIn(`targets/${target}/`)) {
    const path = `targets/${target}/${name}${ending}`;
    await write(`${target}-${name}`, read(path), path);
  }
}
publish("configuration", configurationSchema(targets));
publish("scenario", editorSchema(read(`src/scenario/scenario${ending}`), schemaUri("scenario")));

/** Writes a schema for editors. */
function publish(name: string, schema: JsonObject): void {
  writeFileSync(new URL(`schema/${name}${ending}`, root), `${JSON.stringify(schema, undefined, 2)}\n`);
}

function foldersIn(folder: string): readonly string[] {
  const entries = readdirSync(new URL(folder, root), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** The names of the schemas in a folder. */
function schemasIn(folder: string): readonly string[] {
  const files = readdirSync(new URL(folder, root)).filter((file) => file.endsWith(ending));
  return files.map((file) => file.slice(0, -ending.length)).sort();
}

function read(path: string): JsonObject {
  return JSON.parse(readFileSync(new URL(path, root), "utf8")) as JsonObject;
}

async function write(name: string, schema: JsonObject, path: string): Promise<void> {
  const unknown = unknownKeywords(schema);
  if (unknown.length > 0)
    throw new Error(`${path} uses keywords that src/schema does not understand: ${unknown.join(", ")}`);
  writeFileSync(new URL(`src/generated/${name}.js`, root), await moduleOf(schema));
  writeFileSync(new URL(`src/generated/${name}.d.ts`, root), declarations);
}

/** The schema of waybill.config.yaml: what it has for all targets, and what each target has of its own. */
/** A list of patterns. */
function patterns(description: string): JsonObject {
  return { description, type: "array", items: { type: "string" }, minItems: 1 };
}

function configurationSchema(targets: readonly string[]): JsonObject {
  const bindings = ownSchemas(targets, "bindings");
  const settings = ownSchemas(targets, "settings");
  const bound = (kind: string, own: JsonObject = {}): JsonObject => {
    const references = bindings.map(([target]) => [target, { $ref: `#/$defs/${target}/$defs/${kind}` }]);
    return { type: "object", additionalProperties: closed({ ...own, ...Object.fromEntries(references) }) };
  };
  const result = {
    description: "A JSON Schema of what the function is trusted to answer: what is emitted relies on it.",
    type: ["object", "boolean"],
  };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: schemaUri("configuration"),
    title: "configuration",
    description:
      "waybill.config.yaml: where the functions of workflows are and where their events go, for each target, the targets' settings, and the choices that the languages leave to the user.",
    ...closed({
      functions: { description: "By the names that the definitions call them by.", ...bound("function", { result }) },
      events: { description: "By the names that the definitions give them.", ...bound("event") },
      options: {
        description: "The choices that the languages leave to the user: `waybill list` shows them.",
        type: "object",
      },
      diagnostics: {
        description: "What kinds of diagnostics are taken for, by their codes. Errors stay errors.",
        type: "object",
        patternProperties: { "^WB[0-9]{4}$": { enum: ["off", "info", "warning", "error", false] } },
        additionalProperties: false,
      },
      include: patterns("Of the files in folders only these are taken for definitions: patterns, as in a .gitignore."),
      exclude: patterns("Of the files in folders these are not taken for definitions: patterns, as in a .gitignore."),
      targets: {
        description: "The settings of the targets.",
        ...closed(Object.fromEntries(settings.map(([target, schema]) => [target, withoutDialect(schema)]))),
      },
    }),
    $defs: Object.fromEntries(
      bindings.map(([target, schema]) => [target, { $defs: within(target, schema["$defs"]!) }]),
    ),
  };
}

/** The schemas of a name that targets have of their own. */
function ownSchemas(targets: readonly string[], name: string): readonly (readonly [string, JsonObject])[] {
  const having = targets.filter((target) => schemasIn(`targets/${target}/`).includes(name));
  return having.map((target) => [target, read(`targets/${target}/${name}${ending}`)]);
}

/** Objects that have these members, and no others. */
function closed(properties: JsonObject): JsonObject {
  return { type: "object", properties, additionalProperties: false };
}

function withoutDialect({ $schema: _, ...schema }: JsonObject): JsonObject {
  return schema as JsonObject;
}

/** Definitions that refer to each other, as they stand among those of a target. */
function within(target: string, definitions: Json): Json {
  return JSON.parse(
    JSON.stringify(definitions, (key, value) =>
      key === "$ref" && typeof value === "string" ? value.replace("#/$defs/", `#/$defs/${target}/$defs/`) : value,
    ),
  ) as Json;
}

/**
 * The module for a schema. ajv's class for draft 2020-12 writes code for dynamic references and for unevaluated properties into
 * every function; none of our schemas has them, and the keywords that they do have mean the same to the plain class. esbuild
 * takes in the few functions of ajv that are called, and drops what is not used.
 */
async function moduleOf(schema: JsonObject): Promise<string> {
  const ajv = new Ajv({
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    discriminator: true,
    messages: false,
    inlineRefs: false,
    code: { source: true, esm: true, optimize: 2 },
  });
  ajv.addKeyword(dependentRequired.default);
  const code = withoutDetails(standalone.default(ajv, ajv.compile(withoutAnnotations(schema))));
  const result = await build({
    stdin: {
      contents: `${code}\nexport const schema = () => (${JSON.stringify(schema)});`,
      resolveDir: fileURLToPath(root),
      loader: "js",
    },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22",
    minify: true,
    write: false,
  });
  return result.outputFiles[0]!.text;
}

/** Leaves out what is for people: ajv's code contains parts of the schema. */
function withoutAnnotations(schema: JsonObject): JsonObject {
  const isAnnotation = (key: string, value: unknown) =>
    /^(?:\$schema|x-(?:aliases|words|fold|fold-keys|meant|remedies|sent))$/.test(key) ||
    (/^(title|description|format|\$comment)$/.test(key) && typeof value === "string");
  return JSON.parse(JSON.stringify(schema, (key, value) => (isAnnotation(key, value) ? undefined : value)));
}

/** Leaves the details of errors out of ajv's code, which only has to say whether there are any, and its default export. */
function withoutDetails(code: string): string {
  const details = /\{instancePath(?::[^,]*)?,schemaPath:"[^"]*",keyword:"[^"]*",params:\{(?:[^{}]|\{[^{}]*\})*\}\}/g;
  return code.replace(details, "{}").replace(/export default \w+;/, "");
}
