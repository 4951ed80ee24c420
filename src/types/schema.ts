import { danglingSchemaReference } from "../diagnostics/data.ts";
import type { Document } from "../documents/index.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Span } from "../text/source.ts";
import { type Fuel, fuelOf, intersect, shapeOfValue, union } from "./lattice.ts";
import {
  any,
  anyArray,
  anyObject,
  arrayOf,
  boolean,
  type Definition,
  integer,
  type Member,
  never,
  nullShape,
  number,
  objectOf,
  type ReferenceShape,
  type Shape,
  string,
} from "./type.ts";

/**
 * The shape of the values that a JSON Schema allows (drafts 7, 2019-09 and 2020-12), or the part of it at a fragment: a JSON Pointer, or an anchor.
 * Undefined where there is no such part. What shapes cannot say allows for more, never for less: lengths, ranges, formats and patterns, `not`,
 * conditions, references to other documents. References that lead nowhere are reported.
 */
export function shapeOfSchema(document: Document, fragment: string, report: Report): Shape | undefined {
  const reading = readingOf(document, report);
  const part = partAt(fragment, reading);
  if (part === undefined) return undefined;
  const shape = part === "elsewhere" ? any : shapeAt(part, { depth: 0, isEmbedded: false }, reading);
  for (let draft = reading.waiting.pop(); draft; draft = reading.waiting.pop()) complete(draft, 0, reading);
  return shape;
}

/** Whether a JSON value can be a schema. */
export const isSchema = (value: Json | undefined): value is JsonObject | boolean =>
  typeof value === "boolean" || isObject(value);

/** Schemas nested deeper than this allow for anything. */
const deepest = 64;

function complete(draft: Draft, depth: number, reading: Reading): void {
  if (draft.state !== "waiting") return;
  draft.state = "begun";
  draft.definition.shape = shapeAt(draft.schema, { depth, isEmbedded: false }, reading);
  draft.state = "done";
}

function shapeAt(schema: JsonObject | boolean, { depth, isEmbedded }: Level, reading: Reading): Shape {
  if (typeof schema === "boolean") return schema ? any : never;
  reading.fuel.left -= 1;
  if (depth > deepest || reading.fuel.left < 0) return any;
  const isOwn = schema !== reading.document.value && hasIdentity(schema);
  const level: Level = { depth: depth + 1, isEmbedded: isEmbedded || isOwn };
  const reference = textAt(schema, "$ref");
  const referredTo = reference === undefined ? any : referred(schema, reference, level, reading);
  if (reference !== undefined && !hasSiblings(reading)) return referredTo;
  const inner = (part: JsonObject | boolean) => shapeAt(part, level, reading);
  const said = [referredTo, ownShape(schema, level, reading), ...combinations(schema, inner)];
  return said.reduce((shape, other) => bothOf(shape, other, level, reading));
}

/** Beside `$ref` nothing counts in draft 7 and before: then what is there can only be left out. */
function hasSiblings({ document }: Reading): boolean {
  const dialect =
    isSchema(document.value) && typeof document.value === "object" ? textAt(document.value, "$schema") : undefined;
  return dialect !== undefined && /20(?:19-09|20-12)/.test(dialect);
}

function bothOf(a: Shape, b: Shape, { depth }: Level, reading: Reading): Shape {
  const resolve = (definition: Draft["definition"]): Shape | undefined => {
    const draft = reading.drafts.get(definition);
    if (draft && draft.state === "waiting" && depth < deepest) complete(draft, depth + 1, reading);
    return draft?.state === "done" ? definition.shape : undefined;
  };
  return intersect(a, b, resolve, fuelOf(2_000));
}

/** What each of the keywords that combine schemas says. */
function combinations(schema: JsonObject, inner: (part: JsonObject | boolean) => Shape): readonly Shape[] {
  const partsOf = (keyword: string) => listAt(schema, keyword)?.map((part) => (isSchema(part) ? inner(part) : any));
  const choices = ["anyOf", "oneOf"].flatMap((keyword) => {
    const parts = partsOf(keyword);
    return parts ? [union(...parts)] : [];
  });
  return [...(partsOf("allOf") ?? []), ...choices];
}

/** What a schema says by its type, its values, and the parts of objects and arrays. */
function ownShape(schema: JsonObject, level: Level, reading: Reading): Shape {
  const typed = typedShape(schema, level, reading);
  const values = own(schema, "const") === undefined ? listAt(schema, "enum") : [own(schema, "const")!];
  if (!values) return typed;
  const origin = reading.document.spanOf(schema, own(schema, "const") === undefined ? "enum" : "const", "key");
  const parts = values.slice(0, 1_000).map((value) => ({ ...shapeOfValue(value), origin }));
  return values.length > parts.length ? typed : bothOf(typed, union(...parts), level, reading);
}

const types = ["null", "boolean", "number", "string", "array", "object"];

