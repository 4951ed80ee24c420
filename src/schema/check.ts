import { equalJson, isObject, type Json, type JsonObject, own } from "../json.ts";
import { truncate } from "../text/messages.ts";
import type { PropertyUse, SchemaError, ValueSite } from "./errors.ts";

/** Explains why a value violates a schema. `title` is the noun of an enclosing schema. */
export function findSchemaErrors(root: Json, schema: Json, site: ValueSite, title = "object"): readonly SchemaError[] {
  if (schema === false) return [{ kind: "form", site, detail: "has no meaning here" }];
  if (!isObject(schema)) return [];
  const noun = typeof schema["title"] === "string" ? schema["title"] : title;
  const assertions = assertionErrors(root, schema, site);
  if (assertions.some(({ kind }) => kind === "type")) return assertions;
  return [
    ...assertions,
    ...combinedErrors(root, schema, site, noun),
    ...unionErrors(root, schema, site, noun),
    ...(isObject(site.value) ? objectErrors(root, schema, site, noun) : []),
    ...itemErrors(root, schema, site),
  ];
}

type UnknownError = Extract<SchemaError, { kind: "unknown" }>;

function combinedErrors(root: Json, schema: JsonObject, site: ValueSite, title: string): readonly SchemaError[] {
  const found: SchemaError[] = [];
  const reference = own(schema, "$ref");
  if (typeof reference === "string")
    found.push(...findSchemaErrors(root, resolvePointer(root, reference), site, title));
  for (const each of subschemas(schema, "allOf")) found.push(...findSchemaErrors(root, each, site, title));
  const condition = own(schema, "if");
  if (condition !== undefined) {
    const consequence = own(schema, findSchemaErrors(root, condition, site).length === 0 ? "then" : "else");
    if (consequence !== undefined) found.push(...findSchemaErrors(root, consequence, site, title));
  }
  return found;
}

function itemErrors(root: Json, schema: JsonObject, { value }: ValueSite): readonly SchemaError[] {
  const items = own(schema, "items");
  if (items === undefined || !Array.isArray(value)) return [];
  return (value as readonly Json[]).flatMap((item, key) =>
    findSchemaErrors(root, items, { value: item, owner: value, key }),
  );
}

/** The schemas or names in the array of a keyword. */
export function subschemas(schema: JsonObject, keyword: string): readonly Json[] {
  const list = own(schema, keyword);
  return Array.isArray(list) ? (list as readonly Json[]) : [];
}

/** A hint, alone or with the required properties that the unknown one replaces. */
function remedyFor(schema: JsonObject, name: string): Pick<UnknownError, "remedy" | "replaces"> {
  const remedy = own(objectOf(schema, "x-remedies"), name);
  if (typeof remedy === "string") return { remedy };
  const { hint, replaces } = (remedy ?? {}) as Pick<UnknownError, "replaces"> & { readonly hint?: string };
  return { remedy: hint, replaces };
}

/** Follows `$ref` to the schema. */
export function resolveSchema(root: Json, schema: Json): Json {
  const reference = isObject(schema) ? own(schema, "$ref") : undefined;
  return typeof reference === "string" ? resolveSchema(root, resolvePointer(root, reference)) : schema;
}

/** The schema at a JSON pointer. */
export function resolvePointer(root: Json, reference: string): Json {
  let found: Json | undefined = root;
  for (const token of reference.split("/").slice(1)) {
    found = isObject(found) ? own(found, token.replaceAll("~1", "/").replaceAll("~0", "~")) : undefined;
  }
  if (found === undefined) throw new Error(`The schema refers to ${reference}, which does not exist.`);
  return found;
}

