import { isObject, type Json, type JsonObject, own } from "../src/json.ts";
import type { PayloadTable, PayloadTables } from "../src/languages/shared/payload.ts";
import type { SpellingTable, SpellingTables } from "../src/languages/shared/spelling.ts";

/**
 * Generates a TypeScript module for a language's schema: an interface for each titled schema with descriptions as
 * comments, and tables of accepted spellings.
 *
 *   { "title": "start definition", "description": "Makes a state the first one.", "properties": { "kind": { "enum": ["default"] } } }
 *     → /** Makes a state the first one. *\/ export interface StartDefinition { readonly kind?: "default"; }
 *
 * Annotations: `x-aliases` are other names of a property; `x-words` are other spellings of values; `x-fold` and
 * `x-fold-keys` make values and property names case-insensitive; `x-meant` and `x-remedies` are hints for unsupported
 * words and properties; `x-interpolated` marks strings with interpolations; `x-empty` marks objects that may be omitted
 * after their key; `x-short` names the member that a string is short for, or is empty if `true` is short for an empty
 * object; `x-seconds` has the limits of strings such as `2s`.
 */
export function definitionsModule(schema: JsonObject, path: string): string {
  const named = [["", schema] as const, ...Object.entries(schemasIn(schema, "$defs"))].filter(([, part]) =>
    isNamed(part),
  );
  const types = named.map(([, part]) => declaration(part, schema));
  const twice = duplicate(named.map(([, part]) => typeName(part)));
  if (twice !== undefined) throw new Error(`${path} has two parts with type ${twice}.`);
  const words = JSON.stringify(spellingTables(schema), undefined, 2);
  const interpolated = interpolationTables(schema);
  const hasInterpolations = Object.keys(interpolated).length > 0;
  const json = ["Json", "JsonObject"].filter((name) => new RegExp(`\\b${name}\\b`).test(types.join("")));
  return [
    `// Generated from ${path} by \`npm run generate\`; do not edit.\n`,
    ...(json.length > 0 ? [`import type { ${json.join(", ")} } from "../json.ts";`] : []),
    ...(hasInterpolations ? [`import type { PayloadTables } from "../languages/shared/payload.ts";`] : []),
    `import type { SpellingTables } from "../languages/shared/spelling.ts";\n`,
    ...types,
    "/** Accepted spellings by part of the schema; `workflow` is the whole. */",
    `export const spelling: SpellingTables = ${words};\n`,
    ...(hasInterpolations
      ? [
          "/** The strings with interpolations, by part of the schema. */",
          `export const interpolated: PayloadTables = ${JSON.stringify(interpolated, undefined, 2)};\n`,
        ]
      : []),
  ].join("\n");
}

/** The spellings of each part that has any, even in nested parts. */
export function spellingTables(schema: JsonObject): SpellingTables {
  if (Object.hasOwn(schemasIn(schema, "$defs"), "workflow"))
    throw new Error("`workflow` is reserved for the whole schema.");
  const tables: { [part: string]: SpellingTable } = { workflow: spellingTable(schema, schema) };
  for (const [name, part] of Object.entries(schemasIn(schema, "$defs"))) tables[name] = spellingTable(part, schema);
  const telling = new Set<string>();
  for (let size = -1; size < telling.size; ) {
    size = telling.size;
    for (const [name, table] of Object.entries(tables))
      if (hasSpellings(table) || referencedParts(table).some((inner) => telling.has(inner))) telling.add(name);
  }
  return Object.fromEntries(
    Object.entries(tables)
      .filter(([name]) => name === "workflow" || telling.has(name))
      .map(([name, table]) => [name, withoutEmptyParts(table, telling)]),
  );
}

function spellingTable(part: JsonObject, schema: JsonObject): SpellingTable {
  const tag = tagOf(part);
  if (tag !== undefined) return taggedTable(part, tag, schema);
  const properties = Object.entries(schemasIn(part, "properties"));
  const aliases = properties.flatMap(([name, property]) =>
    stringsIn(own(property, "x-aliases")).map((alias) => [alias, name] as const),
  );
  const words = properties.flatMap(([name, property]) => {
    const found = wordSpellings(resolveReference(property, schema));
    return Object.keys(found).length > 0 ? [[name, found] as const] : [];
  });
  const parts = properties.flatMap(([name, property]) => {
    const inner = referenceOf(property) ?? referenceOf(own(property, "items"));
    return inner === undefined ? [] : [[name, inner] as const];
  });
  const members = referenceOf(own(part, "additionalProperties"));
  const empties = properties.filter(([, property]) => own(property, "x-empty") === true).map(([name]) => name);
  const shorts = properties.flatMap(([name, property]) => {
    const short = own(resolveReference(property, schema), "x-short");
    return typeof short === "string" ? [[name, short] as const] : [];
  });
  return {
    ...(own(part, "x-fold-keys") === true ? { names: properties.map(([name]) => name) } : {}),
    ...optionalEntries("aliases", aliases),
    ...optionalEntries("words", words),
    ...optionalEntries("parts", parts),
    ...(members === undefined ? {} : { members }),
    ...(empties.length > 0 ? { empties } : {}),
    ...optionalEntries("shorts", shorts),
  };
}

