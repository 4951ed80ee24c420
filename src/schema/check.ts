import { equalJson, isObject, type Json, type JsonObject, own } from "../json.ts";
import { truncate } from "../text/messages.ts";

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
  const assertions = assertionFaults(root, schema, site);
  if (assertions.some(({ kind }) => kind === "type")) return assertions;
  return [
    ...assertions,
    ...applied(root, schema, site, noun),
    ...unionFaults(root, schema, site, noun),
    ...(isObject(site.value) ? objectFaults(root, schema, site, noun) : []),
    ...itemFaults(root, schema, site),
  ];
}

/** A value of a document, and what holds it under which key; the whole document is held by nothing. */
export interface Site {
  readonly value: Json;
  readonly owner: Json | undefined;
  readonly key: string | number | undefined;
}

/** One way in which a value does not fit a schema. `title` is the schema's, a noun such as "state". */
export type Fault =
  /** The value has none of the types, which are those of JSON Schema. */
  | {
      readonly kind: "type";
      readonly site: Site;
      readonly wanted: readonly string[];
      /** What is likely meant by it. */
      readonly meant?: Json | undefined;
      /** Properties that stand beside it, and that an object in its place would have. */
      readonly outdented?: readonly string[] | undefined;
      /** The format that a text in its place would have; empty for any. Absent where not any text would do. */
      readonly format?: string | undefined;
    }
  /** The value is none of the known ones. `meant` is the one that it stands for elsewhere. */
  | {
      readonly kind: "value";
      readonly site: Site;
      readonly known: readonly Json[];
      readonly meant?: string | undefined;
    }
  /** The property that tells kinds of objects apart has none of the known values. */
  | { readonly kind: "tag"; readonly site: Site; readonly tag: string; readonly known: readonly string[] }
  /** The object has none of the properties, of which one is needed. `misspelt` is one that it has, and that is likely meant for one of them. */
  | {
      readonly kind: "missing";
      readonly site: Site;
      readonly title: string;
      readonly names: readonly string[];
      readonly misspelt?: string | undefined;
    }
  /** The object has a property that the schema does not know. */
  | {
      readonly kind: "unknown";
      readonly site: Site;
      readonly title: string;
      readonly name: string;
      /** The properties that it could have besides those that it has. */
      readonly known: readonly string[];
      /** The property that is called so elsewhere, or what to do instead. */
      readonly meant?: string | undefined;
      readonly remedy?: string | undefined;
    }
  /** The object has all of the properties, of which each excludes the others. */
  | { readonly kind: "conflict"; readonly site: Site; readonly title: string; readonly names: readonly string[] }
  /** The object has the property without its companion. */
  | { readonly kind: "companion"; readonly site: Site; readonly name: string; readonly companion: string }
  /** The value has the right type and is otherwise not as it has to be. `detail` continues a sentence about it: "is empty". */
  | { readonly kind: "form"; readonly site: Site; readonly detail: string };

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
function listOf(schema: JsonObject, keyword: string): readonly Json[] {
  const list = own(schema, keyword);
  return Array.isArray(list) ? (list as readonly Json[]) : [];
}

