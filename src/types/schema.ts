import { unresolvedSchemaReference } from "../diagnostics/data.ts";
import type { Document } from "../documents/index.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Span } from "../text/source.ts";
import { type Fuel, fuelOf, intersect, typeOfValue, union } from "./lattice.ts";
import {
  any,
  anyArray,
  anyObject,
  arrayOf,
  boolean,
  integer,
  type MemberType,
  never,
  nullType,
  number,
  objectOf,
  type ReferenceType,
  string,
  type Type,
  type TypeDefinition,
} from "./type.ts";

/**
 * Converts a JSON Schema (draft 7, 2019-09 or 2020-12), or a part of it, to a type. Inexpressible keywords widen it.
 */
export function typeOfSchema(document: Document, fragment: string, report: Report): Type | undefined {
  const context = createContext(document, report);
  const part = findPart(fragment, context);
  if (part === undefined) return undefined;
  const type = part === "elsewhere" ? any : typeAt(part, { depth: 0, isEmbedded: false }, context);
  for (let draft = context.waiting.pop(); draft; draft = context.waiting.pop()) complete(draft, 0, context);
  return type;
}

/** Whether a JSON value can be a schema. */
export const isSchema = (value: Json | undefined): value is JsonObject | boolean =>
  typeof value === "boolean" || isObject(value);

const maxDepth = 64;

function complete(draft: DraftDefinition, depth: number, context: SchemaContext): void {
  if (draft.state !== "waiting") return;
  draft.state = "begun";
  draft.definition.type = typeAt(draft.schema, { depth, isEmbedded: false }, context);
  draft.state = "done";
}

function typeAt(schema: JsonObject | boolean, { depth, isEmbedded }: SchemaLevel, context: SchemaContext): Type {
  if (typeof schema === "boolean") return schema ? any : never;
  context.fuel.left -= 1;
  if (depth > maxDepth || context.fuel.left < 0) return any;
  const isOwn = schema !== context.document.value && hasIdentity(schema);
  const level: SchemaLevel = { depth: depth + 1, isEmbedded: isEmbedded || isOwn };
  const reference = stringAt(schema, "$ref");
  const referredTo = reference === undefined ? any : resolveReference(schema, reference, level, context);
  if (reference !== undefined && !hasSiblings(context)) return referredTo;
  const inner = (part: JsonObject | boolean) => typeAt(part, level, context);
  const types = [referredTo, ownType(schema, level, context), ...combinations(schema, inner)];
  return types.reduce((type, other) => intersectTypes(type, other, level, context));
}

/** Whether siblings of `$ref` count; up to draft 7 it overrides them. */
export function hasSiblings({ document }: ReferenceContext): boolean {
  const dialect =
    isSchema(document.value) && typeof document.value === "object" ? stringAt(document.value, "$schema") : undefined;
  return dialect !== undefined && /20(?:19-09|20-12)/.test(dialect);
}

function intersectTypes(a: Type, b: Type, { depth }: SchemaLevel, context: SchemaContext): Type {
  const resolve = (definition: DraftDefinition["definition"]): Type | undefined => {
    const draft = context.drafts.get(definition);
    if (draft && draft.state === "waiting" && depth < maxDepth) complete(draft, depth + 1, context);
    return draft?.state === "done" ? definition.type : undefined;
  };
  return intersect(a, b, resolve, fuelOf(2_000));
}

function combinations(schema: JsonObject, inner: (part: JsonObject | boolean) => Type): readonly Type[] {
  const partsOf = (keyword: string) => arrayAt(schema, keyword)?.map((part) => (isSchema(part) ? inner(part) : any));
  const choices = ["anyOf", "oneOf"].flatMap((keyword) => {
    const parts = partsOf(keyword);
    return parts ? [union(...parts)] : [];
  });
  return [...(partsOf("allOf") ?? []), ...choices];
}

function ownType(schema: JsonObject, level: SchemaLevel, context: SchemaContext): Type {
  const typed = typedType(schema, level, context);
  const constant = own(schema, "const");
  const lists: readonly (readonly [string, readonly Json[] | undefined])[] = [
    ["enum", arrayAt(schema, "enum")],
    ["const", constant === undefined ? undefined : [constant]],
  ];
  return lists.reduce((type, [keyword, values]) => {
    if (!values || values.length > maxValues) return type;
    const origin = context.document.spanOf(schema, keyword, "key");
    const parts = values.map((value) => ({ ...typeOfValue(value), origin }));
    return intersectTypes(type, union(...parts), level, context);
  }, typed);
}

const maxValues = 1_000;

const typeNames = ["null", "boolean", "number", "string", "array", "object"];