function typedShape(schema: JsonObject, level: Level, reading: Reading): Shape {
  const type = own(schema, "type");
  const names = typeof type === "string" ? [type] : Array.isArray(type) ? type : undefined;
  const inner = (part: JsonObject | boolean) => shapeAt(part, level, reading);
  const isOpen = !names?.length || !names.every((name) => name === "integer" || types.includes(String(name)));
  const array = isOpen || names!.includes("array") ? arrayShape(schema, inner) : never;
  const object = isOpen || names!.includes("object") ? objectShape(schema, reading, inner) : never;
  const origin = names && reading.document.spanOf(schema, "type");
  if (!isOpen)
    return union(
      ...names!.map((name) => scalarShape(String(name), origin)),
      withOrigin(array, origin),
      withOrigin(object, origin),
    );
  return array === anyArray && object === anyObject ? any : union(nullShape, boolean, number, string, array, object);
}

function scalarShape(name: string, origin: Span | undefined): Shape {
  const shape = scalars.get(name) ?? never;
  return withOrigin(shape, origin);
}

const withOrigin = (shape: Shape, origin: Span | undefined): Shape =>
  origin === undefined || shape.origin || shape === never ? shape : { ...shape, origin };

const scalars: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ["null", nullShape],
  ["boolean", boolean],
  ["number", number],
  ["integer", integer],
  ["string", string],
]);

/** Reads a schema within another one. */
type Inner = (schema: JsonObject | boolean) => Shape;

/** What a schema says about the objects that it allows. */
function objectShape(schema: JsonObject, reading: Reading, inner: Inner): Shape {
  const properties = objectAt(schema, "properties") ?? {};
  const required = new Set((listAt(schema, "required") ?? []).filter((name) => typeof name === "string"));
  const rest = restShape(schema, inner);
  const members = new Map<string, Member>();
  for (const name of Object.keys(properties)) {
    const property = properties[name];
    const shape = isSchema(property) ? inner(property) : any;
    members.set(name, { shape, required: required.has(name), ...documentationOf(property) });
  }
  for (const name of required) if (!members.has(name)) members.set(name, { shape: rest, required: true });
  if (members.size === 0 && rest.kind === "any") return anyObject;
  const keyword = ["properties", "additionalProperties", "required"].find((each) => own(schema, each) !== undefined);
  return objectOf(members, rest, keyword === undefined ? undefined : reading.document.spanOf(schema, keyword, "key"));
}

/** What other members can be than those that are listed: those whose names match a pattern, or those that match none. */
function restShape(schema: JsonObject, inner: Inner): Shape {
  const patterns = Object.values(objectAt(schema, "patternProperties") ?? {}).map((part) =>
    isSchema(part) ? inner(part) : any,
  );
  const additional = own(schema, "additionalProperties") ?? unevaluated(schema);
  return union(...patterns, isSchema(additional) ? inner(additional) : any);
}

const applicators = ["allOf", "anyOf", "oneOf", "if", "$ref", "$dynamicRef", "$recursiveRef", "dependentSchemas"];

/** Without parts that could evaluate them, unevaluated members are those that are not listed. */
function unevaluated(schema: JsonObject) {
  return applicators.some((keyword) => own(schema, keyword) !== undefined)
    ? undefined
    : own(schema, "unevaluatedProperties");
}

/** What a schema says about the arrays that it allows. */
function arrayShape(schema: JsonObject, inner: Inner): Shape {
  const items = own(schema, "items");
  const first = listAt(schema, "prefixItems") ?? listAt(schema, "items") ?? [];
  const rest = Array.isArray(items) ? own(schema, "additionalItems") : items;
  if (first.length === 0 && rest === undefined) return anyArray;
  const shapes = first.map((part) => (isSchema(part) ? inner(part) : any));
  return arrayOf(union(...shapes, isSchema(rest) ? inner(rest) : any));
}

/** What is read once for a schema as a whole. */
interface Reading {
  readonly document: Document;
  readonly report: Report;
  /** The parts that are referred to: by the schema, and by the definition that is made of it. */
  readonly drafts: Map<object, Draft>;
  /** Those among them that have not been read. */
  readonly waiting: Draft[];
  readonly names: Set<string>;
  readonly fuel: Fuel;
  /** The parts with an anchor, once somebody asked for one. */
  anchors: ReadonlyMap<string, JsonObject> | undefined;
}

/** A definition that is being made. */
interface Draft {
  readonly schema: JsonObject | boolean;
  readonly definition: { -readonly [key in keyof Definition]: Definition[key] };
  state: "waiting" | "begun" | "done";
}

/** Where in a schema something is read. */
interface Level {
  /** How many schemas are around it. */
  readonly depth: number;
  /** Whether it is in a part with an identity of its own, from where references are not followed. */
  readonly isEmbedded: boolean;
}

