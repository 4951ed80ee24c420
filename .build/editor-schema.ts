import { isObject, type Json, type JsonObject, own } from "../src/json.ts";

/**
 * Converts a language's schema for editors, which validate before spellings are normalized: it adds aliases as
 * properties, case-insensitive patterns and titles.
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

/** The URI of a published schema. */
export const schemaUri = (name: string): string => `https://unpkg.com/waybill/schema/${name}.schema.json`;

const compilerAnnotations =
  /^(?:x-(?:aliases|words|fold|fold-keys|meant|remedies|interpolated|empty|short|seconds)|discriminator)$/;

function forEditors(schema: Json): Json {
  if (Array.isArray(schema)) return (schema as readonly Json[]).map(forEditors);
  if (!isObject(schema)) return schema;
  const words = stringsIn(own(schema, "enum") ?? [own(schema, "const") ?? null]);
  const others = Object.keys((own(schema, "x-words") ?? {}) as JsonObject);
  const parts: { [key: string]: Json } = {};
  for (const [key, value] of Object.entries(schema)) {
    if (compilerAnnotations.test(key)) continue;
    if (key === "properties") parts[key] = propertiesOf(value as JsonObject);
    else if (key === "$defs") parts[key] = mapValues(value as JsonObject, forEditors);
    else if (key === "anyOf" || key === "oneOf")
      parts[key] = (value as readonly Json[]).map((each) => relaxRequiredBranch(each, own(schema, "properties")));
    else if (key === "required") Object.assign(parts, relaxRequired(schema, stringsIn(value)));
    else parts[key] = forEditors(value);
  }
  const short = own(schema, "x-short");
  if (short !== undefined) return acceptShort(parts, short === "" ? { const: true } : { type: "string" });
  return own(schema, "x-fold") === true ? acceptAnyCase(parts, [...words, ...others]) : parts;
}

function acceptShort({ title, description, ...object }: JsonObject, short: JsonObject): JsonObject {
  return { ...(title && { title }), ...(description && { description }), anyOf: [short, object] };
}

const mapValues = (members: JsonObject, map: (value: Json, name: string) => Json): JsonObject =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, map(value, name)]));

function propertiesOf(properties: JsonObject): JsonObject {
  const entries = Object.entries(properties).flatMap(([name, property]) => {
    const { description, ...value } = forEditors(property) as JsonObject;
    const nullable = own(property as JsonObject, "x-empty") === true ? { anyOf: [value, { type: "null" }] } : value;
    const titled: JsonObject = {
      title: titleOf(name),
      ...(description === undefined ? {} : { description }),
      ...(nullable as JsonObject),
    };
    const aliases = aliasesOf(property).map((alias) => [
      alias,
      { ...titled, description: `Another name of \`${name}\`.`, deprecated: true },
    ]);
    return [[name, titled], ...aliases];
  });
  return Object.fromEntries(entries) as JsonObject;
}

/** Accepts aliases in a branch with only a required property. */
function relaxRequiredBranch(branch: Json, properties: Json | undefined): Json {
  const names = isObject(branch) && Object.keys(branch).length === 1 ? stringsIn(own(branch, "required")) : [];
  const [name, ...others] = names;
  const aliases = name === undefined || !isObject(properties) ? [] : aliasesOf(own(properties, name));
  if (others.length > 0 || aliases.length === 0) return forEditors(branch);
  return { anyOf: [name!, ...aliases].map((each) => ({ required: [each] })) };
}

function relaxRequired(schema: JsonObject, names: readonly string[]): JsonObject {
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

/** Keeps words for completion. YAML parses an unquoted `null` as null. */
function acceptAnyCase({ enum: values, const: value, ...rest }: JsonObject, words: readonly string[]): JsonObject {
  const offered = values === undefined ? { const: value! } : { enum: values };
  const pattern = `^(?:${words.map((word) => [...word].map(bothCases).join("")).join("|")})$`;
  const isNull = words.includes("null") ? [{ type: "null" }] : [];
  return { ...rest, anyOf: [offered, { type: "string", pattern }, ...isNull] };
}

const bothCases = (letter: string): string =>
  letter.toLowerCase() === letter.toUpperCase()
    ? letter.replace(/[^\w]/, "\\$&")
    : `[${letter.toLowerCase()}${letter.toUpperCase()}]`;

const titleOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const aliasesOf = (property: Json | undefined): readonly string[] =>
  isObject(property ?? null) ? stringsIn(own(property as JsonObject, "x-aliases")) : [];

const stringsIn = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? (value as readonly Json[]).filter((each) => typeof each === "string") : [];
