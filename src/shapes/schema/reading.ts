import type { Document } from "../../document/index.ts";
import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import type { Report } from "../../text/diagnostics.ts";
import { type Fuel, fuelOf } from "../fuel.ts";
import type { Definition } from "../shape.ts";

/** What is read once for a schema as a whole. */
export interface Reading {
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
export interface Draft {
  readonly schema: JsonObject | boolean;
  readonly definition: { -readonly [key in keyof Definition]: Definition[key] };
  state: "waiting" | "begun" | "done";
}

/** Where in a schema something is read. */
export interface Level {
  /** How many schemas are around it. */
  readonly depth: number;
  /** Whether it is in a part with an identity of its own, from where references are not followed. */
  readonly isEmbedded: boolean;
}

/** More parts of a schema are not read: they allow for anything. */
const mostParts = 20_000;

/** The beginning of reading a schema. */
export const readingOf = (document: Document, report: Report): Reading => ({
  document,
  report,
  drafts: new Map(),
  waiting: [],
  names: new Set(),
  fuel: fuelOf(mostParts),
  anchors: undefined,
});

/** Whether a JSON value can be a schema. */
export const isSchema = (value: Json | undefined): value is JsonObject | boolean =>
  typeof value === "boolean" || isObject(value);

/** The schema's own keyword as an object. */
export function objectAt(schema: JsonObject, keyword: string): JsonObject | undefined {
  const value = own(schema, keyword);
  return isObject(value) ? value : undefined;
}

/** The schema's own keyword as a list. */
export function listAt(schema: JsonObject, keyword: string): readonly Json[] | undefined {
  const value = own(schema, keyword);
  return Array.isArray(value) ? value : undefined;
}

/** The schema's own keyword as a text. */
export function textAt(schema: JsonObject, keyword: string): string | undefined {
  const value = own(schema, keyword);
  return typeof value === "string" ? value : undefined;
}

/** What a schema says about itself for people. */
export function documentationOf(schema: Json | undefined): { readonly documentation?: string } {
  if (!isObject(schema)) return {};
  const texts = [textAt(schema, "title"), textAt(schema, "description")].filter(
    (text) => text !== undefined && text !== "",
  );
  return texts.length > 0 ? { documentation: texts.join("\n\n") } : {};
}