/** The schema that a schema refers to, if it does nothing but refer. */
function resolved(root: Json, schema: Json): Json {
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

/** The faults by keywords that look at a value alone: its type, its length, what it may be. */
function assertionFaults(root: Json, schema: JsonObject, site: Site): readonly Fault[] {
  const type = own(schema, "type");
  const wanted = (typeof type === "string" ? [type] : (type ?? [])) as readonly string[];
  if (wanted.length > 0 && !wanted.some((each) => hasType(site.value, each)))
    return [typeFault(root, schema, site, wanted)];
  const values = own(schema, "enum") ?? (Object.hasOwn(schema, "const") ? [schema["const"]!] : undefined);
  const known = values as readonly Json[] | undefined;
  const found: Fault[] =
    known?.some((each) => equalJson(each, site.value)) === false
      ? [{ kind: "value", site, known, meant: wordFor(schema, site.value) }]
      : [];
  for (const detail of details(schema, site.value)) found.push({ kind: "form", site, detail });
  return found;
}

function typeFault(root: Json, schema: JsonObject, site: Site, wanted: readonly string[]): Fault {
  const { value, owner } = site;
  const format = own(schema, "format");
  const isObjectMeant = wanted.includes("object");
  const outdented =
    isObjectMeant && value === null && isObject(owner)
      ? Object.keys(objectOf(schema, "properties")).filter((name) => Object.hasOwn(owner, name))
      : [];
  return {
    kind: "type",
    site,
    wanted,
    meant: isObjectMeant ? inFull(root, schema, value) : undefined,
    outdented,
    format: wanted.includes("string") ? (typeof format === "string" ? format : "") : undefined,
  };
}

/** The object that a value is short for, where an object needs one property: `true` for its first word, and what fits the property for itself. */
function inFull(root: Json, schema: JsonObject, value: Json): Json | undefined {
  const [name, ...others] = listOf(schema, "required") as readonly string[];
  if (name === undefined || others.length > 0 || value === null || typeof value === "object") return undefined;
  const property = resolved(root, own(objectOf(schema, "properties"), name) ?? {});
  if (value === true && isObject(property)) {
    const [word] = listOf(property, "enum");
    return word === undefined ? undefined : { [name]: word };
  }
  return faultsOf(root, property, { value, owner: undefined, key: name }).length === 0 ? { [name]: value } : undefined;
}

/** The word of the schema for one that others use. */
function wordFor(schema: JsonObject, word: Json): string | undefined {
  const found = typeof word === "string" ? own(objectOf(schema, "x-meant"), word) : undefined;
  return typeof found === "string" ? found : undefined;
}

function hasType(value: Json, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function details(schema: JsonObject, value: Json): readonly string[] {
  if (typeof value === "string")
    return [...sizeDetails(schema, "Length", [...value].length, "character"), ...patternDetails(schema, value)];
  if (typeof value === "number") return numberDetails(schema, value);
  if (Array.isArray(value)) return sizeDetails(schema, "Items", value.length, "item");
  return isObject(value) ? sizeDetails(schema, "Properties", Object.keys(value).length, "property", "properties") : [];
}

function sizeDetails(schema: JsonObject, unit: string, size: number, one: string, many = `${one}s`): readonly string[] {
  const least = numberOf(schema, `min${unit}`, 0);
  const most = numberOf(schema, `max${unit}`, Number.POSITIVE_INFINITY);
  if (size < least) return [`must have at least ${count(least, one, many)}`];
  return size > most ? [`must have at most ${count(most, one, many)}`] : [];
}

function patternDetails(schema: JsonObject, value: string): readonly string[] {
  const pattern = own(schema, "pattern");
  if (typeof pattern !== "string" || new RegExp(pattern, "u").test(value)) return [];
  const { title } = schema;
  const noun = typeof title === "string" ? title : `string that matches \`${pattern}\``;
  return [`must be ${/^(?!url)[aeiou]/i.test(noun) ? "an" : "a"} ${noun}, not \`${truncate(value)}\``];
}

function numberDetails(schema: JsonObject, value: number): readonly string[] {
  const limits = [
    { fits: value >= numberOf(schema, "minimum", value), detail: `at least ${schema["minimum"]}` },
    { fits: value <= numberOf(schema, "maximum", value), detail: `at most ${schema["maximum"]}` },
    {
      fits: value > numberOf(schema, "exclusiveMinimum", Number.NEGATIVE_INFINITY),
      detail: `more than ${schema["exclusiveMinimum"]}`,
    },
    {
      fits: value < numberOf(schema, "exclusiveMaximum", Number.POSITIVE_INFINITY),
      detail: `less than ${schema["exclusiveMaximum"]}`,
    },
  ];
  return limits.filter(({ fits }) => !fits).map(({ detail }) => `must be ${detail}, not ${value}`);
}

function numberOf(schema: JsonObject, keyword: string, fallback: number): number {
  const value = own(schema, keyword);
  return typeof value === "number" ? value : fallback;
}

function count(number: number, one: string, many: string): string {
  return number === 1 ? `one ${one}` : `${number} ${many}`;
}

/** The faults of a value that is an object: properties that are missing, that are not known, and those in the values of the others. */
function objectFaults(root: Json, schema: JsonObject, site: Site, title: string): readonly Fault[] {
  const value = site.value as JsonObject;
  const names = (own(schema, "required") ?? []) as readonly string[];
  const missing = names.filter((name) => !Object.hasOwn(value, name));
  return [
    ...missing.map(
      (name): Fault => ({ kind: "missing", site, title, names: [name], misspelt: misnamed(root, schema, value, name) }),
    ),
    ...companionFaults(schema, site, value),
    ...Object.keys(value).flatMap((name) => propertyFaults(root, schema, site, name, title)),
  ];
}

/** An unknown property with a word that only the missing one can have. */
function misnamed(root: Json, schema: JsonObject, value: JsonObject, missing: string): string | undefined {
  const properties = objectOf(schema, "properties");
  const words = listOf(resolved(root, own(properties, missing) ?? {}) as JsonObject, "enum");
  return Object.keys(value).find((name) => !Object.hasOwn(properties, name) && words.includes(value[name]!));
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
  if (additional !== false) return faultsOf(root, additional, inner);
  const known = Object.keys(properties).filter((each) => !Object.hasOwn(site.value as JsonObject, each));
  const remedy = own(objectOf(schema, "x-remedies"), name) as string | undefined;
  return [{ kind: "unknown", site, title, name, known, meant: wordFor(schema, name), remedy }];
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

/**
 * The faults of unions and exclusions. When no branch fits, they are those of the branch that was most likely meant, or one
 * fault that all branches share.
 */
function unionFaults(root: Json, schema: JsonObject, site: Site, title: string): readonly Fault[] {
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
