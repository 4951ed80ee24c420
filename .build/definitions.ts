import { isObject, type Json, type JsonObject, own } from "../src/json.ts";
import type { PayloadTable, PayloadTables } from "../src/languages/shared/payload.ts";
import type { SpellingTable, SpellingTables } from "../src/languages/shared/spelling.ts";

/**
 * The types of a language's definitions, and how their words may be spelled, as a module of TypeScript: an interface for each schema that has
 * a title, named after that, its descriptions as comments.
 *
 *   { "title": "start definition", "description": "Makes a state the first one.", "properties": { "kind": { "enum": ["default"] } } }
 *     → /** Makes a state the first one. *\/ export interface StartDefinition { readonly kind?: "default"; }
 *
 * Annotations say what else is read: `x-aliases` on a property its other names, `x-fold: true` that its words stand in any case, `x-words` the
 * other words for some of them, and `x-fold-keys: true` on an object that the names of its properties stand in any case. What is not read has its remedy in
 * `x-meant`, the word or the property for one that others use, and in `x-remedies`, what to do about a property. `x-sent: true` marks the texts that a step sends.
 */
export function definitionsModule(schema: JsonObject, path: string): string {
  const named = [["", schema] as const, ...Object.entries(partsOf(schema, "$defs"))].filter(([, part]) =>
    isNamed(part),
  );
  const types = named.map(([, part]) => declaration(part, schema));
  const twice = duplicate(named.map(([, part]) => typeName(part)));
  if (twice !== undefined) throw new Error(`${path} has two parts whose type would be ${twice}.`);
  const words = JSON.stringify(spellingTables(schema), undefined, 2);
  const sent = sentTables(schema);
  const isSending = Object.keys(sent).length > 0;
  const json = ["Json", "JsonObject"].filter((name) => new RegExp(`\\b${name}\\b`).test(types.join("")));
  return [
    `// Made from ${path} by \`npm run generate\`; do not edit.\n`,
    ...(json.length > 0 ? [`import type { ${json.join(", ")} } from "../json.ts";`] : []),
    ...(isSending ? [`import type { PayloadTables } from "../languages/shared/payload.ts";`] : []),
    `import type { SpellingTables } from "../languages/shared/spelling.ts";\n`,
    ...types,
    "/** How definitions may be spelled, by the schema's part; `workflow` is the whole. */",
    `export const spelling: SpellingTables = ${words};\n`,
    ...(isSending
      ? [
          "/** What steps send, by the schema's part. */",
          `export const sent: PayloadTables = ${JSON.stringify(sent, undefined, 2)};\n`,
        ]
      : []),
  ].join("\n");
}

/** How each part of a schema may be spelled that has anything to fold, in itself or in its parts. */
export function spellingTables(schema: JsonObject): SpellingTables {
  if (Object.hasOwn(partsOf(schema, "$defs"), "workflow"))
    throw new Error("`workflow` is the whole schema, and no part.");
  const tables: { [part: string]: SpellingTable } = { workflow: tableOf(schema, schema) };
  for (const [name, part] of Object.entries(partsOf(schema, "$defs"))) tables[name] = tableOf(part, schema);
  const telling = new Set<string>();
  for (let size = -1; size < telling.size; ) {
    size = telling.size;
    for (const [name, table] of Object.entries(tables))
      if (isTelling(table) || innerOf(table).some((inner) => telling.has(inner))) telling.add(name);
  }
  return Object.fromEntries(
    Object.entries(tables)
      .filter(([name]) => name === "workflow" || telling.has(name))
      .map(([name, table]) => [name, without(table, telling)]),
  );
}

function tableOf(part: JsonObject, schema: JsonObject): SpellingTable {
  const tag = tagOf(part);
  if (tag !== undefined) return taggedTable(part, tag, schema);
  const properties = Object.entries(partsOf(part, "properties"));
  const aliases = properties.flatMap(([name, property]) =>
    textsOf(own(property, "x-aliases")).map((alias) => [alias, name] as const),
  );
  const words = properties.flatMap(([name, property]) => {
    const found = foldedWords(resolved(property, schema));
    return Object.keys(found).length > 0 ? [[name, found] as const] : [];
  });
  const parts = properties.flatMap(([name, property]) => {
    const inner = referenceOf(property) ?? referenceOf(own(property, "items"));
    return inner === undefined ? [] : [[name, inner] as const];
  });
  const members = referenceOf(own(part, "additionalProperties"));
  return {
    ...(own(part, "x-fold-keys") === true ? { names: properties.map(([name]) => name) } : {}),
    ...some("aliases", aliases),
    ...some("words", words),
    ...some("parts", parts),
    ...(members === undefined ? {} : { members }),
  };
}

