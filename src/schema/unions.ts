import { isObject, type Json, type JsonObject, own } from "../json.ts";
import { faultsOf, listOf, resolved } from "./check.ts";
import type { Fault, Site } from "./faults.ts";

/**
 * The faults of unions and exclusions. When no branch fits, they are those of the branch that was most likely meant, or one
 * fault that all branches share.
 */
export function unionFaults(root: Json, schema: JsonObject, site: Site, title: string): readonly Fault[] {
  const excluded = own(schema, "not");
  return [
    ...(Object.hasOwn(schema, "discriminator")
      ? taggedFaults(root, schema, site, title)
      : oneOfFaults(root, schema, site, title)),
    ...anyOfFaults(root, schema, site, title),
    ...(excluded !== undefined && faultsOf(root, excluded, site).length === 0
      ? [exclusion(root, [excluded], site, title)]
      : []),
  ];
}

function oneOfFaults(root: Json, schema: JsonObject, site: Site, title: string): readonly Fault[] {
  const schemas = listOf(schema, "oneOf");
  if (schemas.length === 0) return [];
  const branches = schemas.map((branch) => faultsOf(root, branch, site, title));
  const fitting = schemas.filter((_, i) => branches[i]!.length === 0);
  if (fitting.length > 1) return [exclusion(root, fitting, site, title)];
  return fitting.length === 1 ? [] : likeliest(branches, site);
}

function anyOfFaults(root: Json, schema: JsonObject, site: Site, title: string): readonly Fault[] {
  const branches = listOf(schema, "anyOf").map((branch) => faultsOf(root, branch, site, title));
  return branches.length === 0 || branches.some((faults) => faults.length === 0) ? [] : likeliest(branches, site);
}

function likeliest(branches: readonly (readonly Fault[])[], site: Site): readonly Fault[] {
  const fitting = branches.filter((faults) => !faults.some((fault) => fault.kind === "type" && fault.site === site));
  const all = (fitting.length > 0 ? fitting : branches).flat();
  const own = all.filter((fault) => fault.site === site);
  const types = own.filter((fault) => fault.kind === "type");
  if (types.length === all.length)
    return [{ kind: "type", site, wanted: [...new Set(types.flatMap(({ wanted }) => wanted))] }];
  const values = own.filter((fault) => fault.kind === "value");
  if (values.length === all.length) return [{ kind: "value", site, known: values.flatMap(({ known }) => known) }];
  const missing = own.filter((fault) => fault.kind === "missing");
  if (missing.length === all.length && fitting.length > 1)
    return [{ ...missing[0]!, names: [...new Set(missing.flatMap(({ names }) => names))] }];
  return fitting.reduce((best, faults) => (faults.length < best.length ? faults : best));
}

/** The faults of a union whose branches are told apart by the value of one property. */
function taggedFaults(root: Json, schema: JsonObject, site: Site, title: string): readonly Fault[] {
  if (!isObject(site.value)) return [];
  const tag = (schema["discriminator"] as JsonObject)["propertyName"] as string;
  const value = own(site.value, tag);
  if (value === undefined) return isRequired(schema, tag) ? [] : [{ kind: "missing", site, title, names: [tag] }];
  if (typeof value !== "string")
    return [{ kind: "type", site: { value, owner: site.value, key: tag }, wanted: ["string"] }];
  const branches = listOf(schema, "oneOf").map((branch) => ({ branch, names: tagsOf(root, branch, tag) }));
  const chosen = branches.find(({ names }) => names.includes(value));
  return chosen
    ? faultsOf(root, chosen.branch, site, title)
    : [{ kind: "tag", site, tag, known: branches.flatMap(({ names }) => names) }];
}

function isRequired(schema: JsonObject, name: string): boolean {
  return listOf(schema, "required").includes(name);
}

function tagsOf(root: Json, branch: Json, tag: string): readonly string[] {
  const schema = resolved(root, branch);
  const properties = isObject(schema) ? own(schema, "properties") : undefined;
  const property = isObject(properties) ? resolved(root, own(properties, tag) ?? {}) : undefined;
  if (!isObject(property)) return [];
  return (own(property, "enum") ?? [property["const"] ?? ""]) as readonly string[];
}

/** The properties that schemas ask for which may not all fit. */
function exclusion(root: Json, schemas: readonly Json[], site: Site, title: string): Fault {
  const names = schemas.flatMap((each) => {
    const schema = resolved(root, each);
    return isObject(schema) ? (listOf(schema, "required") as readonly string[]) : [];
  });
  if (names.length > 1) return { kind: "conflict", site, title, names: [...new Set(names)] };
  return { kind: "form", site, detail: `is not ${/^[aeiou]/i.test(title) ? "an" : "a"} ${title} of one kind` };
}
