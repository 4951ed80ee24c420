import type { Json } from "../json.ts";
import { lineText, positionOf, type Source, type Span } from "../text/source.ts";
import type { CopyOrigin, Document } from "./document.ts";

/** The positions of an object or array and its parts. */
export interface NodePositions {
  readonly start: number;
  readonly end: number;
  /** In source order; undefined for an array. */
  readonly names: readonly string[] | undefined;
  /** Start and end of each key and value, or of each item. */
  readonly offsets: readonly number[];
}

/** The output of a reader. */
export interface ParsedDocument {
  readonly value: Json;
  readonly start: number;
  readonly end: number;
  readonly positions: ReadonlyMap<object, NodePositions>;
}

/** Creates a document. */
export function createDocument(source: Source, parsed: ParsedDocument, isRecovered = false): Document {
  return createView({ source, parsed, isRecovered, indexes: new Map(), origins: [] }, parsed.value);
}

/** Copies share everything but `origins`. */
interface DocumentView {
  readonly source: Source;
  readonly parsed: ParsedDocument;
  readonly isRecovered: boolean;
  /** For large objects that were queried. */
  readonly indexes: Map<NodePositions, ReadonlyMap<string, number>>;
  readonly origins: readonly ReadonlyMap<object, CopyOrigin>[];
}

function createView(view: DocumentView, value: Json): Document {
  const { source, parsed, isRecovered } = view;
  return {
    source,
    value,
    isRecovered,
    span: { source, start: parsed.start, end: parsed.end },
    start: startOf(view),
    spanOf: (owner, property, part = "value") => spanOf(view, owner, property, part),
    spanWithin: (owner, property, from, to) => spanWithin(view, owner, property, from, to),
    offsetsOf: (owner, property) => offsetsOf(view, owner, property),
    part: (owner, property) => partOf(view, owner, property),
    withValue: (copy, copies) => createView({ ...view, origins: [copies, ...view.origins] }, copy),
  };
}

function partOf(view: DocumentView, owner: object, property: string | number): Document {
  const value = (owner as { readonly [key: string | number]: Json })[property] ?? null;
  const { start, end } = spanOf(view, owner, property, "value");
  return createView({ ...view, parsed: { ...view.parsed, value, start, end } }, value);
}

function offsetsOf(view: DocumentView, owner: object, property: string | number): readonly number[] | undefined {
  const text = (owner as { readonly [key: string | number]: Json })[property];
  const { source, start, end } = spanOf(view, owner, property, "value");
  return typeof text === "string" ? offsetsWithin(source.text.slice(start, end), text)?.map((at) => at + start) : [];
}

function startOf({ source, parsed }: DocumentView): Span {
  const positions =
    typeof parsed.value === "object" && parsed.value !== null ? parsed.positions.get(parsed.value) : undefined;
  if (positions?.names?.length) return { source, start: positions.offsets[0]!, end: positions.offsets[1]! };
  const { line, column } = positionOf(source, parsed.start);
  const lineEnd = parsed.start + lineText(source, line).length - column + 1;
  return { source, start: parsed.start, end: Math.min(parsed.end, Math.max(lineEnd, parsed.start)) };
}

function spanOf(
  view: DocumentView,
  owner: unknown,
  property: string | number | undefined,
  part: "key" | "value",
): Span {
  const { source, parsed } = view;
  const { positions, name } = resolveOriginal(view, owner, property);
  if (!positions) return { source, start: parsed.start, end: parsed.end };
  const index = name === undefined ? -1 : indexOf(view, positions, name);
  if (index < 0) return { source, start: positions.start, end: positions.end };
  const at = positions.names ? index * 4 + (part === "key" ? 0 : 2) : index * 2;
  return { source, start: positions.offsets[at]!, end: positions.offsets[at + 1]! };
}

function spanWithin(view: DocumentView, owner: unknown, property: string | number, from: number, to: number): Span {
  const whole = spanOf(view, owner, property, "value");
  const { positions, name } = resolveOriginal(view, owner, property);
  if (!positions || name === undefined || indexOf(view, positions, name) < 0) return whole;
  const text = Object.hasOwn(owner as object, property)
    ? (owner as { readonly [key: string | number]: unknown })[property]
    : undefined;
  return typeof text === "string" ? spanOfSubstring(whole, text, from, to) : whole;
}

function resolveOriginal(view: DocumentView, owner: unknown, property: string | number | undefined) {
  if (typeof owner !== "object" || owner === null) return { positions: undefined, name: undefined };
  let original: object = owner;
  let name = property === undefined ? undefined : `${property}`;
  for (const copies of view.origins) {
    const origin = copies.get(original);
    if (!origin) continue;
    const moved = name === undefined ? undefined : origin.moved?.get(name);
    if (moved) {
      original = moved.owner;
      name = moved.name;
      continue;
    }
    if (name !== undefined) name = origin.written?.get(name) ?? name;
    original = origin.of;
  }
  return { positions: view.parsed.positions.get(original), name };
}

