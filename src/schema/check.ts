import { isObject, type Json, type JsonObject, own } from "../json.ts";
import { assertionFaults } from "./assertions.ts";
import type { Fault, Site } from "./faults.ts";
import { objectFaults } from "./objects.ts";
import { unionFaults } from "./unions.ts";

/**
 * How a value does not fit a schema: nothing when it fits. A plain reading of JSON Schema 2020-12 in the extent of our schemas
 * (see keywords.ts), for the documents that a compiled validator has turned down: unlike the validator's own errors, what it finds
 * says which branch of a union was meant and what the objects are called. `root` is the whole schema; `title` is the noun of
 * the schema around this one if that is about the same value.
 */
export function faultsOf(root: Json, schema: Json, site: Site, title = "object"): readonly Fault[] {
  if (schema === false) return [{ kind: "form", site, detail: "has no meaning here" }];
  if (!isObject(schema)) return [];
  const noun = typeof schema["title"] === "string" ? schema["title"] : title;
  const assertions = assertionFaults(schema, site);
  if (assertions.some(({ kind }) => kind === "type")) return assertions;
  return [
    ...assertions,
    ...applied(root, schema, site, noun),
    ...unionFaults(root, schema, site, noun),
    ...(isObject(site.value) ? objectFaults(root, schema, site, noun) : []),
    ...itemFaults(root, schema, site),
  ];
}

/** The faults of the schemas that are about the same value: `$ref`, `allOf`, `if`. */
function applied(root: Json, schema: JsonObject, site: Site, title: string): readonly Fault[] {
  const found: Fault[] = [];
  const reference = own(schema, "$ref");
  if (typeof reference === "string") found.push(...faultsOf(root, target(root, reference), site, title));
  for (const each of listOf(schema, "allOf")) found.push(...faultsOf(root, each, site, title));
  const condition = own(schema, "if");
  if (condition !== undefined) {
    const consequence = own(schema, faultsOf(root, condition, site).length === 0 ? "then" : "else");
    if (consequence !== undefined) found.push(...faultsOf(root, consequence, site, title));
  }
  return found;
}

function itemFaults(root: Json, schema: JsonObject, { value }: Site): readonly Fault[] {
  const items = own(schema, "items");
  if (items === undefined || !Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((item, key) => faultsOf(root, items, { value: item, owner: value, key }));
}

/** The schemas of a keyword that has a list of them. */
export function listOf(schema: JsonObject, keyword: string): readonly Json[] {
  const list = own(schema, keyword);
  return Array.isArray(list) ? (list as readonly Json[]) : [];
}

/** The schema that a schema refers to, if it does nothing but refer. */
export function resolved(root: Json, schema: Json): Json {
  const reference = isObject(schema) ? own(schema, "$ref") : undefined;
  return typeof reference === "string" ? resolved(root, target(root, reference)) : schema;
}

/** What a reference within the document, such as `#/$defs/state`, points to. */
function target(root: Json, reference: string): Json {
  let found: Json | undefined = root;
  for (const token of reference.split("/").slice(1)) {
    found = isObject(found) ? own(found, token.replaceAll("~1", "/").replaceAll("~0", "~")) : undefined;
  }
  if (found === undefined) throw new Error(`The schema refers to ${reference}, which does not exist.`);
  return found;
}
