import { isObject, type Json, type JsonObject, own } from "../src/json.ts";

/**
 * The schema of a language as editors want it, which see a definition before its spelling is folded: other names of properties stand beside them, words in any
 * case, each property has a title.
 *
 *   "dataInputPath": { "type": "string", "x-aliases": ["inputPath"] }
 *     → "dataInputPath": { "title": "data input path", "type": "string" }, "inputPath": { "title": …, "deprecated": true, "type": "string" }
 *   { "enum": ["and", "xor"], "x-fold": true }
 *     → { "anyOf": [{ "enum": ["and", "xor"] }, { "type": "string", "pattern": "^(?:[aA][nN][dD]|[xX][oO][rR])$" }] }
 */
export function editorSchema(schema: JsonObject, id: string): JsonObject {
  const { $schema, ...rest } = forEditors(schema) as JsonObject;
  return { ...($schema === undefined ? {} : { $schema }), $id: id, ...rest };
}

/** Where a published schema can be had from. */
export const schemaUri = (name: string): string => `https://unpkg.com/waybill/schema/${name}.schema.json`;

/** The annotations that the compiler reads. */
const ours = /^(?:x-(?:aliases|words|fold|fold-keys|meant|remedies|sent)|discriminator)$/;

function forEditors(schema: Json): Json {
  if (Array.isArray(schema)) return (schema as readonly Json[]).map(forEditors);
  if (!isObject(schema)) return schema;
  const words = textsOf(own(schema, "enum") ?? [own(schema, "const") ?? null]);
  const others = Object.keys((own(schema, "x-words") ?? {}) as JsonObject);
  const parts: { [key: string]: Json } = {};
  for (const [key, value] of Object.entries(schema)) {
    if (ours.test(key)) continue;
    if (key === "properties") parts[key] = propertiesOf(value as JsonObject);
    else if (key === "$defs") parts[key] = mapped(value as JsonObject, forEditors);
    else if (key === "anyOf" || key === "oneOf")
      parts[key] = (value as readonly Json[]).map((each) => needing(each, own(schema, "properties")));
    else if (key === "required") Object.assign(parts, requirements(schema, textsOf(value)));
    else parts[key] = forEditors(value);
  }
  return own(schema, "x-fold") === true ? inAnyCase(parts, [...words, ...others]) : parts;
}

const mapped = (members: JsonObject, map: (value: Json, name: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(value, name)]));

function propertiesOf(properties: JsonObject): JsonObject {
  const entries = Object.entries(properties).flatMap(([name, property]) => {
    const titled: JsonObject = { title: titleOf(name), ...(forEditors(property) as JsonObject) };
    const aliases = aliasesOf(property).map((alias) => [
      alias,
      { ...titled, description: `Another name of \`${name}\`.`, deprecated: true },
    ]);
    return [[name, titled], ...aliases];
  });
  return Object.fromEntries(entries) as JsonObject;
}

/** A branch that only asks for properties of the schema around it: these may stand there under other names. */
function needing(branch: Json, properties: Json | undefined): Json {
  const names = isObject(branch) && Object.keys(branch).length === 1 ? textsOf(own(branch, "required")) : [];
  const [name, ...others] = names;
  const aliases = name === undefined || !isObject(properties) ? [] : aliasesOf(own(properties, name));
  if (others.length > 0 || aliases.length === 0) return forEditors(branch);
  return { anyOf: [name!, ...aliases].map((each) => ({ required: [each] })) };
}

/** What has another name may stand under that instead. */
function requirements(schema: JsonObject, names: readonly string[]): JsonObject {
  const properties = (own(schema, "properties") ?? {}) as JsonObject;
  const either = names.filter((name) => aliasesOf(own(properties, name)).length > 0);
  const alternatives = either.map((name) => ({
    anyOf: [name, ...aliasesOf(own(properties, name))].map((each) => ({ required: [each] })),
  }));
  return {
    required: names.filter((name) => !either.includes(name)),
    ...(alternatives.length > 0 ? { allOf: alternatives } : {}),
  };
}

/** Editors offer the words as they are, and take them in any case. The word `null` without quotes is null to YAML. */
function inAnyCase({ enum: values, const: value, ...rest }: JsonObject, words: readonly string[]): JsonObject {
  const offered = values === undefined ? { const: value! } : { enum: values };
  const pattern = `^(?:${words.map((word) => [...word].map(eitherCase).join("")).join("|")})$`;
  const isNull = words.includes("null") ? [{ type: "null" }] : [];
  return { ...rest, anyOf: [offered, { type: "string", pattern }, ...isNull] };
}

const eitherCase = (letter: string): string =>
  letter.toLowerCase() === letter.toUpperCase()
    ? letter.replace(/[^\w]/, "\\$&")
    : `[${letter.toLowerCase()}${letter.toUpperCase()}]`;

/** "dataInputPath" is called "data input path". */
const titleOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const aliasesOf = (property: Json | undefined): readonly string[] =>
  isObject(property ?? null) ? textsOf(own(property as JsonObject, "x-aliases")) : [];

const textsOf = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? (value as readonly Json[]).filter((each) => typeof each === "string") : [];