function assertionErrors(root: Json, schema: JsonObject, site: ValueSite): readonly SchemaError[] {
  const type = own(schema, "type");
  const wanted = (typeof type === "string" ? [type] : (type ?? [])) as readonly string[];
  if (wanted.length > 0 && !wanted.some((each) => hasType(site.value, each)))
    return [typeError(root, schema, site, wanted)];
  const known = allowedValues(schema);
  const found: SchemaError[] =
    known?.some((each) => equalJson(each, site.value)) === false
      ? [
          {
            kind: "value",
            site,
            known,
            suggestion: canonicalWord(schema, site.value),
            ...(typeof site.value === "string" ? { remedy: remedyFor(schema, site.value).remedy } : {}),
          },
        ]
      : [];
  for (const detail of details(schema, site.value)) found.push({ kind: "form", site, detail });
  return found;
}

/** The values that `enum` and `const` allow; undefined if any. */
export function allowedValues(schema: JsonObject): readonly Json[] | undefined {
  const listed = own(schema, "enum") as readonly Json[] | undefined;
  const constant = own(schema, "const");
  if (constant === undefined) return listed;
  return listed === undefined || listed.some((each) => equalJson(each, constant)) ? [constant] : [];
}

function typeError(root: Json, schema: JsonObject, site: ValueSite, wanted: readonly string[]): SchemaError {
  const { value, owner } = site;
  const format = own(schema, "format");
  const { description } = schema;
  const isPlainString = wanted.length === 1 && wanted[0] === "string" && own(schema, "pattern") === undefined;
  const isObjectMeant = wanted.includes("object");
  const suggestion = isObjectMeant ? expandShorthand(root, schema, value) : undefined;
  const outdented =
    isObjectMeant && (value === null || suggestion !== undefined) && isObject(owner)
      ? Object.keys(objectOf(schema, "properties")).filter((name) => Object.hasOwn(owner, name))
      : [];
  return {
    kind: "type",
    site,
    wanted,
    suggestion,
    outdented,
    format: isPlainString ? (typeof format === "string" ? format : "") : undefined,
    seconds: secondsRange(schema),
    description: typeof description === "string" ? description : undefined,
    required: isObjectMeant ? mainProperties(schema) : undefined,
    listName: isObjectMeant && Array.isArray(value) ? listNameOf(root, schema) : undefined,
  };
}

function secondsRange(schema: JsonObject): readonly [least: number, most: number] | undefined {
  const [least, most] = subschemas(schema, "x-seconds");
  return typeof least === "number" && typeof most === "number" ? [least, most] : undefined;
}

const maxMainProperties = 4;

/** The required properties, or the first ones. */
function mainProperties(schema: JsonObject): readonly string[] {
  const required = subschemas(schema, "required") as readonly string[];
  return required.length > 0 ? required : Object.keys(objectOf(schema, "properties")).slice(0, maxMainProperties);
}

function listNameOf(root: Json, schema: JsonObject): string | undefined {
  const lists = Object.entries(objectOf(schema, "properties")).flatMap(([name, property]) => {
    const resolved = resolveSchema(root, property);
    return isObject(resolved) && own(resolved, "type") === "array" ? [name] : [];
  });
  return lists.length === 1 ? lists[0] : undefined;
}

/** The object's required property, or `true` for its first word. */
function expandShorthand(root: Json, schema: JsonObject, value: Json): Json | undefined {
  const [name, ...others] = subschemas(schema, "required") as readonly string[];
  if (name === undefined || others.length > 0 || value === null || typeof value === "object") return undefined;
  if (own(objectOf(schema, "discriminator"), "propertyName") === name)
    return subschemas(schema, "oneOf").some((branch) => tagsOf(root, branch, name).includes(String(value)))
      ? { [name]: value }
      : undefined;
  const property = resolveSchema(root, own(objectOf(schema, "properties"), name) ?? {});
  if (value === true && isObject(property)) {
    const [word] = subschemas(property, "enum");
    return word === undefined ? undefined : { [name]: word };
  }
  return findSchemaErrors(root, property, { value, owner: undefined, key: name }).length === 0
    ? { [name]: value }
    : undefined;
}

