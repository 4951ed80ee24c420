import { isObject, type Json, type JsonObject, own } from "../json.ts";
import { objectOf, patternSchemas, resolveSchema, subschemas, tagsOf } from "../schema/check.ts";
import type { Span } from "../text/source.ts";
import type { AnalyzedDocument } from "./definition.ts";
import type { TreeNode } from "./tree.ts";

/** A key or index of each level from the root. */
export type DataPath = readonly (string | number)[];

/** A property that a schema allows. */
export interface PropertyOutline {
  readonly name: string;
  readonly schemas: readonly JsonObject[];
  readonly isRequired: boolean;
}

/** The schemas that may apply to the value at a path: alternatives are excluded only by their discriminator. */
export function schemasAt(root: Json, value: Json, path: DataPath): readonly JsonObject[] {
  let schemas = expand(root, [root], value);
  let current: Json | undefined = value;
  for (const key of path) {
    const inner: Json | undefined = memberOf(current, key);
    schemas = expand(
      root,
      schemas.flatMap((schema) => memberSchemas(schema, key)),
      inner ?? null,
    );
    current = inner;
  }
  return schemas;
}

function memberOf(value: Json | undefined, key: string | number): Json | undefined {
  if (Array.isArray(value)) return (value as readonly Json[])[Number(key)];
  return isObject(value) ? own(value, String(key)) : undefined;
}

function memberSchemas(schema: JsonObject, key: string | number): readonly Json[] {
  if (typeof key === "number") return [own(schema, "items")].filter((each) => each !== undefined);
  const named = [own(objectOf(schema, "properties"), key), ...patternSchemas(schema, key)];
  const found = named.filter((each) => each !== undefined);
  if (found.length > 0) return found;
  return [own(schema, "additionalProperties")].filter((each) => each !== undefined);
}

/** Follows references and alternatives to the schemas themselves. */
function expand(root: Json, schemas: readonly Json[], value: Json): readonly JsonObject[] {
  const found = new Set<JsonObject>();
  const visit = (given: Json): void => {
    const schema = resolveSchema(root, given);
    if (!isObject(schema) || found.has(schema)) return;
    found.add(schema);
    for (const each of subschemas(schema, "allOf")) visit(each);
    for (const keyword of ["then", "else"]) visit(own(schema, keyword) ?? null);
    for (const keyword of ["oneOf", "anyOf"]) for (const each of selected(root, schema, keyword, value)) visit(each);
  };
  for (const each of schemas) visit(each);
  return [...found];
}

function selected(root: Json, schema: JsonObject, keyword: string, value: Json): readonly Json[] {
  const all = subschemas(schema, keyword);
  const tag = own(objectOf(schema, "discriminator"), "propertyName");
  const written = typeof tag === "string" && isObject(value) ? own(value, tag) : undefined;
  if (typeof tag !== "string" || typeof written !== "string") return all;
  const chosen = all.filter((each) => tagsOf(root, each, tag).includes(written));
  return chosen.length > 0 ? chosen : all;
}

/** The properties of objects at a path. */
export function propertiesAt(root: Json, value: Json, path: DataPath): readonly PropertyOutline[] {
  const byName = new Map<string, { readonly name: string; readonly schemas: JsonObject[]; isRequired: boolean }>();
  for (const schema of schemasAt(root, value, path)) {
    const required = subschemas(schema, "required");
    for (const [name, property] of Object.entries(objectOf(schema, "properties"))) {
      const entry = byName.get(name) ?? { name, schemas: [], isRequired: false };
      byName.set(name, entry);
      const resolved = resolveSchema(root, property);
      if (isObject(resolved)) entry.schemas.push(isObject(property) ? { ...resolved, ...property } : resolved);
      entry.isRequired ||= required.includes(name);
    }
  }
  return [...byName.values()];
}

/** The strings, numbers and booleans that schemas list for the value at a path. */
export function valuesAt(root: Json, value: Json, path: DataPath): readonly (string | number | boolean)[] {
  const found = new Set<string | number | boolean>();
  const add = (each: Json): void => {
    if (typeof each === "string" || typeof each === "number" || typeof each === "boolean") found.add(each);
  };
  for (const schema of schemasAt(root, value, path)) {
    for (const each of subschemas(schema, "enum")) add(each);
    const constant = own(schema, "const");
    if (constant !== undefined) add(constant);
    if (own(schema, "type") === "boolean") for (const each of [true, false]) add(each);
  }
  return [...found];
}

/** The description of a property by the first schema that has one. */
export const descriptionOf = ({ schemas }: PropertyOutline): string | undefined =>
  schemas.map((schema) => own(schema, "description") ?? own(schema, "title")).find((each) => typeof each === "string");

/** The path of a node from the root. */
export function pathOf(node: TreeNode): DataPath {
  const path: (string | number)[] = [];
  for (let at: TreeNode | undefined = node; at?.key !== undefined; at = at.parent) path.unshift(at.key);
  return path;
}

/** The description of the key at an offset, by default by the schema of the language. */
export function propertyAt(
  { nodes, canonical, language, document }: AnalyzedDocument,
  offset: number,
  schema = language?.schema?.(),
): { readonly text: string; readonly span: Span } | undefined {
  const node = nodes.findLast(({ start, valueStart }) => start <= offset && offset < valueStart);
  if (!node || typeof node.key !== "string" || !node.parent || schema === undefined) return undefined;
  const span = document.spanOf(node.parent.value, node.key, "key");
  if (offset > span.end) return undefined;
  const { key } = node;
  const outline = propertiesAt(schema, (canonical ?? document).value, pathOf(node.parent)).find(
    ({ name }) => name.toLowerCase() === key.toLowerCase(),
  );
  const description = outline && descriptionOf(outline);
  if (!outline || description === undefined) return undefined;
  const note = outline.isRequired ? " (required)" : "";
  return { text: `**${outline.name}**${note}\n\n${description}`, span };
}
