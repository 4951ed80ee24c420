import type { Diagnostic } from "../text/diagnostics.ts";
import { areDisjoint } from "../text/fix.ts";
import type { Source, Span } from "../text/source.ts";
import type { ParsedDocument } from "./positions.ts";

/** A range of offsets. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A replacement for a range. */
export interface TextReplacement extends TextRange {
  readonly text: string;
}

/** A replacement after which parsing can continue. */
export interface Repair extends TextReplacement {
  readonly isIntended: boolean;
  /** Until this offset, errors are consequences. */
  readonly echoesUntil: number;
}

/** A repaired source that maps positions to the original. */
export interface RepairedSource {
  readonly source: Source;
  isBetween(repair: Repair, start: number, end: number): boolean;
  original(diagnostic: Diagnostic): Diagnostic;
  originalDocument(reading: ParsedDocument): ParsedDocument;
  /** Undefined if it would change another repair. */
  originalRepair(repair: Repair): Repair | undefined;
}

/** Applies repairs that do not overlap. */
export function applyRepairs(source: Source, repairs: readonly Repair[]): RepairedSource {
  const sorted = [...repairs].sort((a, b) => a.start - b.start);
  let text = "";
  let end = 0;
  for (const repair of sorted) {
    text += source.text.slice(end, repair.start) + repair.text;
    end = repair.end;
  }
  const at = (offset: number): number => originalOffset(sorted, offset);
  const spanAt = (span: Span): Span => ({ source, start: at(span.start), end: at(span.end) });
  return {
    source: { ...source, text: text + source.text.slice(end) },
    isBetween: ({ start }, from, to) => start >= at(from) && start < at(to),
    original: (diagnostic) => ({
      ...diagnostic,
      span: spanAt(diagnostic.span),
      notes: diagnostic.notes.map((note) => ({ ...note, span: spanAt(note.span) })),
      ...(diagnostic.fix && { fix: diagnostic.fix.map((edit) => ({ ...edit, span: spanAt(edit.span) })) }),
    }),
    originalDocument: (reading) => (repairs.length === 0 ? reading : moveDocument(reading, at)),
    originalRepair(repair) {
      const moved = { ...repair, start: at(repair.start), end: at(repair.end), echoesUntil: at(repair.echoesUntil) };
      return sorted.every((other) => areDisjoint(moved, other)) ? moved : undefined;
    },
  };
}

function originalOffset(sorted: readonly Repair[], offset: number): number {
  let shift = 0;
  for (const { start, end, text } of sorted) {
    const from = start + shift;
    if (offset < from) break;
    if (offset < from + text.length) return Math.min(start + offset - from, end);
    shift += text.length - (end - start);
  }
  return offset - shift;
}

function moveDocument(reading: ParsedDocument, at: (offset: number) => number): ParsedDocument {
  const places = [...reading.positions].map(
    ([value, place]) =>
      [value, { ...place, start: at(place.start), end: at(place.end), offsets: place.offsets.map(at) }] as const,
  );
  return { ...reading, start: at(reading.start), end: at(reading.end), positions: new Map(places) };
}

/** A repair that restores the intended text. */
export const intendedRepair = (text: string, { start, end, text: written }: TextReplacement): Repair => ({
  start,
  end,
  text: written,
  isIntended: true,
  echoesUntil: end > start && text[end - 1] === "\n" ? end : nextLine(text, end),
});

/** `name foo` → `name: foo`; the value of a key alone is unknown. */
export function addColon(text: string, { start, end }: TextRange): Repair | undefined {
  const [word, rest] = /^[\w$-]+(?=(\s+\S)?)/.exec(text.slice(start, end)) ?? [];
  if (word === undefined) return undefined;
  const at = start + word.length;
  return { ...intendedRepair(text, { start: at, end: at, text: ":" }), isIntended: rest !== undefined };
}

/** `{ a: b c: d }` → `{ a: b, c: d }`. */
export function insertComma(text: string, { start, end }: TextRange): Repair | undefined {
  const found = /\s+(?=[\w-]+:(?:\s|$))/.exec(text.slice(start, end));
  return found ? intendedRepair(text, { start: start + found.index, end: start + found.index, text: "," }) : undefined;
}

