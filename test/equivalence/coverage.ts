import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { stepsOf } from "../../src/ir/walk.ts";
import { isObject, type Json, type JsonObject, own } from "../../src/json.ts";
import type { Program } from "../../src/program.ts";
import type { Case, Definition } from "./case.ts";

/** The kinds of steps in a program. */
export const stepKinds = ({ workflows }: Program): readonly string[] => [
  ...new Set(workflows.flatMap((workflow) => stepsOf(workflow).map(({ kind }) => kind))),
];

/** The schema of a language, as it stands in the folder `schema`. */
export const schemaOf = (language: string): JsonObject =>
  JSON.parse(
    readFileSync(new URL(`../../src/languages/${language}/definition.schema.json`, import.meta.url), "utf8"),
  ) as JsonObject;

/** All fields of a schema: `action.timeout`. */
export function fieldsOf(schema: JsonObject): readonly string[] {
  const definitions = Object.values((schema["$defs"] ?? {}) as JsonObject) as readonly JsonObject[];
  return [schema, ...definitions].flatMap((definition) =>
    Object.keys((definition["properties"] ?? {}) as JsonObject).map((name) => `${String(definition["title"])}.${name}`),
  );
}

/** The fields of a schema that the definitions of a case have. */
export function fieldsIn({ definitions }: Case, schema: JsonObject): readonly string[] {
  const found = new Set<string>();
  for (const definition of definitions) visit(dataOf(definition), schema, schema, found);
  return [...found];
}

/** What a definition says as data; a text that cannot be read says nothing. */
function dataOf(definition: Definition): Json {
  if (typeof definition !== "string") return definition;
  try {
    return parse(definition, { logLevel: "silent", maxAliasCount: 100 }) as Json;
  } catch {
    return null;
  }
}

function visit(value: Json, part: JsonObject, schema: JsonObject, found: Set<string>): void {
  const shape = resolved(part, value, schema);
  if (Array.isArray(value)) {
    const items = shape["items"];
    if (isObject(items)) for (const item of value as readonly Json[]) visit(item, items, schema, found);
  } else if (isObject(value)) {
    for (const [name, property] of Object.entries((shape["properties"] ?? {}) as JsonObject)) {
      const item = own(value, name);
      if (item === undefined) continue;
      found.add(`${String(shape["title"])}.${name}`);
      if (isObject(property)) visit(item, property, schema, found);
    }
  }
}

/** What a part of a schema says of a value, behind references and, where there are several kinds, for its kind. */
function resolved(part: JsonObject, value: Json, schema: JsonObject): JsonObject {
  const reference = part["$ref"];
  if (typeof reference === "string") {
    const name = reference.slice("#/$defs/".length);
    return resolved(own((schema["$defs"] ?? {}) as JsonObject, name) as JsonObject, value, schema);
  }
  const kinds = part["oneOf"];
  const tag = isObject(part["discriminator"]) ? String(part["discriminator"]["propertyName"]) : undefined;
  if (!Array.isArray(kinds) || tag === undefined || !isObject(value)) return part;
  const resolvedKinds = kinds.map((kind: JsonObject) => resolved(kind, value, schema));
  const isKind = (kind: JsonObject) =>
    own(own((kind["properties"] ?? {}) as JsonObject, tag) as JsonObject, "const") === own(value, tag);
  return resolvedKinds.find(isKind) ?? part;
}
