import { danglingSchemaReference } from "../../diagnostics/types.ts";
import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import { any, never, type ReferenceShape, type Shape } from "../shape.ts";
import { type Draft, documentationOf, isSchema, type Level, type Reading, textAt } from "./reading.ts";

/** What `$ref` in a schema refers to, by a name of its own; anything where that is in another document. */
export function referred(schema: JsonObject, reference: string, level: Level, reading: Reading): Shape {
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
export function partAt(fragment: string, reading: Reading): JsonObject | boolean | "elsewhere" | undefined {
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
export function hasIdentity(schema: JsonObject): boolean {
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
