// Compiles each schema/<name>.schema.json to src/generated/<name>.js: `validate`, which says whether a value fits, and
// `schema`, the schema itself, for wording what does not fit; and that of a source language to src/generated/<name>-definition.ts: the types of its
// definitions, and how their words may be spelled. Run by `npm run generate`.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";
import dependentRequired from "ajv/dist/vocabularies/validation/dependentRequired.js";
import { build } from "esbuild";
import type { JsonObject } from "../src/json.ts";
import { unknownKeywords } from "../src/schema/keywords.ts";
import { definitionsModule } from "./definitions.ts";

const root = new URL("../", import.meta.url);
const ending = ".schema.json";

const declarations = `import type { Json } from "../json.ts";

/** Whether a value fits the schema. */
export declare function validate(value: unknown): boolean;
/** The schema, made anew by each call. */
export declare function schema(): Json;
`;

mkdirSync(new URL("src/generated/", root), { recursive: true });
for (const file of readdirSync(new URL("schema/", root)).sort()) {
  if (!file.endsWith(ending)) continue;
  const name = file.slice(0, -ending.length);
  const schema: JsonObject = JSON.parse(readFileSync(new URL(`schema/${file}`, root), "utf8"));
  const unknown = unknownKeywords(schema);
  if (unknown.length > 0)
    throw new Error(`schema/${file} uses keywords that src/schema does not understand: ${unknown.join(", ")}`);
  writeFileSync(new URL(`src/generated/${name}.js`, root), await moduleOf(schema));
  writeFileSync(new URL(`src/generated/${name}.d.ts`, root), declarations);
  if (!existsSync(new URL(`src/languages/${name}`, root))) continue;
  const definitions = definitionsModule(schema, `schema/${file}`);
  writeFileSync(new URL(`src/generated/${name}-definition.ts`, root), definitions);
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
    /^(?:\$schema|x-(?:aliases|words|fold|fold-keys))$/.test(key) ||
    (/^(title|description|\$comment)$/.test(key) && typeof value === "string");
  return JSON.parse(JSON.stringify(schema, (key, value) => (isAnnotation(key, value) ? undefined : value)));
}

/** Leaves the details of errors out of ajv's code, which only has to say whether there are any, and its default export. */
function withoutDetails(code: string): string {
  const details = /\{instancePath(?::[^,]*)?,schemaPath:"[^"]*",keyword:"[^"]*",params:\{(?:[^{}]|\{[^{}]*\})*\}\}/g;
  return code.replace(details, "{}").replace(/export default \w+;/, "");
}
