import type { Diagnostic } from "../text/diagnostics.ts";
import { areApart } from "../text/fix.ts";
import type { Source, Span } from "../text/source.ts";
import type { Reading } from "./places.ts";

/** A stretch of a text. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** What is written instead of a stretch. */
export interface Edit extends Stretch {
  readonly text: string;
}

/** How a text is read as if a fault of structure were not in it, for what else is wrong to be found. */
export interface Repair extends Edit {
  /** Whether this is what the text means; else only its structure is known, and a part is left out. */
  readonly isMeant: boolean;
  /** What is found wrong before this place is the same fault again. */
  readonly echoesUntil: number;
}

/** A text with repairs in it, and where its parts stand in the original. */
export interface Repaired {
  readonly source: Source;
  /** Whether a repair of the original stands between two places of this text. */
  isBetween(repair: Repair, start: number, end: number): boolean;
  original(diagnostic: Diagnostic): Diagnostic;
  originalReading(reading: Reading): Reading;
  /** A repair of this text as one of the original; undefined where it would change another one. */
  originalRepair(repair: Repair): Repair | undefined;
}

/** The text after repairs, which do not overlap. */
export function repaired(source: Source, repairs: readonly Repair[]): Repaired {
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
      ...(diagnostic.mend && { mend: diagnostic.mend.map((edit) => ({ ...edit, span: spanAt(edit.span) })) }),
    }),
    originalReading: (reading) => (repairs.length === 0 ? reading : movedReading(reading, at)),
    originalRepair(repair) {
      const moved = { ...repair, start: at(repair.start), end: at(repair.end), echoesUntil: at(repair.echoesUntil) };
      return sorted.every((other) => areApart(moved, other)) ? moved : undefined;
    },
  };
}

/** Where a place of the repaired text is in the original one: for what a repair put in, where that was put. */
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

function movedReading(reading: Reading, at: (offset: number) => number): Reading {
  const places = [...reading.places].map(
    ([value, place]) =>
      [value, { ...place, start: at(place.start), end: at(place.end), offsets: place.offsets.map(at) }] as const,
  );
  return { ...reading, start: at(reading.start), end: at(reading.end), places: new Map(places) };
}

/** A change that is what the text means. Other faults on its last line are its echoes. */
export const meant = (text: string, { start, end, text: written }: Edit): Repair => ({
  start,
  end,
  text: written,
  isMeant: true,
  echoesUntil: end > start && text[end - 1] === "\n" ? end : nextLine(text, end),
});

/** `name foo` → `name: foo`. A key alone gets its colon too, but what its value is to be is not known. */
export function colonAfter(text: string, { start, end }: Stretch): Repair | undefined {
  const [word, rest] = /^[\w$-]+(?=(\s+\S)?)/.exec(text.slice(start, end)) ?? [];
  if (word === undefined) return undefined;
  const at = start + word.length;
  return { ...meant(text, { start: at, end: at, text: ":" }), isMeant: rest !== undefined };
}

/** `{ a: b c: d }` → `{ a: b, c: d }`. */
export function commaBefore(text: string, { start, end }: Stretch): Repair | undefined {
  const found = /\s+(?=[\w-]+:(?:\s|$))/.exec(text.slice(start, end));
  return found ? meant(text, { start: start + found.index, end: start + found.index, text: "," }) : undefined;
}