function typedType(schema: JsonObject, level: SchemaLevel, context: SchemaContext): Type {
  const type = own(schema, "type");
  const names = typeof type === "string" ? [type] : Array.isArray(type) ? type : undefined;
  const inner = (part: JsonObject | boolean) => typeAt(part, level, context);
  const isOpen = !names?.length || !names.every((name) => name === "integer" || typeNames.includes(String(name)));
  const array = isOpen || names!.includes("array") ? arrayType(schema, inner) : never;
  const object = isOpen || names!.includes("object") ? objectType(schema, context, inner) : never;
  const origin = names && context.document.spanOf(schema, "type");
  if (!isOpen)
    return union(
      ...names!.map((name) => scalarType(String(name), origin)),
      withOrigin(array, origin),
      withOrigin(object, origin),
    );
  return array === anyArray && object === anyObject ? any : union(nullType, boolean, number, string, array, object);
}

function scalarType(name: string, origin: Span | undefined): Type {
  const type = scalars.get(name) ?? never;
  return withOrigin(type, origin);
}

const withOrigin = (type: Type, origin: Span | undefined): Type =>
  origin === undefined || type.origin || type === never ? type : { ...type, origin };

const scalars: ReadonlyMap<string, Type> = new Map<string, Type>([
  ["null", nullType],
  ["boolean", boolean],
  ["number", number],
  ["integer", integer],
  ["string", string],
]);

type ReadSubschema = (schema: JsonObject | boolean) => Type;

function objectType(schema: JsonObject, context: SchemaContext, inner: ReadSubschema): Type {
  const properties = objectAt(schema, "properties") ?? {};
  const required = new Set((arrayAt(schema, "required") ?? []).filter((name) => typeof name === "string"));
  const rest = restType(schema, inner);
  const members = new Map<string, MemberType>();
  for (const name of Object.keys(properties)) {
    const property = properties[name];
    const type = isSchema(property) ? inner(property) : any;
    members.set(name, { type, required: required.has(name), ...documentationOf(property) });
  }
  for (const name of required) if (!members.has(name)) members.set(name, { type: rest, required: true });
  if (members.size === 0 && rest.kind === "any") return anyObject;
  const keyword = ["properties", "additionalProperties", "required"].find((each) => own(schema, each) !== undefined);
  return objectOf(members, rest, keyword === undefined ? undefined : context.document.spanOf(schema, keyword, "key"));
}

function restType(schema: JsonObject, inner: ReadSubschema): Type {
  const patterns = Object.values(objectAt(schema, "patternProperties") ?? {}).map((part) =>
    isSchema(part) ? inner(part) : any,
  );
  const additional = own(schema, "additionalProperties") ?? unevaluatedProperties(schema);
  return union(...patterns, isSchema(additional) ? inner(additional) : any);
}

const applicators = ["allOf", "anyOf", "oneOf", "if", "$ref", "$dynamicRef", "$recursiveRef", "dependentSchemas"];

/** Without applicators, the unevaluated properties are the unlisted ones. */
function unevaluatedProperties(schema: JsonObject) {
  return applicators.some((keyword) => own(schema, keyword) !== undefined)
    ? undefined
    : own(schema, "unevaluatedProperties");
}

function arrayType(schema: JsonObject, inner: ReadSubschema): Type {
  const items = own(schema, "items");
  const first = arrayAt(schema, "prefixItems") ?? arrayAt(schema, "items") ?? [];
  const rest = Array.isArray(items) ? own(schema, "additionalItems") : items;
  if (first.length === 0 && rest === undefined) return anyArray;
  const types = first.map((part) => (isSchema(part) ? inner(part) : any));
  return arrayOf(union(...types, isSchema(rest) ? inner(rest) : any));
}

/** The document in which references are resolved. */
export interface ReferenceContext {
  readonly document: Document;
  anchors: ReadonlyMap<string, JsonObject> | undefined;
}

interface SchemaContext extends ReferenceContext {
  readonly report: Report;
  readonly drafts: Map<object, DraftDefinition>;
  readonly waiting: DraftDefinition[];
  readonly names: Set<string>;
  readonly fuel: Fuel;
}

interface DraftDefinition {
  readonly schema: JsonObject | boolean;
  readonly definition: { -readonly [key in keyof TypeDefinition]: TypeDefinition[key] };
  state: "waiting" | "begun" | "done";
}

interface SchemaLevel {
  readonly depth: number;
  /** In a subschema with its own `$id`, references are not followed. */
  readonly isEmbedded: boolean;
}

const maxParts = 20_000;

const createContext = (document: Document, report: Report): SchemaContext => ({
  document,
  report,
  drafts: new Map(),
  waiting: [],
  names: new Set(),
  fuel: fuelOf(maxParts),
  anchors: undefined,
});