function indexOf({ indexes }: DocumentView, positions: NodePositions, name: string): number {
  const { names } = positions;
  if (!names) {
    const index = Number(name);
    return Number.isInteger(index) && index >= 0 && index * 2 < positions.offsets.length ? index : -1;
  }
  if (names.length <= 16) return names.indexOf(name);
  const index = indexes.get(positions) ?? new Map(names.map((each, i) => [each, i]));
  indexes.set(positions, index);
  return index.get(name) ?? -1;
}

/** Returns `whole`, the span of the string with its quotes, if the two cannot be aligned. */
function spanOfSubstring(whole: Span, text: string, from: number, to: number): Span {
  const raw = whole.source.text.slice(whole.start, whole.end);
  const first = Math.max(0, Math.min(from, text.length));
  const last = Math.max(first, Math.min(to, text.length));
  const found = locateSubstring(raw, text, first, last);
  return found ? { source: whole.source, start: whole.start + found.start, end: whole.start + found.end } : whole;
}

interface OffsetRange {
  readonly start: number;
  readonly end: number;
}

function locateSubstring(raw: string, text: string, from: number, to: number): OffsetRange | undefined {
  switch (raw[0]) {
    case '"':
      return locateInQuotes(raw, from, to, escapeLength);
    case "'":
      return locateInQuotes(raw, from, to, (at) =>
        raw.startsWith("''", at) ? { raw: 2, text: 1 } : { raw: 1, text: 1 },
      );
    case "|":
    case ">":
      return locateInBlock(raw, text, from, to);
    default:
      return raw.slice(0, to) === text.slice(0, to) ? { start: from, end: to } : undefined;
  }
}

interface RawUnit {
  readonly raw: number;
  readonly text: number;
}

function locateInQuotes(
  raw: string,
  from: number,
  to: number,
  stepAt: (at: number, raw: string) => RawUnit,
): OffsetRange | undefined {
  let at = 1;
  let length = 0;
  let start = from === 0 ? 1 : -1;
  while (length < to && at < raw.length - 1) {
    if (raw[at] === "\n" || raw[at] === "\r") return undefined;
    const step = stepAt(at, raw);
    if (length <= from) start = at;
    length += step.text;
    at += step.raw;
    if (length === from) start = at;
  }
  return length >= to && start >= 0 ? { start, end: at } : undefined;
}

const hexDigits: { readonly [letter: string]: number } = { x: 2, u: 4, U: 8 };

function escapeLength(at: number, raw: string): RawUnit {
  if (raw[at] !== "\\") return { raw: 1, text: 1 };
  const digits = hexDigits[raw[at + 1]!] ?? 0;
  const isPair = digits === 8 && Number.parseInt(raw.slice(at + 2, at + 10), 16) > 0xffff;
  return { raw: 2 + digits, text: isPair ? 2 : 1 };
}

function locateInBlock(raw: string, text: string, from: number, to: number): OffsetRange | undefined {
  let rawLine = raw.indexOf("\n") + 1;
  let line = 0;
  let start = -1;
  while (rawLine > 0) {
    const end = lineEnd(text, line);
    const rawEnd = lineEnd(raw, rawLine);
    const written = raw.slice(rawLine, rawEnd).replace(/\r$/, "");
    const expected = text.slice(line, end);
    if (!written.endsWith(expected) || written.slice(0, written.length - expected.length).trimStart() !== "")
      return undefined;
    const shift = rawLine + written.length - expected.length - line;
    if (start < 0 && from <= end) start = from + shift;
    if (to <= end) return { start, end: to + shift };
    line = end + 1;
    rawLine = raw.indexOf("\n", rawLine) + 1;
  }
  return undefined;
}

/** For each unit of a string and its end: where the literal `raw` has it. */
function offsetsWithin(raw: string, text: string): readonly number[] | undefined {
  const offsets: number[] = [];
  switch (raw[0]) {
    case '"':
    case "'":
      for (let at = 1; at < raw.length - 1 && raw[at] !== "\n" && raw[at] !== "\r"; ) {
        const isPair = raw[0] === "'" && raw.startsWith("''", at);
        const unit = raw[0] === "'" ? { raw: isPair ? 2 : 1, text: 1 } : escapeLength(at, raw);
        for (let i = 0; i < unit.text; i += 1) offsets.push(at);
        at += unit.raw;
      }
      offsets.push(raw.length - 1);
      break;
    case "|":
    case ">":
    case "<":
      for (let line = 0, rawLine = raw.indexOf("\n") + 1; rawLine > 0 && line <= text.length; ) {
        const end = lineEnd(text, line);
        const rawEnd = lineEnd(raw, rawLine);
        const length = raw.slice(rawLine, rawEnd).replace(/\r$/, "").length;
        const indent = length - (end - line);
        if (indent < 0 || raw.slice(rawLine + indent, rawLine + length) !== text.slice(line, end)) return undefined;
        for (let i = line; i <= end && offsets.length <= text.length; i += 1) offsets.push(rawLine + indent + i - line);
        line = end + 1;
        rawLine = raw.indexOf("\n", rawLine) + 1;
      }
      while (offsets.length <= text.length) offsets.push(raw.length);
      break;
    default:
      if (raw !== text) return undefined;
      for (let i = 0; i <= text.length; i += 1) offsets.push(i);
  }
  return offsets.length === text.length + 1 ? offsets : undefined;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}