/** `a: b: c` → `a: 'b: c'`; in brackets as far as the next comma or bracket. */
export function stretchQuoted(text: string, start: number): Repair {
  const line = lineStart(text, start);
  const isInBrackets = /[[{][^\]}]*$/.test(text.slice(line, start));
  const rest = text.slice(start, lineEnd(text, start));
  const [written] = (isInBrackets ? /^[^,\]}]*/ : /^(?:[^#]|(?<=\S)#)*/).exec(rest)!;
  return meant(text, quoted(start, written.trimEnd()));
}

/** `a: 'it's'` → `a: 'it''s'`, and `a: "b" c` → `a: '"b" c'`: the rest of the line from the quote that begins the value. */
export function lineRequoted(text: string, at: number): Repair | undefined {
  const line = lineStart(text, at);
  const [lead, quote] = /^\s*(?:- +)*(?:[\w$-]+: +)?(['"])/.exec(text.slice(line, at)) ?? [];
  if (lead === undefined) return undefined;
  const start = line + lead.length - 1;
  const written = text.slice(start, lineEnd(text, start)).trimEnd();
  const isClosed = written.endsWith(quote!);
  const inside = isClosed ? written.slice(1, -1) : written;
  return meant(text, { ...quoted(start, inside), end: start + written.length });
}

const quoted = (start: number, written: string): Edit => ({
  start,
  end: start + written.length,
  text: `'${written.replaceAll("'", "''")}'`,
});

/** `a: 'b` → `a: 'b'`: a string ends with its line, before brackets that were open on it. */
export function stringClosed(text: string, start: number): Repair {
  const before = text.slice(lineStart(text, start), start);
  const written = text.slice(start, lineEnd(text, start)).trimEnd();
  const closers = /[[{]/.test(before) ? /\s*[\]},]+$/.exec(written)?.[0].length : /,$/.exec(written)?.[0].length;
  const at = start + written.length - (closers ?? 0);
  return meant(text, { start: at, end: at, text: text[start]! });
}

/**
 * `a: { b: c` → `a: { b: c}`: an object or list in brackets ends before the line of what does not belong to it, or with its own, where it is the only one that
 * does not. What an empty one was to hold is not known.
 */
export function bracketClosed(text: string, start: number, stranger: number): Repair | undefined {
  const line = lineStart(text, stranger);
  const all = text.slice(start, line > start ? line : lineEnd(text, start)).trimEnd();
  const written = all.replace(/(?:\s#[^\n]*|,)?\s*$/, "");
  const open = written.replace(/[^[{]/g, "").length - written.replace(/[^\]}]/g, "").length;
  if (open !== 1 || !/[[{]/.test(text[start]!)) return undefined;
  const at = start + written.length;
  const end = text[at] === "," ? at + 1 : at;
  const closed = meant(text, { start: at, end, text: text[start] === "{" ? "}" : "]" });
  return { ...closed, isMeant: written.length > 1 };
}

/** The lines of the first side of a merge conflict, without those of the other. */
export function conflictResolved(text: string, { start }: Stretch): Repair | undefined {
  const [whole, first, own, other] =
    /^(<{7}.*\n)((?:.*\n)*?)((?:={7}|\|{7})(?:.*\n)*?>{7}.*(?:\n|$))/.exec(text.slice(start)) ?? [];
  if (whole === undefined) return undefined;
  return meant(text, { start, end: start + whole.length, text: blank(first!) + own! + blank(other!) });
}

/** Without the line of a place and those that are indented more. The line after them may be an echo. */
export function withoutEntry(text: string, at: number): Repair {
  const start = lineStart(text, at);
  const column = /^[ \t]*/.exec(text.slice(start, at + 1))![0].length;
  return withoutLines(text, start, (line) => /^[ \t]*/.exec(line)![0].length > column || line.trim() === "");
}

/** Without the line of a place and those after it that are indented with tabs too. */
export const withoutTabs = (text: string, at: number): Repair =>
  withoutLines(text, lineStart(text, at), (line) => /^ *\t/.test(line));

function withoutLines(text: string, start: number, belongs: (line: string) => boolean): Repair {
  let end = nextLine(text, start);
  while (end < text.length && belongs(text.slice(end, lineEnd(text, end)))) end = nextLine(text, end);
  const echoesUntil = nextLine(text, end);
  return { start, end, text: blank(text.slice(start, end)), isMeant: false, echoesUntil };
}

const blank = (text: string): string => text.replace(/[^\r\n]/g, " ");

const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;

/** The end of the line of a place, without what ends it. */
function lineEnd(text: string, at: number): number {
  const end = nextLine(text, at);
  return end - /\r?\n?$/.exec(text.slice(Math.max(at, end - 2), end))![0].length;
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}