function canonicalWord(schema: JsonObject, word: Json): string | undefined {
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

function objectErrors(root: Json, schema: JsonObject, site: ValueSite, title: string): readonly SchemaError[] {
  const value = site.value as JsonObject;
  const names = (own(schema, "required") ?? []) as readonly string[];
  const missing = names.filter((name) => !Object.hasOwn(value, name));
  return [
    ...missing.map(
      (name): SchemaError => ({
        kind: "missing",
        site,
        title,
        names: [name],
        misspelt: findMisnamed(root, schema, value, name),
        use: useOf(root, own(objectOf(schema, "properties"), name) ?? {}),
      }),
    ),
    ...companionErrors(schema, site, value),
    ...Object.keys(value).flatMap((name) => propertyErrors(root, schema, site, name, title)),
  ];
}

function useOf(root: Json, property: Json): PropertyUse {
  const described = isObject(property) ? own(property, "description") : undefined;
  const resolved = resolveSchema(root, property);
  const words = isObject(resolved) ? subschemas(resolved, "enum") : [];
  return {
    description: typeof described === "string" ? described : undefined,
    words: words.filter((each) => typeof each === "string"),
  };
}

/** Only the missing property can have its value. */
function findMisnamed(root: Json, schema: JsonObject, value: JsonObject, missing: string): string | undefined {
  const properties = objectOf(schema, "properties");
  const words = subschemas(resolveSchema(root, own(properties, missing) ?? {}) as JsonObject, "enum");
  return Object.keys(value).find((name) => !Object.hasOwn(properties, name) && words.includes(value[name]!));
}

function companionErrors(schema: JsonObject, site: ValueSite, value: JsonObject): readonly SchemaError[] {
  const dependent = (own(schema, "dependentRequired") ?? {}) as { readonly [name: string]: readonly string[] };
  return Object.entries(dependent).flatMap(([name, companions]) => {
    const missing = Object.hasOwn(value, name)
      ? companions.filter((companion) => !Object.hasOwn(value, companion))
      : [];
    return missing.map((companion): SchemaError => ({ kind: "companion", site, name, companion }));
  });
}

function propertyErrors(
  root: Json,
  schema: JsonObject,
  site: ValueSite,
  name: string,
  title: string,
): readonly SchemaError[] {
  const inner = { value: (site.value as JsonObject)[name]!, owner: site.value, key: name };
  const properties = objectOf(schema, "properties");
  const schemas = [own(properties, name), ...patternSchemas(schema, name)].filter((each) => each !== undefined);
  if (schemas.length > 0) return schemas.flatMap((each) => findSchemaErrors(root, each, inner));
  const additional = own(schema, "additionalProperties") ?? true;
  if (additional !== false) return findSchemaErrors(root, additional, inner);
  const known = Object.keys(properties).filter((each) => !Object.hasOwn(site.value as JsonObject, each));
  const remedy = remedyFor(schema, name);
  return [{ kind: "unknown", site, title, name, known, suggestion: canonicalWord(schema, name), ...remedy }];
}

/** The schemas whose patterns match the name of a property. */
export function patternSchemas(schema: JsonObject, name: string): readonly Json[] {
  return Object.entries(objectOf(schema, "patternProperties")).flatMap(([pattern, each]) =>
    new RegExp(pattern, "u").test(name) ? [each] : [],
  );
}

/** The object of a keyword, or an empty one. */
export function objectOf(schema: JsonObject, keyword: string): JsonObject {
  const value = own(schema, keyword);
  return isObject(value) ? value : {};
}

/** The errors of the likely branch, or one that all share. */
function unionErrors(root: Json, schema: JsonObject, site: ValueSite, title: string): readonly SchemaError[] {
  const excluded = own(schema, "not");
  return [
    ...(Object.hasOwn(schema, "discriminator")
      ? taggedErrors(root, schema, site, title)
      : oneOfErrors(root, schema, site, title)),
    ...anyOfErrors(root, schema, site, title),
    ...(excluded !== undefined && findSchemaErrors(root, excluded, site).length === 0
      ? [exclusionError(root, [excluded], site, title)]
      : []),
  ];
}

function oneOfErrors(root: Json, schema: JsonObject, site: ValueSite, title: string): readonly SchemaError[] {
  const schemas = subschemas(schema, "oneOf");
  if (schemas.length === 0) return [];
  const branches = schemas.map((branch) => findSchemaErrors(root, branch, site, title));
  const fitting = schemas.filter((_, i) => branches[i]!.length === 0);
  if (fitting.length > 1) return [exclusionError(root, fitting, site, title)];
  return fitting.length === 1 ? [] : likeliestBranch(branches, site);
}

function anyOfErrors(root: Json, schema: JsonObject, site: ValueSite, title: string): readonly SchemaError[] {
  const branches = subschemas(schema, "anyOf").map((branch) => findSchemaErrors(root, branch, site, title));
  return branches.length === 0 || branches.some((errors) => errors.length === 0) ? [] : likeliestBranch(branches, site);
}

function likeliestBranch(branches: readonly (readonly SchemaError[])[], site: ValueSite): readonly SchemaError[] {
  const fitting = branches.filter((errors) => !errors.some((error) => error.kind === "type" && error.site === site));
  const all = (fitting.length > 0 ? fitting : branches).flat();
  const own = all.filter((error) => error.site === site);
  const types = own.filter((error) => error.kind === "type");
  if (types.length === all.length)
    return [{ kind: "type", site, wanted: [...new Set(types.flatMap(({ wanted }) => wanted))] }];
  const values = own.filter((error) => error.kind === "value");
  if (values.length === all.length) return [{ kind: "value", site, known: values.flatMap(({ known }) => known) }];
  const missing = own.filter((error) => error.kind === "missing");
  if (missing.length === all.length && fitting.length > 1)
    return [{ ...missing[0]!, names: [...new Set(missing.flatMap(({ names }) => names))] }];
  return fitting.reduce((best, errors) => (errors.length < best.length ? errors : best));
}

function taggedErrors(root: Json, schema: JsonObject, site: ValueSite, title: string): readonly SchemaError[] {
  if (!isObject(site.value)) return [];
  const tag = (schema["discriminator"] as JsonObject)["propertyName"] as string;
  const value = own(site.value, tag);
  if (value === undefined) return isRequired(schema, tag) ? [] : [{ kind: "missing", site, title, names: [tag] }];
  if (typeof value !== "string")
    return [{ kind: "type", site: { value, owner: site.value, key: tag }, wanted: ["string"] }];
  const branches = subschemas(schema, "oneOf").map((branch) => ({ branch, names: tagsOf(root, branch, tag) }));
  const chosen = branches.find(({ names }) => names.includes(value));
  return chosen
    ? findSchemaErrors(root, chosen.branch, site, title)
    : [
        {
          kind: "tag",
          site,
          tag,
          known: branches.flatMap(({ names }) => names),
          suggestion: canonicalWord(schema, value),
        },
      ];
}

function isRequired(schema: JsonObject, name: string): boolean {
  return subschemas(schema, "required").includes(name);
}

/** The values of the discriminator that select a branch. */
export function tagsOf(root: Json, branch: Json, tag: string): readonly string[] {
  const schema = resolveSchema(root, branch);
  const properties = isObject(schema) ? own(schema, "properties") : undefined;
  const property = isObject(properties) ? resolveSchema(root, own(properties, tag) ?? {}) : undefined;
  if (!isObject(property)) return [];
  return (allowedValues(property) ?? []).filter((each) => typeof each === "string");
}

function exclusionError(root: Json, schemas: readonly Json[], site: ValueSite, title: string): SchemaError {
  const names = schemas.flatMap((each) => {
    const schema = resolveSchema(root, each);
    return isObject(schema) ? (subschemas(schema, "required") as readonly string[]) : [];
  });
  if (names.length > 1) return { kind: "conflict", site, title, names: [...new Set(names)] };
  return { kind: "form", site, detail: `is not ${/^[aeiou]/i.test(title) ? "an" : "a"} ${title} of one kind` };
}
