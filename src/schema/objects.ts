import { isObject, type Json, type JsonObject, own } from "../json.ts";
import { faultsOf } from "./check.ts";
import type { Fault, Site } from "./faults.ts";

/** The faults of a value that is an object: properties that are missing, that are not known, and those in the values of the others. */
export function objectFaults(root: Json, schema: JsonObject, site: Site, title: string): readonly Fault[] {
  const value = site.value as JsonObject;
  const names = (own(schema, "required") ?? []) as readonly string[];
  const missing = names.filter((name) => !Object.hasOwn(value, name));
  return [
    ...missing.map((name): Fault => ({ kind: "missing", site, title, names: [name] })),
    ...companionFaults(schema, site, value),
    ...Object.keys(value).flatMap((name) => propertyFaults(root, schema, site, name, title)),
  ];
}

function companionFaults(schema: JsonObject, site: Site, value: JsonObject): readonly Fault[] {
  const dependent = (own(schema, "dependentRequired") ?? {}) as { readonly [name: string]: readonly string[] };
  return Object.entries(dependent).flatMap(([name, companions]) => {
    const missing = Object.hasOwn(value, name)
      ? companions.filter((companion) => !Object.hasOwn(value, companion))
      : [];
    return missing.map((companion): Fault => ({ kind: "companion", site, name, companion }));
  });
}

function propertyFaults(root: Json, schema: JsonObject, site: Site, name: string, title: string): readonly Fault[] {
  const inner = { value: (site.value as JsonObject)[name]!, owner: site.value, key: name };
  const properties = objectOf(schema, "properties");
  const schemas = [own(properties, name), ...patternSchemas(schema, name)].filter((each) => each !== undefined);
  if (schemas.length > 0) return schemas.flatMap((each) => faultsOf(root, each, inner));
  const additional = own(schema, "additionalProperties") ?? true;
  return additional === false
    ? [{ kind: "unknown", site, title, name, known: Object.keys(properties) }]
    : faultsOf(root, additional, inner);
}

function patternSchemas(schema: JsonObject, name: string): readonly Json[] {
  return Object.entries(objectOf(schema, "patternProperties")).flatMap(([pattern, each]) =>
    new RegExp(pattern, "u").test(name) ? [each] : [],
  );
}

function objectOf(schema: JsonObject, keyword: string): JsonObject {
  const value = own(schema, keyword);
  return isObject(value) ? value : {};
}