/** More parts of a schema are not read: they allow for anything. */
const mostParts = 20_000;

/** The beginning of reading a schema. */
const readingOf = (document: Document, report: Report): Reading => ({
  document,
  report,
  drafts: new Map(),
  waiting: [],
  names: new Set(),
  fuel: fuelOf(mostParts),
  anchors: undefined,
});

/** The schema's own keyword as an object. */
function objectAt(schema: JsonObject, keyword: string): JsonObject | undefined {
  const value = own(schema, keyword);
  return isObject(value) ? value : undefined;
}

/** The schema's own keyword as a list. */
function listAt(schema: JsonObject, keyword: string): readonly Json[] | undefined {
  const value = own(schema, keyword);
  return Array.isArray(value) ? value : undefined;
}

/** The schema's own keyword as a text. */
function textAt(schema: JsonObject, keyword: string): string | undefined {
  const value = own(schema, keyword);
  return typeof value === "string" ? value : undefined;
}

/** What a schema says about itself for people. */
function documentationOf(schema: Json | undefined): { readonly documentation?: string } {
  if (!isObject(schema)) return {};
  const texts = [textAt(schema, "title"), textAt(schema, "description")].filter(
    (text) => text !== undefined && text !== "",
  );
  return texts.length > 0 ? { documentation: texts.join("\n\n") } : {};
}

/** What `$ref` in a schema refers to, by a name of its own; anything where that is in another document. */
function referred(schema: JsonObject, reference: string, level: Level, reading: Reading): Shape {
  const fragment = level.isEmbedded ? undefined : fragmentOf(reference, reading);
  if (fragment === undefined) return any;
  const found = partAt(fragment, reading);
  if (found === "elsewhere") return any;
  if (found !== undefined) return definitionOf(found, fragment, reading);
  reading.report(danglingSchemaReference(reading.document.spanOf(schema, "$ref"), { reference }));
  return any;
}

/** The part of the document that a reference means; undefined where it leads into another one. */
function fragmentOf(reference: string, { document }: Reading): string | undefined {
  const [base = "", fragment = ""] = reference.split("#", 2);
  const id = isObject(document.value) ? textAt(document.value, "$id")?.split("#", 1)[0] : undefined;
  return base === "" || base === id ? fragment : undefined;
}

/** The schema at a JSON Pointer or an anchor; `elsewhere` where its references would be read differently. */
function partAt(fragment: string, reading: Reading): JsonObject | boolean | "elsewhere" | undefined {
  const { value: root } = reading.document;
  if (fragment !== "" && !fragment.startsWith("/")) return anchorsIn(reading).get(fragment);
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
    .map((step) => decoded(step).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether a part of a schema is a schema of its own, to which the references in it are relative. */
function hasIdentity(schema: JsonObject): boolean {
  const id = textAt(schema, "$id");
  return id !== undefined && !id.startsWith("#");
}

/** Values that are no schemas, though they may look like one. */
const data: ReadonlySet<string> = new Set(["enum", "const", "default", "examples"]);

function anchorsIn(reading: Reading): ReadonlyMap<string, JsonObject> {
  if (reading.anchors) return reading.anchors;
  const anchors = new Map<string, JsonObject>();
  const { value: root } = reading.document;
  const waiting: Json[] = [root];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    if (Array.isArray(part)) for (const item of part) waiting.push(item);
    if (!isObject(part) || (part !== root && hasIdentity(part))) continue;
    const name = textAt(part, "$anchor") ?? textAt(part, "$id")?.replace(/^(?!#).*|^#/, "");
    if (name !== undefined && name !== "" && !anchors.has(name)) anchors.set(name, part);
    for (const key of Object.keys(part)) if (!data.has(key)) waiting.push(part[key]!);
  }
  reading.anchors = anchors;
  return anchors;
}

function definitionOf(schema: JsonObject | boolean, fragment: string, reading: Reading): Shape {
  if (typeof schema === "boolean") return schema ? any : never;
  const known = reading.drafts.get(schema);
  if (known) return referenceTo(known);
  const name = nameOf(schema, fragment, reading);
  const draft: Draft = { schema, definition: { name, shape: any, ...documentationOf(schema) }, state: "waiting" };
  reading.drafts.set(schema, draft).set(draft.definition, draft);
  reading.waiting.push(draft);
  return referenceTo(draft);
}

const referenceTo = ({ definition }: Draft): ReferenceShape => ({ kind: "reference", definition });

/** The last step of the reference, or the title; numbered where that is taken. */
function nameOf(schema: JsonObject, fragment: string, { names }: Reading): string {
  const step = fragment.startsWith("/") ? stepsOf(fragment).at(-1) : fragment;
  const wanted = (step || textAt(schema, "title") || "Schema").slice(0, 100);
  let name = wanted;
  for (let i = 2; names.has(name); i++) name = `${wanted}${i}`;
  names.add(name);
  return name;
}
