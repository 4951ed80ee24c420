import { isObject, type Json, type JsonObject, own } from "../json.ts";
import { findSchemaErrors, objectOf, patternSchemas, resolveSchema, subschemas, tagsOf } from "./check.ts";
import type { ValueSite } from "./errors.ts";

/** What a schema knows of an object: its noun, its parent and the schemas of its properties. */
export interface ObjectOutline {
  readonly site: ValueSite;
  readonly title: string;
  readonly properties: ReadonlyMap<string, Json>;
}

/** The outlines of all objects of a value that the schema describes. */
export type Outlines = ReadonlyMap<object, ObjectOutline>;

/** Finds the outlines of all objects in a value. */
export function outlineObjects(root: Json, value: Json): Outlines {
  const found = new Map<object, MutableOutline>();
  outline(root, root, { value, owner: undefined, key: undefined }, "object", found);
  return found;
}

interface MutableOutline extends ObjectOutline {
  title: string;
  readonly properties: Map<string, Json>;
}

function outline(root: Json, schema: Json, site: ValueSite, title: string, found: Map<object, MutableOutline>): void {
  if (!isObject(schema)) return;
  const noun = typeof schema["title"] === "string" ? schema["title"] : title;
  for (const each of applicableSchemas(root, schema, site)) outline(root, each, site, noun, found);
  const { value } = site;
  if (Array.isArray(value)) {
    const items = own(schema, "items");
    if (items === undefined) return;
    for (const [key, item] of (value as readonly Json[]).entries())
      outline(root, items, { value: item, owner: value, key }, "item", found);
  } else if (isObject(value)) outlineMembers(root, schema, value, { site, noun, found });
}

function outlineMembers(
  root: Json,
  schema: JsonObject,
  value: JsonObject,
  {
    site,
    noun,
    found,
  }: { readonly site: ValueSite; readonly noun: string; readonly found: Map<object, MutableOutline> },
): void {
  const properties = objectOf(schema, "properties");
  const entry = found.get(value) ?? { site, title: noun, properties: new Map<string, Json>() };
  found.set(value, entry);
  if (Object.keys(properties).length > 0) entry.title = noun;
  for (const [name, each] of Object.entries(properties)) entry.properties.set(name, each);
  for (const [key, member] of Object.entries(value)) {
    const schemas = [own(properties, key), ...patternSchemas(schema, key)].filter((each) => each !== undefined);
    const additional = own(schema, "additionalProperties");
    const applied = schemas.length > 0 ? schemas : additional === undefined ? [] : [additional];
    for (const each of applied) outline(root, each, { value: member, owner: value, key }, "object", found);
  }
}

function applicableSchemas(root: Json, schema: JsonObject, site: ValueSite): readonly Json[] {
  const reference = own(schema, "$ref");
  const condition = own(schema, "if");
  const consequence =
    condition === undefined
      ? undefined
      : own(schema, findSchemaErrors(root, condition, site).length === 0 ? "then" : "else");
  return [
    ...(typeof reference === "string" ? [resolveSchema(root, schema)] : []),
    ...subschemas(schema, "allOf"),
    ...(consequence === undefined ? [] : [consequence]),
    ...branches(root, schema, "oneOf", site),
    ...branches(root, schema, "anyOf", site),
  ];
}

/** The branch that the discriminator selects, those that fit, or those of the value's type. */
function branches(root: Json, schema: JsonObject, keyword: string, site: ValueSite): readonly Json[] {
  const all = subschemas(schema, keyword);
  if (all.length === 0) return [];
  const tag = own(objectOf(schema, "discriminator"), "propertyName");
  const written = typeof tag === "string" && isObject(site.value) ? own(site.value, tag) : undefined;
  if (typeof tag === "string" && typeof written === "string") {
    const chosen = all.filter((each) => tagsOf(root, each, tag).includes(written));
    if (chosen.length > 0) return chosen;
  }
  const checked = all.map((each) => ({ each, errors: findSchemaErrors(root, each, site) }));
  const fitting = checked.filter(({ errors }) => errors.length === 0);
  const likely = checked.filter(({ errors }) => !errors.some((error) => error.kind === "type" && error.site === site));
  return (fitting.length > 0 ? fitting : likely).map(({ each }) => each);
}
