// Writes modules of JSON Schemas: src/languages/<name>/definition.schema.json to src/generated/<name>.js, and targets/<target>/<name>.schema.json to
// src/generated/<target>-<name>.js. Each module exports `validate` and `schema`. For a source language, also writes src/generated/<name>-definition.ts (the
// types of its definitions and the accepted spellings) and schema/<name>.schema.json (for editors). Assembles schema/configuration.schema.json from the
// schemas of the targets. Run by `npm run generate`.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { Ajv } from "ajv";
import dependentRequired from "ajv/dist/vocabularies/validation/dependentRequired.js";
import type { Json, JsonObject } from "../src/json.ts";
import { unknownKeywords } from "../src/schema/keywords.ts";
import { definitionsModule } from "./definitions.ts";
import { editorSchema, schemaUri } from "./editor-schema.ts";
import { hostFolders } from "./hosts.ts";

const root = new URL("../", import.meta.url);
const ending = ".schema.json";

const declarations = `import type { Json } from "../json.ts";

/** Whether a value fits the schema. */
export declare function validate(value: unknown): boolean;
/** The schema, parsed by the first call. */
export declare function schema(): Json;
`;

mkdirSync(new URL("src/generated/", root), { recursive: true });
for (const language of foldersIn("src/languages/").filter((name) => name !== "shared")) {
  const path = `src/languages/${language}/definition${ending}`;
  // A language may validate without a JSON Schema; it then has no schema for editors.
  if (!existsSync(new URL(path, root))) continue;
  const schema = read(path);
  writeValidator(language, schema, path);
  writeFileSync(new URL(`src/generated/${language}-definition.ts`, root), definitionsModule(schema, path));
  publish(language, editorSchema(schema, schemaUri(language)));
}
const targets = foldersIn("targets/");
for (const target of targets) {
  for (const name of schemasIn(`targets/${target}/`)) {
    const path = `targets/${target}/${name}${ending}`;
    writeValidator(`${target}-${name}`, readTargetSchema(target, name), path);
  }
}
publish("configuration", configurationSchema(targets));
publish("scenario", editorSchema(read(`src/scenario/scenario${ending}`), schemaUri("scenario")));

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

function schemasIn(folder: string): readonly string[] {
  const files = readdirSync(new URL(folder, root)).filter((file) => file.endsWith(ending));
  return files.map((file) => file.slice(0, -ending.length)).sort();
}

function read(path: string): JsonObject {
  return JSON.parse(readFileSync(new URL(path, root), "utf8")) as JsonObject;
}

function writeValidator(name: string, schema: JsonObject, path: string): void {
  const unknown = unknownKeywords(schema);
  if (unknown.length > 0)
    throw new Error(`${path} uses keywords that src/schema does not understand: ${unknown.join(", ")}`);
  checkSchema(schema);
  writeFileSync(new URL(`src/generated/${name}.js`, root), validatorModule(schema));
  writeFileSync(new URL(`src/generated/${name}.d.ts`, root), declarations);
}

function patterns(description: string): JsonObject {
  return { description, type: "array", items: { type: "string" }, minItems: 1 };
}

function configurationSchema(targets: readonly string[]): JsonObject {
  const bindings = schemasNamed(targets, "bindings");
  const settings = schemasNamed(targets, "settings");
  const bound = (kind: string, own: JsonObject = {}): JsonObject => {
    const references = bindings.map(([target]) => [target, { $ref: `#/$defs/${target}/$defs/${kind}` }]);
    return { type: "object", additionalProperties: openObject({ ...own, ...Object.fromEntries(references) }) };
  };
  const result = {
    description: "A JSON Schema of the function's result, which the output of every target relies on.",
    type: ["object", "boolean"],
  };
  const data = {
    description: "A JSON Schema of the data of received events, which the output of every target relies on.",
    type: ["object", "boolean"],
  };
  const trust = {
    description:
      "`types`: the types of a function's argument and result are those of the export to which it is bound. Default: `none`.",
    enum: ["types", "none"],
  };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: schemaUri("configuration"),
    title: "configuration",
    description:
      "waybill.config.yaml: bindings of functions and events and settings for each target, options of languages, severities of diagnostics, and file selection.",
    ...closedObject({
      extends: {
        description: "The configurations that this one extends, relative to it.",
        anyOf: [
          { type: "string", minLength: 1 },
          { type: "array", items: { type: "string", minLength: 1 } },
        ],
      },
      sources: patterns("The definitions of a project: files, folders and globs, relative to the configuration."),
      outputs: {
        description: "What `waybill build` writes.",
        type: "array",
        items: { oneOf: [...settings.map(([target]) => outputSchema(target)), outputOfPlugin(targets)] },
      },
      scenarios: patterns("The scenario files of a project: files, folders and globs, relative to the configuration."),
      workflows: {
        description: "Paths of definitions by the id of their workflow, for languages whose definitions have no ids.",
        type: "object",
        additionalProperties: { type: "string", minLength: 1 },
      },
      functions: {
        description: "Bindings of functions, by their names in definitions or by the kind of step that calls them.",
        ...bound("function", { result, trust }),
      },
      trust: { ...trust, description: "The setting `trust` of functions that do not have it." },
      events: { description: "Bindings of events, by their names in definitions.", ...bound("event", { data }) },
      options: {
        description: "Options of languages: see `waybill list`.",
        type: "object",
      },
      diagnostics: {
        description: "Severities of diagnostics, by code. Errors stay errors.",
        type: "object",
        patternProperties: { "^WB[0-9]{4}$": { enum: ["off", "info", "warning", "error", false] } },
        additionalProperties: false,
      },
      include: patterns("The only files of folders that are compiled: patterns as in a .gitignore."),
      exclude: patterns("Files of folders that are not compiled: patterns as in a .gitignore."),
      plugins: {
        description: "Modules that add languages and targets: paths relative to the configuration, or packages.",
        type: "array",
        items: { type: "string", minLength: 1 },
      },
      targets: {
        description: "Settings of targets.",
        ...openObject(Object.fromEntries(settings.map(([target, schema]) => [target, withoutDialect(schema)]))),
      },
    }),
    ...withoutPlugins(
      bindings.map(([target]) => target),
      settings.map(([target]) => target),
    ),
    $defs: Object.fromEntries(
      bindings.map(([target, schema]) => [target, { $defs: nestDefinitions(target, schema["$defs"]!) }]),
    ),
  };
}