const some = <T>(key: string, entries: readonly (readonly [string, T])[]) =>
  entries.length > 0 ? { [key]: Object.fromEntries(entries) } : {};

/** A union: its variants, and for what is none of them the words and the parts that any of them has. */
function taggedTable(part: JsonObject, tag: string, schema: JsonObject): SpellingTable {
  const variants = variantsOf(part).map((name) => [name, own(partsOf(schema, "$defs"), name)!] as const);
  const tables = variants.map(([, variant]) => tableOf(variant, schema));
  const wordOf = (variant: JsonObject): string => String(own(partsOf(variant, "properties")[tag] ?? {}, "const"));
  return {
    ...(tables.some(({ names }) => names) ? { names: [tag] } : {}),
    tag,
    variants: Object.fromEntries(variants.map(([name, variant]) => [wordOf(variant), name])),
    words: {
      ...Object.assign({}, ...tables.map(({ words }) => words)),
      [tag]: Object.assign({}, ...tables.map(({ words = {} }) => own(words, tag))),
    },
    parts: Object.assign({}, ...tables.map(({ parts }) => parts)),
  };
}

/** What may be written, in lower case, for each word of a property that folds them. */
function foldedWords(property: JsonObject): { readonly [written: string]: string } {
  const constant = own(property, "const");
  const words = textsOf(own(property, "enum") ?? (constant === undefined ? [] : [constant]));
  const folded = own(property, "x-fold") === true ? words.map((word) => [word.toLowerCase(), word] as const) : [];
  return { ...Object.fromEntries(folded), ...(own(property, "x-words") as { readonly [word: string]: string }) };
}

const isTelling = ({ names, aliases, words }: SpellingTable): boolean =>
  [names, aliases, words].some((part) => part !== undefined && Object.keys(part).length > 0);

const innerOf = ({ parts = {}, variants = {}, members }: SpellingTable): readonly string[] => [
  ...(members === undefined ? [] : [members]),
  ...Object.values(parts),
  ...Object.values(variants),
];

/** The table without the parts in which nothing is folded. */
function without(table: SpellingTable, telling: ReadonlySet<string>): SpellingTable {
  const kept = Object.entries(table.parts ?? {}).filter(([, part]) => telling.has(part));
  const { parts: _, members, ...rest } = table;
  return { ...rest, ...some("parts", kept), ...(members && telling.has(members) ? { members } : {}) };
}

/** What of each part of a schema is marked as sent, in itself or in its parts. */
export function sentTables(schema: JsonObject): PayloadTables {
  const parts = Object.entries(partsOf(schema, "$defs"));
  const tables = new Map(parts.map(([name, part]) => [name, sentTable(part)] as const));
  const sending = new Set<string>();
  for (let size = -1; size < sending.size; ) {
    size = sending.size;
    for (const [name, { texts, all, parts: inner = {} }] of tables)
      if (texts || all || Object.values(inner).some((each) => sending.has(each))) sending.add(name);
  }
  const kept = [...tables].filter(([name]) => sending.has(name));
  return Object.fromEntries(kept.map(([name, table]) => [name, sendingOnly(table, sending)]));
}

function sentTable(part: JsonObject): PayloadTable {
  const properties = Object.entries(partsOf(part, "properties"));
  const isSent = (each: Json | undefined): boolean =>
    isObject(each ?? null) && own(each as JsonObject, "x-sent") === true;
  const texts = properties.filter(([, each]) => isSent(each) || isSent(own(each, "items"))).map(([name]) => name);
  const inner = properties.flatMap(([name, each]) => {
    const reference = referenceOf(each) ?? referenceOf(own(each, "items"));
    return reference === undefined ? [] : [[name, reference] as const];
  });
  return {
    ...(texts.length > 0 ? { texts } : {}),
    ...(isSent(part) || isSent(own(part, "additionalProperties")) ? { all: true } : {}),
    ...some("parts", inner),
  };
}

