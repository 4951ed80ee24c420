import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { stepsOf } from "../../src/ir/walk.ts";
import type { Program } from "../../src/ir/workflow.ts";
import { isObject, type Json, type JsonObject, own } from "../../src/json.ts";
import type { CaseDefinition, EquivalenceCase } from "./case.ts";

/** Returns the kinds of steps in a program. */
export const stepKinds = ({ workflows }: Program): readonly string[] => [
  ...new Set(workflows.flatMap((workflow) => stepsOf(workflow).map(({ kind }) => kind))),
];

/** Reads the JSON Schema of a language. */
export const schemaOf = (language: string): JsonObject =>
  JSON.parse(
    readFileSync(new URL(`../../src/languages/${language}/definition.schema.json`, import.meta.url), "utf8"),
  ) as JsonObject;

/** Lists the fields of a schema, such as `action.timeout`. */
export function fieldsOf(schema: JsonObject): readonly string[] {
  const definitions = Object.values((schema["$defs"] ?? {}) as JsonObject) as readonly JsonObject[];
  return [schema, ...definitions].flatMap((definition) =>
    Object.keys((definition["properties"] ?? {}) as JsonObject).map((name) => `${String(definition["title"])}.${name}`),
  );
}

/** Lists the schema fields that the definitions of a case use. */
export function fieldsIn({ definitions }: EquivalenceCase, schema: JsonObject): readonly string[] {
  const found = new Set<string>();
  for (const definition of definitions) visit(dataOf(definition), schema, schema, found);
  return [...found];
}

function dataOf(definition: CaseDefinition): Json {
  if (typeof definition !== "string") return definition;
  try {
    return parse(definition, { logLevel: "silent", maxAliasCount: 100 }) as Json;
  } catch {
    return null;
  }
}

function visit(value: Json, part: JsonObject, schema: JsonObject, found: Set<string>): void {
  for (const type of resolve(part, value, schema)) {
    const { items, additionalProperties: others } = type;
    if (Array.isArray(value)) {
      if (isObject(items)) for (const item of value as readonly Json[]) visit(item, items, schema, found);
    } else if (isObject(value)) {
      for (const [name, item] of Object.entries(value)) {
        const property = own((type["properties"] ?? {}) as JsonObject, name);
        if (property !== undefined) found.add(`${String(type["title"])}.${name}`);
        const inner = property ?? others;
        if (isObject(inner)) visit(item, inner, schema, found);
      }
    }
  }
}

/** Resolves references and unions. A union is narrowed by its discriminator if it has one. */
function resolve(part: JsonObject, value: Json, schema: JsonObject): readonly JsonObject[] {
  const reference = part["$ref"];
  if (typeof reference === "string") {
    const name = reference.slice("#/$defs/".length);
    return resolve(own((schema["$defs"] ?? {}) as JsonObject, name) as JsonObject, value, schema);
  }
  const kinds = part["oneOf"] ?? part["anyOf"];
  if (!Array.isArray(kinds)) return [part];
  const resolvedKinds = kinds.flatMap((kind: JsonObject) => resolve(kind, value, schema));
  const tag = isObject(part["discriminator"]) ? String(part["discriminator"]["propertyName"]) : undefined;
  if (tag === undefined || !isObject(value))
    return isObject(part["properties"]) ? [part, ...resolvedKinds] : resolvedKinds;
  const isKind = (kind: JsonObject) => {
    const property = own((kind["properties"] ?? {}) as JsonObject, tag);
    return isObject(property) && property["const"] === own(value, tag);
  };
  return resolvedKinds.filter(isKind).slice(0, 1);
}
