import type { Document } from "../documents/index.ts";
import { isObject, type Json, type JsonObject, own, setOwn } from "../json.ts";
import type { Span } from "../text/source.ts";
import { findPart, fragmentOf, hasSiblings, isSchema, type ReferenceContext } from "./schema.ts";

/**
 * The rules of a JSON Schema in the form that `schemaViolation` interprets: an array of schemas, whose first is
 * the schema itself. `$ref` is an index, types are arrays, and what does not restrict values is absent. Keywords of
 * drafts 7, 2019-09 and 2020-12 count in each; `format` does not, as 2020-12 has it by default.
 */
export type SchemaRules = readonly Json[];

/** Why a schema cannot be enforced. */
export interface UnenforceableSchema {
  readonly reason: string;
  readonly span: Span;
}

/** Converts a schema to its rules; undefined if a reference in it leads nowhere, which `typeOfSchema` reports. */
export function schemaRules(document: Document, fragment: string): SchemaRules | UnenforceableSchema | undefined {
  const context: RulesContext = { document, anchors: undefined, indexes: new Map(), waiting: [], parts: 0 };
  const root = findPart(fragment, context);
  if (root === undefined || root === "elsewhere") return undefined;
  const rules: Json[] = [];
  try {
    indexOf(root, context);
    for (const part of context.waiting) rules.push(rulesOf(part, 0, context));
  } catch (error) {
    if (error instanceof Unenforceable)
      return error.reason === "" ? undefined : { reason: error.reason, span: error.span };
    throw error;
  }
  return rules;
}

/** Whether a schema has rules. */
export const hasRules = (found: SchemaRules | UnenforceableSchema | undefined): found is SchemaRules =>
  Array.isArray(found);

interface RulesContext extends ReferenceContext {
  readonly indexes: Map<Json, number>;
  readonly waiting: Json[];
  parts: number;
}

class Unenforceable extends Error {
  readonly reason: string;
  readonly span: Span;

  constructor(reason: string, span: Span) {
    super(reason);
    this.reason = reason;
    this.span = span;
  }
}

const maxRules = 5_000;

const maxDepth = 200;

function indexOf(schema: JsonObject | boolean, context: RulesContext): number {
  const known = context.indexes.get(schema);
  if (known !== undefined) return known;
  context.indexes.set(schema, context.waiting.length);
  context.waiting.push(schema);
  return context.waiting.length - 1;
}

function rulesOf(schema: Json, depth: number, context: RulesContext): Json {
  if (!isObject(schema)) return schema;
  context.parts += 1;
  if (context.parts > maxRules || depth > maxDepth) throw new Unenforceable("it is too large", context.document.start);
  const rules: { [keyword: string]: Json } = {};
  /** Keywords that mean the same as others, such as `const` and `enum`, next to them. */
  const parts: Json[] = [];
  const reader: KeywordReader = { schema, depth, context };
  const isReference = own(schema, "$ref") !== undefined && !hasSiblings(context);
  for (const keyword of Object.keys(schema)) {
    const read = keywords.get(keyword);
    if (!read || (isReference && keyword !== "$ref")) continue;
    for (const [name, value] of Object.entries(read(schema[keyword]!, keyword, reader)))
      if (name === "allOf") parts.push(...(value as readonly Json[]));
      else if (rules[name] === undefined) rules[name] = value;
      else parts.push({ [name]: value });
  }
  if (parts.length > 0) rules["allOf"] = parts;
  return rules;
}

interface KeywordReader {
  readonly schema: JsonObject;
  readonly depth: number;
  readonly context: RulesContext;
}

type ReadKeyword = (value: Json, keyword: string, reader: KeywordReader) => JsonObject;

function fail(keyword: string, problem: string, { schema, context }: KeywordReader): never {
  throw new Unenforceable(`\`${keyword}\` ${problem}`, context.document.spanOf(schema, keyword, "key"));
}

function part(value: Json | undefined, keyword: string, reader: KeywordReader): Json {
  if (!isSchema(value)) return fail(keyword, "has to be a schema", reader);
  if (isObject(value) && typeof own(value, "$id") === "string" && !String(own(value, "$id")).startsWith("#"))
    return fail(keyword, "contains a schema with an `$id` of its own", reader);
  return rulesOf(value, reader.depth + 1, reader.context);
}

const schemaKeyword: ReadKeyword = (value, keyword, reader) => ({ [keyword]: part(value, keyword, reader) });

const schemasKeyword: ReadKeyword = (value, keyword, reader) => {
  if (!Array.isArray(value)) return fail(keyword, "has to be an array of schemas", reader);
  const parts = (value as readonly Json[]).map((each) => part(each, keyword, reader));
  return parts.length === 0 ? {} : { [keyword]: parts };
};

const membersKeyword: ReadKeyword = (value, keyword, reader) => {
  if (!isObject(value)) return fail(keyword, "has to be an object of schemas", reader);
  const members: { [name: string]: Json } = {};
  for (const name of Object.keys(value)) setOwn(members, name, part(value[name], keyword, reader));
  return { [keyword]: members };
};

const numberKeyword: ReadKeyword = (value, keyword, reader) =>
  typeof value === "number" && (keyword !== "multipleOf" || value > 0)
    ? { [keyword]: value }
    : fail(keyword, keyword === "multipleOf" ? "has to be a number above 0" : "has to be a number", reader);

