import type { Json } from "../json.ts";
import { lineText, positionOf, type Source, type Span } from "../text/source.ts";
import type { Document, Origin } from "./index.ts";

/** Where an object or array stands in the text, and where each of its parts does. */
export interface Places {
  readonly start: number;
  readonly end: number;
  /** The keys in the order written; undefined for an array. */
  readonly names: readonly string[] | undefined;
  /** For an object: start and end of each key and of its value. For an array: start and end of each item. */
  readonly offsets: readonly number[];
}

/** What a reader makes of one document. */
export interface Reading {
  readonly value: Json;
  readonly start: number;
  readonly end: number;
  /** For every object and array in `value`. */
  readonly places: ReadonlyMap<object, Places>;
}

/** Makes a document of what was read; `isRecovered` as in `Document`. */
export function documentOf(source: Source, reading: Reading, isRecovered = false): Document {
  return documentFrom({ source, reading, isRecovered, indexes: new Map(), origins: [] }, reading.value);
}

/** What the documents that are copies of each other share, and by which copying they differ. */
interface View {
  readonly source: Source;
  readonly reading: Reading;
  readonly isRecovered: boolean;
  /** For large objects that were asked about: the place of each name in `names`. */
  readonly indexes: Map<Places, ReadonlyMap<string, number>>;
  /** The copyings that led to the value, the latest first. */
  readonly origins: readonly ReadonlyMap<object, Origin>[];
}

function documentFrom(view: View, value: Json): Document {
  const { source, reading, isRecovered } = view;
  return {
    source,
    value,
    isRecovered,
    span: { source, start: reading.start, end: reading.end },
    start: startOf(view),
    spanOf: (owner, property, part = "value") => spanOf(view, owner, property, part),
    spanWithin: (owner, property, from, to) => spanWithin(view, owner, property, from, to),
    with: (copy, copies) => documentFrom({ ...view, origins: [copies, ...view.origins] }, copy),
  };
}

function startOf({ source, reading }: View): Span {
  const places =
    typeof reading.value === "object" && reading.value !== null ? reading.places.get(reading.value) : undefined;
  if (places?.names?.length) return { source, start: places.offsets[0]!, end: places.offsets[1]! };
  const { line, column } = positionOf(source, reading.start);
  const lineEnd = reading.start + lineText(source, line).length - column + 1;
  return { source, start: reading.start, end: Math.min(reading.end, Math.max(lineEnd, reading.start)) };
}

function spanOf(view: View, owner: unknown, property: string | number | undefined, part: "key" | "value"): Span {
  const { source, reading } = view;
  const { places, name } = originalOf(view, owner, property);
  if (!places) return { source, start: reading.start, end: reading.end };
  const index = name === undefined ? -1 : indexOf(view, places, name);
  if (index < 0) return { source, start: places.start, end: places.end };
  const at = places.names ? index * 4 + (part === "key" ? 0 : 2) : index * 2;
  return { source, start: places.offsets[at]!, end: places.offsets[at + 1]! };
}

function spanWithin(view: View, owner: unknown, property: string | number, from: number, to: number): Span {
  const whole = spanOf(view, owner, property, "value");
  const { places, name } = originalOf(view, owner, property);
  if (!places || name === undefined || indexOf(view, places, name) < 0) return whole;
  const text = Object.hasOwn(owner as object, property)
    ? (owner as { readonly [key: string | number]: unknown })[property]
    : undefined;
  return typeof text === "string" ? stretchOf(whole, text, from, to) : whole;
}

/** Goes back from a copy to what was read, and from a property's name to the one in the text. */
function originalOf(view: View, owner: unknown, property: string | number | undefined) {
  if (typeof owner !== "object" || owner === null) return { places: undefined, name: undefined };
  let original: object = owner;
  let name = property === undefined ? undefined : `${property}`;
  for (const copies of view.origins) {
    const origin = copies.get(original);
    if (!origin) continue;
    if (name !== undefined) name = origin.written?.get(name) ?? name;
    original = origin.of;
  }
  return { places: view.reading.places.get(original), name };
}