function sendingOnly({ parts = {}, ...rest }: PayloadTable, sending: ReadonlySet<string>): PayloadTable {
  return {
    ...rest,
    ...some(
      "parts",
      Object.entries(parts).filter(([, part]) => sending.has(part)),
    ),
  };
}

function declaration(part: JsonObject, schema: JsonObject): string {
  const name = typeName(part);
  const head = comment(part, "");
  const shape = typeOf(part, schema, "");
  return shape.startsWith("{")
    ? `${head}export interface ${name} ${shape}\n`
    : `${head}export type ${name} =${spaced(shape)};\n`;
}

/** The type of a property or of a whole part. What has a title elsewhere is called by its name. */
function typeOf(part: JsonObject, schema: JsonObject, indent: string): string {
  const reference = referenceOf(part);
  if (reference !== undefined) {
    const target = own(partsOf(schema, "$defs"), reference);
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
  const types = textsOf(own(part, "type"));
  if (types.length === 0) return "Json";
  return [...new Set(types.map((type) => plainType(type, part, schema, indent)))].join(" | ");
}

/** One of several types; on lines of their own where there are many. */
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

/** An object: its properties where it lists them, else what all its properties are. */
function objectType(part: JsonObject, schema: JsonObject, indent: string): string {
  const properties = Object.entries(partsOf(part, "properties"));
  const others = own(part, "additionalProperties");
  if (properties.length === 0 && isObject(others))
    return `{ readonly [name: string]: ${typeOf(others, schema, indent)} }`;
  if (properties.length === 0) return "JsonObject";
  const required = new Set(textsOf(own(part, "required")));
  const inner = `${indent}  `;
  const lines = properties.map(([name, property]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${comment(property, inner)}${inner}readonly ${key}${required.has(name) ? "" : "?"}:${spaced(typeOf(property, schema, inner))};\n`;
  });
  return `{\n${lines.join("")}${indent}}`;
}

/** A type behind what it belongs to. */
const spaced = (type: string): string => (type.startsWith("\n") ? type : ` ${type}`);

function comment(part: JsonObject, indent: string): string {
  const text = own(part, "description");
  return typeof text === "string" ? `${indent}/** ${text.replaceAll("*/", "*\\/")} */\n` : "";
}

/** The name of the type for a schema with a title: `start definition` → `StartDefinition`. */
const typeName = (part: JsonObject): string =>
  String(own(part, "title")).replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const isNamed = (part: JsonObject): boolean => typeof own(part, "title") === "string";

/** The schemas under a key, such as the properties of an object. */
const partsOf = (part: JsonObject, key: string): { readonly [name: string]: JsonObject } =>
  (own(part, key) ?? {}) as { readonly [name: string]: JsonObject };

/** The name of the part that a schema refers to. */
function referenceOf(part: Json | undefined): string | undefined {
  const reference = isObject(part) ? own(part, "$ref") : undefined;
  return typeof reference === "string" ? reference.replace(/^#\/\$defs\//, "") : undefined;
}

/** A property, or the part that it refers to. */
function resolved(property: JsonObject, schema: JsonObject): JsonObject {
  const reference = referenceOf(property);
  return reference === undefined ? property : { ...own(partsOf(schema, "$defs"), reference)!, ...property };
}

/** The property that tells the variants of a union apart. */
function tagOf(part: JsonObject): string | undefined {
  const discriminator = own(part, "discriminator");
  return isObject(discriminator) ? String(own(discriminator, "propertyName")) : undefined;
}

const variantsOf = (part: JsonObject): readonly string[] =>
  ((own(part, "oneOf") ?? []) as readonly JsonObject[]).flatMap((variant) => referenceOf(variant) ?? []);

/** The texts in a value that is one or a list of them. */
const textsOf = (value: Json | undefined): readonly string[] =>
  (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === "string");

const duplicate = (names: readonly string[]): string | undefined => names.find((name, i) => names.indexOf(name) !== i);