const optionalEntries = <T>(key: string, entries: readonly (readonly [string, T])[]) =>
  entries.length > 0 ? { [key]: Object.fromEntries(entries) } : {};

/** Unknown variants have the words and parts of all variants. */
function taggedTable(part: JsonObject, tag: string, schema: JsonObject): SpellingTable {
  const variants = variantsOf(part).map((name) => [name, own(schemasIn(schema, "$defs"), name)!] as const);
  const tables = variants.map(([, variant]) => spellingTable(variant, schema));
  const wordOf = (variant: JsonObject): string => String(own(schemasIn(variant, "properties")[tag] ?? {}, "const"));
  return {
    ...(tables.some(({ names }) => names) ? { names: [tag] } : {}),
    tag,
    variants: Object.fromEntries(variants.map(([name, variant]) => [wordOf(variant), name])),
    words: {
      ...Object.assign({}, ...tables.map(({ words }) => words)),
      [tag]: Object.assign({}, ...tables.map(({ words = {} }) => own(words, tag))),
    },
    parts: Object.assign({}, ...tables.map(({ parts }) => parts)),
    ...optionalEntries("shorts", Object.entries(Object.assign({}, ...tables.map(({ shorts }) => shorts)) as object)),
  };
}

/** In lower case. */
function wordSpellings(property: JsonObject): { readonly [written: string]: string } {
  const constant = own(property, "const");
  const words = stringsIn(own(property, "enum") ?? (constant === undefined ? [] : [constant]));
  const folded = own(property, "x-fold") === true ? words.map((word) => [word.toLowerCase(), word] as const) : [];
  return { ...Object.fromEntries(folded), ...(own(property, "x-words") as { readonly [word: string]: string }) };
}

const hasSpellings = ({ names, aliases, words, empties, shorts }: SpellingTable): boolean =>
  [names, aliases, words, empties, shorts].some((part) => part !== undefined && Object.keys(part).length > 0);

const referencedParts = ({ parts = {}, variants = {}, members }: SpellingTable): readonly string[] => [
  ...(members === undefined ? [] : [members]),
  ...Object.values(parts),
  ...Object.values(variants),
];

function withoutEmptyParts(table: SpellingTable, telling: ReadonlySet<string>): SpellingTable {
  const kept = Object.entries(table.parts ?? {}).filter(([, part]) => telling.has(part));
  const { parts: _, members, ...rest } = table;
  return { ...rest, ...optionalEntries("parts", kept), ...(members && telling.has(members) ? { members } : {}) };
}

/** The strings of each part that have interpolations, even in nested parts. */
export function interpolationTables(schema: JsonObject): PayloadTables {
  const parts = Object.entries(schemasIn(schema, "$defs"));
  const tables = new Map(parts.map(([name, part]) => [name, interpolationTable(part)] as const));
  const telling = new Set<string>();
  for (let size = -1; size < telling.size; ) {
    size = telling.size;
    for (const [name, { interpolated, all, members, parts: inner = {} }] of tables)
      if (interpolated || all || [members ?? "", ...Object.values(inner)].some((each) => telling.has(each)))
        telling.add(name);
  }
  const kept = [...tables].filter(([name]) => telling.has(name));
  return Object.fromEntries(kept.map(([name, table]) => [name, withInterpolations(table, telling)]));
}

function interpolationTable(part: JsonObject): PayloadTable {
  const properties = Object.entries(schemasIn(part, "properties"));
  const isInterpolated = (each: Json | undefined): boolean =>
    isObject(each ?? null) && own(each as JsonObject, "x-interpolated") === true;
  const interpolated = properties
    .filter(([, each]) => isInterpolated(each) || isInterpolated(own(each, "items")))
    .map(([name]) => name);
  const inner = properties.flatMap(([name, each]) => {
    const reference = referenceOf(each) ?? referenceOf(own(each, "items"));
    return reference === undefined ? [] : [[name, reference] as const];
  });
  const members = referenceOf(own(part, "additionalProperties"));
  return {
    ...(interpolated.length > 0 ? { interpolated } : {}),
    ...(isInterpolated(own(part, "additionalProperties")) ? { all: true } : {}),
    ...optionalEntries("parts", inner),
    ...(members === undefined ? {} : { members }),
  };
}

function withInterpolations(
  { parts = {}, members, ...rest }: PayloadTable,
  telling: ReadonlySet<string>,
): PayloadTable {
  return {
    ...rest,
    ...optionalEntries(
      "parts",
      Object.entries(parts).filter(([, part]) => telling.has(part)),
    ),
    ...(members !== undefined && telling.has(members) ? { members } : {}),
  };
}