function indexOf({ indexes }: View, places: Places, name: string): number {
  const { names } = places;
  if (!names) {
    const index = Number(name);
    return Number.isInteger(index) && index >= 0 && index * 2 < places.offsets.length ? index : -1;
  }
  if (names.length <= 16) return names.indexOf(name);
  const index = indexes.get(places) ?? new Map(names.map((each, i) => [each, i]));
  indexes.set(places, index);
  return index.get(name) ?? -1;
}

/**
 * The place of a stretch of a string: `whole` is where the string is written, quotes and block indicator included, `text` what it says,
 * `from` and `to` offsets in `text`. The whole where the two cannot be matched.
 */
function stretchOf(whole: Span, text: string, from: number, to: number): Span {
  const raw = whole.source.text.slice(whole.start, whole.end);
  const first = Math.max(0, Math.min(from, text.length));
  const last = Math.max(first, Math.min(to, text.length));
  const found = offsetsIn(raw, text, first, last);
  return found ? { source: whole.source, start: whole.start + found.start, end: whole.start + found.end } : whole;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

function offsetsIn(raw: string, text: string, from: number, to: number): Stretch | undefined {
  switch (raw[0]) {
    case '"':
      return inQuotes(raw, from, to, escapeLength);
    case "'":
      return inQuotes(raw, from, to, (at) => (raw.startsWith("''", at) ? { raw: 2, text: 1 } : { raw: 1, text: 1 }));
    case "|":
    case ">":
      return inBlock(raw, text, from, to);
    default:
      return raw.slice(0, to) === text.slice(0, to) ? { start: from, end: to } : undefined;
  }
}

/** How much of the raw text stands for how much of the string. */
interface Step {
  readonly raw: number;
  readonly text: number;
}

function inQuotes(
  raw: string,
  from: number,
  to: number,
  stepAt: (at: number, raw: string) => Step,
): Stretch | undefined {
  let at = 1;
  let said = 0;
  let start = from === 0 ? 1 : -1;
  while (said < to && at < raw.length - 1) {
    if (raw[at] === "\n" || raw[at] === "\r") return undefined;
    const step = stepAt(at, raw);
    if (said <= from) start = at;
    said += step.text;
    at += step.raw;
    if (said === from) start = at;
  }
  return said >= to && start >= 0 ? { start, end: at } : undefined;
}

const hexDigits: { readonly [letter: string]: number } = { x: 2, u: 4, U: 8 };

function escapeLength(at: number, raw: string): Step {
  if (raw[at] !== "\\") return { raw: 1, text: 1 };
  const digits = hexDigits[raw[at + 1]!] ?? 0;
  const isPair = digits === 8 && Number.parseInt(raw.slice(at + 2, at + 10), 16) > 0xffff;
  return { raw: 2 + digits, text: isPair ? 2 : 1 };
}

/** Follows the lines of a block scalar as long as they are the lines of the string, indented. */
function inBlock(raw: string, text: string, from: number, to: number): Stretch | undefined {
  let rawLine = raw.indexOf("\n") + 1;
  let line = 0;
  let start = -1;
  while (rawLine > 0) {
    const end = lineEnd(text, line);
    const rawEnd = lineEnd(raw, rawLine);
    const written = raw.slice(rawLine, rawEnd).replace(/\r$/, "");
    const said = text.slice(line, end);
    if (!written.endsWith(said) || written.slice(0, written.length - said.length).trimStart() !== "") return undefined;
    const shift = rawLine + written.length - said.length - line;
    if (start < 0 && from <= end) start = from + shift;
    if (to <= end) return { start, end: to + shift };
    line = end + 1;
    rawLine = raw.indexOf("\n", rawLine) + 1;
  }
  return undefined;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}