function objectAt(schema: JsonObject, keyword: string): JsonObject | undefined {
  const value = own(schema, keyword);
  return isObject(value) ? value : undefined;
}

function arrayAt(schema: JsonObject, keyword: string): readonly Json[] | undefined {
  const value = own(schema, keyword);
  return Array.isArray(value) ? value : undefined;
}

function stringAt(schema: JsonObject, keyword: string): string | undefined {
  const value = own(schema, keyword);
  return typeof value === "string" ? value : undefined;
}

function documentationOf(schema: Json | undefined): { readonly documentation?: string } {
  if (!isObject(schema)) return {};
  const strings = [stringAt(schema, "title"), stringAt(schema, "description")].filter(
    (text) => text !== undefined && text !== "",
  );
  return strings.length > 0 ? { documentation: strings.join("\n\n") } : {};
}

function resolveReference(schema: JsonObject, reference: string, level: SchemaLevel, context: SchemaContext): Type {
  const fragment = level.isEmbedded ? undefined : fragmentOf(reference, context);
  if (fragment === undefined) return any;
  const found = findPart(fragment, context);
  if (found === "elsewhere") return any;
  if (found !== undefined) return definitionOf(found, fragment, context);
  context.report(unresolvedSchemaReference(context.document.spanOf(schema, "$ref"), { reference }));
  return any;
}

/** The fragment of a reference into this document; undefined for references to others. */
export function fragmentOf(reference: string, { document }: ReferenceContext): string | undefined {
  const [base = "", fragment = ""] = reference.split("#", 2);
  const id = isObject(document.value) ? stringAt(document.value, "$id")?.split("#", 1)[0] : undefined;
  return base === "" || base === id ? fragment : undefined;
}

/** The schema at a fragment. `elsewhere`: inside a subschema with its own base URI. */
export function findPart(fragment: string, context: ReferenceContext): JsonObject | boolean | "elsewhere" | undefined {
  const { value: root } = context.document;
  if (fragment !== "" && !fragment.startsWith("/")) return collectAnchors(context).get(fragment);
  let part: Json | undefined = root;
  for (const step of stepsOf(fragment)) {
    if (part !== root && isObject(part) && hasIdentity(part)) return "elsewhere";
    part = Array.isArray(part)
      ? (part as readonly Json[])[/^\d{1,9}$/.test(step) ? Number(step) : -1]
      : isObject(part)
        ? own(part, step)
        : undefined;
    if (part === undefined) return undefined;
  }
  return isSchema(part) ? part : undefined;
}

function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => decodeUri(step).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decodeUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function hasIdentity(schema: JsonObject): boolean {
  const id = stringAt(schema, "$id");
  return id !== undefined && !id.startsWith("#");
}

const dataKeywords: ReadonlySet<string> = new Set(["enum", "const", "default", "examples"]);

function collectAnchors(context: ReferenceContext): ReadonlyMap<string, JsonObject> {
  if (context.anchors) return context.anchors;
  const anchors = new Map<string, JsonObject>();
  const { value: root } = context.document;
  const waiting: Json[] = [root];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (Array.isArray(part)) for (const item of part) waiting.push(item);
    if (!isObject(part) || (part !== root && hasIdentity(part))) continue;
    const name = stringAt(part, "$anchor") ?? stringAt(part, "$id")?.replace(/^(?!#).*|^#/, "");
    if (name !== undefined && name !== "" && !anchors.has(name)) anchors.set(name, part);
    for (const key of Object.keys(part)) if (!dataKeywords.has(key)) waiting.push(part[key]!);
  }
  context.anchors = anchors;
  return anchors;
}

function definitionOf(schema: JsonObject | boolean, fragment: string, context: SchemaContext): Type {
  if (typeof schema === "boolean") return schema ? any : never;
  const known = context.drafts.get(schema);
  if (known) return referenceTo(known);
  const name = nameOf(schema, fragment, context);
  const draft: DraftDefinition = {
    schema,
    definition: { name, type: any, ...documentationOf(schema) },
    state: "waiting",
  };
  context.drafts.set(schema, draft).set(draft.definition, draft);
  context.waiting.push(draft);
  return referenceTo(draft);
}

const referenceTo = ({ definition }: DraftDefinition): ReferenceType => ({ kind: "reference", definition });

function nameOf(schema: JsonObject, fragment: string, { names }: SchemaContext): string {
  const step = fragment.startsWith("/") ? stepsOf(fragment).at(-1) : fragment;
  const wanted = (step || stringAt(schema, "title") || "Schema").slice(0, 100);
  let name = wanted;
  for (let i = 2; names.has(name); i++) name = `${wanted}${i}`;
  names.add(name);
  return name;
}