/** `a: b: c` → `a: 'b: c'` */
export function quoteRange(text: string, start: number): Repair {
  const line = lineStart(text, start);
  const isInBrackets = /[[{][^\]}]*$/.test(text.slice(line, start));
  const rest = text.slice(start, lineEnd(text, start));
  const [written] = (isInBrackets ? /^[^,\]}]*/ : /^(?:[^#]|(?<=\S)#)*/).exec(rest)!;
  return intendedRepair(text, quoteText(start, written.trimEnd()));
}

/** `a: 'it's'` → `a: 'it''s'`, and `a: "b" c` → `a: '"b" c'` */
export function requoteLine(text: string, at: number): Repair | undefined {
  const line = lineStart(text, at);
  const [lead, quote] = /^\s*(?:- +)*(?:[\w$-]+: +)?(['"])/.exec(text.slice(line, at)) ?? [];
  if (lead === undefined) return undefined;
  const start = line + lead.length - 1;
  const written = text.slice(start, lineEnd(text, start)).trimEnd();
  const isClosed = written.endsWith(quote!);
  const inside = isClosed ? written.slice(1, -1) : written;
  return intendedRepair(text, { ...quoteText(start, inside), end: start + written.length });
}

const quoteText = (start: number, written: string): TextReplacement => ({
  start,
  end: start + written.length,
  text: `'${written.replaceAll("'", "''")}'`,
});

/** `a: 'b` → `a: 'b'` */
export function closeString(text: string, start: number): Repair {
  const before = text.slice(lineStart(text, start), start);
  const written = text.slice(start, lineEnd(text, start)).trimEnd();
  const closers = /[[{]/.test(before) ? /\s*[\]},]+$/.exec(written)?.[0].length : /,$/.exec(written)?.[0].length;
  const at = start + written.length - (closers ?? 0);
  return intendedRepair(text, { start: at, end: at, text: text[start]! });
}

/** `a: { b: c` → `a: { b: c}` */
export function closeBracket(text: string, start: number, stranger: number): Repair | undefined {
  const line = lineStart(text, stranger);
  const all = text.slice(start, line > start ? line : lineEnd(text, start)).trimEnd();
  const written = all.replace(/(?:\s#[^\n]*|,)?\s*$/, "");
  const open = written.replace(/[^[{]/g, "").length - written.replace(/[^\]}]/g, "").length;
  if (open !== 1 || !/[[{]/.test(text[start]!)) return undefined;
  const at = start + written.length;
  const end = text[at] === "," ? at + 1 : at;
  const closed = intendedRepair(text, { start: at, end, text: text[start] === "{" ? "}" : "]" });
  return { ...closed, isIntended: written.length > 1 };
}

/** Keeps the first side of a merge conflict. */
export function resolveConflict(text: string, { start }: TextRange): Repair | undefined {
  const [whole, first, own, other] =
    /^(<{7}.*\n)((?:.*\n)*?)((?:={7}|\|{7})(?:.*\n)*?>{7}.*(?:\n|$))/.exec(text.slice(start)) ?? [];
  if (whole === undefined) return undefined;
  return intendedRepair(text, { start, end: start + whole.length, text: blank(first!) + own! + blank(other!) });
}

/** Blanks a line and its children. */
export function blankEntry(text: string, at: number): Repair {
  const start = lineStart(text, at);
  const column = /^[ \t]*/.exec(text.slice(start, at + 1))![0].length;
  return blankLines(text, start, (line) => /^[ \t]*/.exec(line)![0].length > column || line.trim() === "");
}

/** Blanks lines indented with tabs. */
export const blankTabbedLines = (text: string, at: number): Repair =>
  blankLines(text, lineStart(text, at), (line) => /^ *\t/.test(line));

function blankLines(text: string, start: number, belongs: (line: string) => boolean): Repair {
  let end = nextLine(text, start);
  while (end < text.length && belongs(text.slice(end, lineEnd(text, end)))) end = nextLine(text, end);
  const echoesUntil = nextLine(text, end);
  return { start, end, text: blank(text.slice(start, end)), isIntended: false, echoesUntil };
}

const blank = (text: string): string => text.replace(/[^\r\n]/g, " ");

const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;

function lineEnd(text: string, at: number): number {
  const end = nextLine(text, at);
  return end - /\r?\n?$/.exec(text.slice(Math.max(at, end - 2), end))![0].length;
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}