const namesKeyword: ReadKeyword = (value, keyword, reader) =>
  isNames(value) ? { [keyword]: value } : fail(keyword, "has to be an array of strings", reader);

const isNames = (value: Json): value is readonly string[] =>
  Array.isArray(value) && (value as readonly Json[]).every((each) => typeof each === "string");

const typeNames: readonly Json[] = ["null", "boolean", "number", "integer", "string", "array", "object"];

const readType: ReadKeyword = (value, keyword, reader) => {
  const names = Array.isArray(value) ? (value as readonly Json[]) : [value];
  return names.length > 0 && names.every((each) => typeNames.includes(each))
    ? { type: names }
    : fail(keyword, "names no type of JSON", reader);
};

const readReference: ReadKeyword = (value, keyword, reader) => {
  const fragment = typeof value === "string" ? fragmentOf(value, reader.context) : undefined;
  if (fragment === undefined) return fail(keyword, "refers to another document", reader);
  const found = findPart(fragment, reader.context);
  if (found === "elsewhere") return fail(keyword, "refers to a schema with an `$id` of its own", reader);
  if (found === undefined) throw new Unenforceable("", reader.context.document.start);
  return { $ref: indexOf(found, reader.context) };
};

const readPattern: ReadKeyword = (value, keyword, reader) => {
  if (typeof value !== "string") return fail(keyword, "has to be a string", reader);
  return isPattern(value) ? { pattern: value } : fail(keyword, "is not a regular expression", reader);
};

const maxPatternLength = 10_000;

function isPattern(source: string): boolean {
  try {
    return source.length <= maxPatternLength && new RegExp(source, "u") !== undefined;
  } catch {
    return false;
  }
}

const readPatternProperties: ReadKeyword = (value, keyword, reader) =>
  isObject(value) && !Object.keys(value).every(isPattern)
    ? fail(keyword, "has a name that is not a regular expression", reader)
    : membersKeyword(value, keyword, reader);

/** In `items`, an array means what `prefixItems` does. */
const readItems: ReadKeyword = (value, keyword, reader) =>
  Array.isArray(value)
    ? { prefixItems: schemasKeyword(value, "prefixItems", reader)["prefixItems"] ?? [] }
    : schemaKeyword(value, keyword, reader);

const readAdditionalItems: ReadKeyword = (value, keyword, reader) =>
  Array.isArray(own(reader.schema, "items")) ? { items: part(value, keyword, reader) } : {};

/** Draft 7: schemas and arrays of names together. */
const readDependencies: ReadKeyword = (value, keyword, reader) => {
  if (!isObject(value)) return fail(keyword, "has to be an object", reader);
  const names: { [name: string]: Json } = {};
  const schemas: { [name: string]: Json } = {};
  for (const name of Object.keys(value)) {
    const each = value[name]!;
    if (isNames(each)) setOwn(names, name, each);
    else setOwn(schemas, name, part(each, keyword, reader));
  }
  return { dependentRequired: names, dependentSchemas: schemas };
};

const readDependentRequired: ReadKeyword = (value, keyword, reader) =>
  isObject(value) && Object.values(value).every(isNames)
    ? { dependentRequired: value }
    : fail(keyword, "has to be an object of arrays of strings", reader);

const applicators = ["allOf", "anyOf", "oneOf", "if", "$ref", "dependentSchemas", "dependencies"];

/** Without keywords that evaluate properties elsewhere, it means what `additionalProperties` does. */
const readUnevaluatedProperties: ReadKeyword = (value, keyword, reader) => {
  if (applicators.some((each) => own(reader.schema, each) !== undefined))
    return fail(keyword, "next to subschemas is not supported", reader);
  return own(reader.schema, "additionalProperties") === undefined
    ? { additionalProperties: part(value, keyword, reader) }
    : {};
};

const unsupported: ReadKeyword = (_, keyword, reader) => fail(keyword, "is not supported", reader);

const keywords: ReadonlyMap<string, ReadKeyword> = new Map<string, ReadKeyword>([
  ["$ref", readReference],
  ["$dynamicRef", unsupported],
  ["$recursiveRef", unsupported],
  ["type", readType],
  [
    "enum",
    (value, keyword, reader) => (Array.isArray(value) ? { enum: value } : fail(keyword, "has to be an array", reader)),
  ],
  ["const", (value) => ({ enum: [value] })],
  ...["allOf", "anyOf", "oneOf", "prefixItems"].map((each) => [each, schemasKeyword] as const),
  ...["not", "if", "then", "else", "additionalProperties", "propertyNames", "contains"].map(
    (each) => [each, schemaKeyword] as const,
  ),
  ["properties", membersKeyword],
  ["dependentSchemas", membersKeyword],
  ["patternProperties", readPatternProperties],
  ["required", namesKeyword],
  ["dependencies", readDependencies],
  ["dependentRequired", readDependentRequired],
  ["items", readItems],
  ["additionalItems", readAdditionalItems],
  ["pattern", readPattern],
  ["uniqueItems", (value) => (value === true ? { uniqueItems: true } : {})],
  ["unevaluatedProperties", readUnevaluatedProperties],
  ["unevaluatedItems", unsupported],
  ...["Length", "Items", "Properties", "Contains"]
    .flatMap((unit) => [`min${unit}`, `max${unit}`])
    .map((each) => [each, numberKeyword] as const),
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"].map(
    (each) => [each, numberKeyword] as const,
  ),
]);