/** Without plug-ins, only these targets have bindings and settings. */
function withoutPlugins(bindings: readonly string[], settings: readonly string[]): JsonObject {
  const bound = (...own: readonly string[]): JsonObject => ({
    additionalProperties: { propertyNames: { enum: [...own, ...bindings] } },
  });
  return {
    if: { not: { required: ["plugins"] } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: {
      properties: {
        outputs: { items: { properties: { target: { enum: settings } } } },
        functions: bound("result", "trust"),
        events: bound("data"),
        targets: { propertyNames: { enum: settings } },
      },
    },
  };
}

function outputOfPlugin(targets: readonly string[]): JsonObject {
  const { properties, ...output } = outputSchema("") as { readonly properties: JsonObject };
  return {
    ...output,
    properties: { ...properties, target: { type: "string", not: { enum: targets } }, settings: { type: "object" } },
  };
}

function outputSchema(target: string): JsonObject {
  const out = { description: "The output folder, relative to the configuration.", type: "string", minLength: 1 };
  const settings = { $ref: `#/properties/targets/properties/${target}` };
  return { ...closedObject({ target: { const: target }, out, settings }), required: ["target", "out"] };
}

function schemasNamed(targets: readonly string[], name: string): readonly (readonly [string, JsonObject])[] {
  const having = targets.filter((target) => schemasIn(`targets/${target}/`).includes(name));
  return having.map((target) => [target, readTargetSchema(target, name)]);
}

/** The schema of a target's settings includes those of its hosts' folders: `host.schema.json` describes each value. */
function readTargetSchema(target: string, name: string): JsonObject {
  const schema = read(`targets/${target}/${name}${ending}`);
  const hosts = hostFolders(target);
  if (name !== "settings" || hosts.length === 0) return schema;
  const texts = hosts.map((host, i) => {
    const { description } = read(`targets/${target}/hosts/${host}/host${ending}`);
    return `${description} (\`${host}\`${i === 0 ? ", the default" : ""})`;
  });
  const host = {
    title: listAlternatives(hosts.map((each) => `\`${each}\``)),
    description: `The platform that stores the runs of programs: ${listAlternatives(texts)}.`,
    type: "string",
    enum: hosts,
  };
  return { ...schema, properties: { ...(schema["properties"] as JsonObject), host } };
}

function listAlternatives(all: readonly string[]): string {
  return `${all.slice(0, -1).join(", ")} or ${all.at(-1)}`;
}

function closedObject(properties: JsonObject): JsonObject {
  return { type: "object", properties, additionalProperties: false };
}

/** Plug-ins may add members. */
function openObject(properties: JsonObject): JsonObject {
  return { type: "object", properties, additionalProperties: { type: "object" } };
}

function withoutDialect({ $schema: _, ...schema }: JsonObject): JsonObject {
  return schema as JsonObject;
}

function nestDefinitions(target: string, definitions: Json): Json {
  return JSON.parse(
    JSON.stringify(definitions, (key, value) =>
      key === "$ref" && typeof value === "string" ? value.replace("#/$defs/", `#/$defs/${target}/$defs/`) : value,
    ),
  ) as Json;
}

/**
 * A module that compiles the schema when it validates the first value: its functions are smaller and load faster than
 * generated code. The schema is not compressed, because most commands need one: loading `node:zlib` takes 2 ms.
 */
function validatorModule(schema: JsonObject): string {
  return `import { compileSchema } from "../schema/compile.ts";
let data, test;
export const schema = () => (data ??= JSON.parse(${JSON.stringify(JSON.stringify(schema))}));
export const validate = (value) => (test ??= compileSchema(schema()))(value);
`;
}

/** Throws if a schema is not valid, or has keywords whose combination has no meaning. */
function checkSchema(schema: JsonObject): void {
  const ajv = new Ajv({
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    discriminator: true,
    inlineRefs: false,
  });
  ajv.addKeyword(dependentRequired.default);
  ajv.compile(stripAnnotations(schema));
}

/** Removes annotations, which are not keywords of ajv. */
function stripAnnotations(schema: JsonObject): JsonObject {
  const isAnnotation = (key: string, value: unknown) =>
    /^(?:\$schema|x-(?:aliases|words|fold|fold-keys|meant|remedies|interpolated|empty|short|seconds))$/.test(key) ||
    (/^(title|description|format|\$comment)$/.test(key) && typeof value === "string");
  return JSON.parse(JSON.stringify(schema, (key, value) => (isAnnotation(key, value) ? undefined : value)));
}
