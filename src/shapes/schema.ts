import type { Document } from "../document/index.ts";
import { type JsonObject, own } from "../json.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Span } from "../text/source.ts";
import { fuelOf } from "./fuel.ts";
import { intersect } from "./intersect.ts";
import { shapeOfValue } from "./literal.ts";
import { arrayShape, objectShape } from "./schema/objects.ts";
import { type Draft, isSchema, type Level, listAt, type Reading, readingOf, textAt } from "./schema/reading.ts";
import { hasIdentity, partAt, referred } from "./schema/references.ts";
import { any, anyArray, anyObject, boolean, integer, never, nullShape, number, type Shape, string } from "./shape.ts";
import { union } from "./union.ts";

/** Schemas nested deeper than this allow for anything. */
const deepest = 64;

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