function declaration(part: JsonObject, schema: JsonObject): string {
  const name = typeName(part);
  const head = comment(part, "");
  const shape = typeOf(part, schema, "");
  return shape.startsWith("{")
    ? `${head}export interface ${name} ${shape}\n`
    : `${head}export type ${name} =${prependSpace(shape)};\n`;
}

/** Titled schemas are referred to by name. */
function typeOf(part: JsonObject, schema: JsonObject, indent: string): string {
  const reference = referenceOf(part);
  if (reference !== undefined) {
    const target = own(schemasIn(schema, "$defs"), reference);
    if (!target) throw new Error(`There is no part ${reference} in the schema.`);
    return isNamed(target) ? typeName(target) : typeOf(target, schema, indent);
  }
  const variants = own(part, "properties") ? undefined : (own(part, "oneOf") ?? own(part, "anyOf"));
  if (Array.isArray(variants))
    return union(
      variants.map((each: Json) => typeOf(each as JsonObject, schema, indent)),
      indent,
    );
  const constant = own(part, "const");
  if (constant !== undefined) return JSON.stringify(constant);
  const words = own(part, "enum");
  if (Array.isArray(words))
    return union(
      words.map((word: Json) => JSON.stringify(word)),
      indent,
    );
  const types = stringsIn(own(part, "type"));
  if (types.length === 0) return "Json";
  return [...new Set(types.map((type) => plainType(type, part, schema, indent)))].join(" | ");
}

function union(types: readonly string[], indent: string): string {
  const line = types.join(" | ");
  return line.length <= 90 ? line : `\n${types.map((type) => `${indent}  | ${type}`).join("\n")}`;
}

function plainType(type: string, part: JsonObject, schema: JsonObject, indent: string): string {
  switch (type) {
    case "string":
    case "number":
    case "boolean":
    case "null":
      return type;
    case "integer":
      return "number";
    case "array": {
      const item = typeOf((own(part, "items") ?? {}) as JsonObject, schema, indent);
      return /[ |]/.test(item) ? `readonly (${item})[]` : `readonly ${item}[]`;
    }
    case "object":
      return objectType(part, schema, indent);
    default:
      throw new Error(`The schema has a type ${type}.`);
  }
}

function objectType(part: JsonObject, schema: JsonObject, indent: string): string {
  const properties = Object.entries(schemasIn(part, "properties"));
  const others = own(part, "additionalProperties");
  if (properties.length === 0 && isObject(others))
    return `{ readonly [name: string]: ${typeOf(others, schema, indent)} }`;
  if (properties.length === 0) return "JsonObject";
  const required = new Set(stringsIn(own(part, "required")));
  const inner = `${indent}  `;
  const lines = properties.map(([name, property]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${comment(property, inner)}${inner}readonly ${key}${required.has(name) ? "" : "?"}:${prependSpace(typeOf(property, schema, inner))};\n`;
  });
  return `{\n${lines.join("")}${indent}}`;
}

const prependSpace = (type: string): string => (type.startsWith("\n") ? type : ` ${type}`);

function comment(part: JsonObject, indent: string): string {
  const text = own(part, "description");
  return typeof text === "string" ? `${indent}/** ${text.replaceAll("*/", "*\\/")} */\n` : "";
}

/** `start definition` → `StartDefinition` */
const typeName = (part: JsonObject): string =>
  String(own(part, "title")).replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const isNamed = (part: JsonObject): boolean => typeof own(part, "title") === "string";

const schemasIn = (part: JsonObject, key: string): { readonly [name: string]: JsonObject } =>
  (own(part, key) ?? {}) as { readonly [name: string]: JsonObject };

function referenceOf(part: Json | undefined): string | undefined {
  const reference = isObject(part) ? own(part, "$ref") : undefined;
  return typeof reference === "string" ? reference.replace(/^#\/\$defs\//, "") : undefined;
}

function resolveReference(property: JsonObject, schema: JsonObject): JsonObject {
  const reference = referenceOf(property);
  return reference === undefined ? property : { ...own(schemasIn(schema, "$defs"), reference)!, ...property };
}

function tagOf(part: JsonObject): string | undefined {
  const discriminator = own(part, "discriminator");
  return isObject(discriminator) ? String(own(discriminator, "propertyName")) : undefined;
}

const variantsOf = (part: JsonObject): readonly string[] =>
  ((own(part, "oneOf") ?? []) as readonly JsonObject[]).flatMap((variant) => referenceOf(variant) ?? []);

const stringsIn = (value: Json | undefined): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === "string");

const duplicate = (names: readonly string[]): string | undefined => names.find((name, i) => names.indexOf(name) !== i);
