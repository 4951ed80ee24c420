import { type Cursor, match, nested, peek, signal } from "../cursor.ts";
import { readClass } from "./classes.ts";
import { readEscape } from "./escapes.ts";
import { alternatives, type Extent, inSequence, nothing, oneCharacter, repeated } from "./extent.ts";
import { openGroup } from "./groups.ts";

/** What a pattern is made of, as far as its translation needs to know. */
export interface PatternSyntax {
  /** The pattern with Oniguruma's own syntax: groups without names, flags at the beginning left out. */
  readonly normal: string;
  /** The names of its groups, in order; null for those without. */
  readonly names: readonly (string | null)[];
  /** The flags at its beginning, as in `(?i)`. */
  readonly flags: string;
  /** Whether a part of it disregards case. */
  readonly localCase: boolean;
  /** Where a class begins that has all letters in it, if there is one. */
  readonly wideClass: number | undefined;
}

/** A pattern that is being read. */
export interface PatternReader {
  readonly cursor: Cursor;
  /** Whether white space and comments mean nothing. */
  readonly extended: boolean;
  normal: string;
  readonly names: (string | null)[];
  localCase: boolean;
  wideClass: number | undefined;
  /** Whether nothing but assertions has been read so far, and which: Oniguruma searches for `.*` at the beginning in a way of its own. */
  head: "empty" | "asserted" | "past";
  /** Groups that are closed and have taken something whenever the reader gets here; back-references may name only these. */
  readonly certain: Set<number>;
}

/** Reads a whole pattern; signals a fault for what means something else in JavaScript, or is not known to mean the same. */
export function readPattern(cursor: Cursor, extended: boolean): PatternSyntax {
  const flags = (match(cursor, /\(\?[isx]+\)/y) ?? "").replace(/[(?)]/g, "");
  const reader: PatternReader = {
    cursor,
    extended: extended || flags.includes("x"),
    normal: "",
    names: [],
    localCase: false,
    wideClass: undefined,
    head: "empty",
    certain: new Set(),
  };
  readAlternatives(reader);
  if (peek(cursor) === ")") signal(cursor, "syntax", "This parenthesis closes no group.");
  return {
    normal: reader.normal,
    names: reader.names,
    flags,
    localCase: reader.localCase,
    wideClass: reader.wideClass,
  };
}

/** Reads up to the end of a group, or of the pattern. */
export function readAlternatives(reader: PatternReader): Extent {
  const { head } = reader;
  const branches = [readBranch(reader)];
  const heads = [reader.head];
  while (peek(reader.cursor) === "|") {
    copy(reader, 1);
    reader.head = head;
    branches.push(readBranch(reader));
    heads.push(reader.head);
  }
  const extent = alternatives(branches);
  reader.head = extent.most > 0 ? "past" : heads.includes("asserted") ? "asserted" : head;
  return extent;
}

function readBranch(reader: PatternReader): Extent {
  const parts: Extent[] = [];
  for (let next = skipIgnored(reader); next !== "" && next !== "|" && next !== ")"; next = skipIgnored(reader)) {
    const from = reader.cursor.offset;
    const asserted = reader.head === "asserted";
    const atom = nested(reader.cursor, () => readAtom(reader, next));
    if (atom.most > 0) reader.head = "past";
    parts.push(readQuantifier(reader, atom, from));
    if (asserted && /^\.(?:[*+](?!\?)|\{\d+,\}(?!\?))/.test(reader.cursor.text.slice(from, from + 99))) {
      signal(reader.cursor, "unsupported", "An assertion before `.*` at the beginning is not supported.", from);
    }
  }
  return inSequence(parts);
}

/** Moves past what means nothing, and gives the next character. */
function skipIgnored(reader: PatternReader): string {
  const ignored = reader.extended ? /(?:[ \t\n\r\f\v]+|#[^\n]*(?:\n|$)|\(\?#[^)\\]*\))+/y : /(?:\(\?#[^)\\]*\))+/y;
  const from = reader.cursor.offset;
  if (match(reader.cursor, ignored) !== undefined && /[*+?{]/.test(peek(reader.cursor))) {
    signal(reader.cursor, "unsupported", "White space and comments before a quantifier are not supported.", from);
  }
  return peek(reader.cursor);
}

function readAtom(reader: PatternReader, next: string): Extent {
  const { cursor } = reader;
  if (next === "(") return openGroup(reader);
  if (next === "[") return readClass(reader);
  if (next === "\\") return readEscape(reader);
  if (/[*+?]/.test(next)) return signal(cursor, "syntax", "This quantifier has nothing to repeat.");
  if (next === "^" || next === "$") {
    copy(reader, 1);
    if (next === "$") markAsserted(reader);
    return nothing;
  }
  if (next === "{" && match(cursor, /\{(?=[\d,])/y))
    signal(cursor, "unsupported", "Write `\\{` for a brace that is no quantifier.", cursor.offset - 1);
  const character = String.fromCodePoint(cursor.text.codePointAt(cursor.offset)!);
  add(reader, /[{}\]#\s]/.test(character) ? codeOf(character) : character, character.length);
  return oneCharacter;
}

/** Notes an assertion, if nothing but assertions has been read so far. */
export function markAsserted(reader: PatternReader): void {
  if (reader.head === "empty") reader.head = "asserted";
}

/** A character by its code, which is a character itself in every syntax. */
const codeOf = (character: string): string => `\\x{${character.codePointAt(0)!.toString(16)}}`;

function readQuantifier(reader: PatternReader, atom: Extent, from: number): Extent {
  const { cursor } = reader;
  const start = cursor.offset;
  const written = match(cursor, /[*+?][?+]?|\{\d+(?:,\d*)?\}\??/y);
  if (written === undefined) return atom;
  if (/^\{\d+\}\?/.test(written))
    signal(cursor, "unsupported", "A lazy quantifier that leaves no choice is not supported.", start);
  if (match(cursor, /[*+?]|\{[\d,]+\}/y) !== undefined)
    signal(cursor, "unsupported", "A quantifier of a quantifier is not supported.", start);
  const [, low = "0", comma, high = low] = /^\{(\d+)(?:(,)(\d*))?\}/.exec(written) ?? [];
  const symbol = written.charAt(0);
  const least = symbol === "{" ? Number(low) : symbol === "+" ? 1 : 0;
  const most =
    symbol === "{"
      ? comma && high === ""
        ? Number.POSITIVE_INFINITY
        : Number(high)
      : symbol === "?"
        ? 1
        : Number.POSITIVE_INFINITY;
  reader.normal += written;
  return checked(reader, atom, least, most, from);
}

function checked(reader: PatternReader, atom: Extent, least: number, most: number, from: number): Extent {
  const { cursor } = reader;
  const refuse = (why: string): never => signal(cursor, "unsupported", why, from, cursor.offset);
  if (least > most)
    return signal(cursor, "syntax", "The least number of repetitions is larger than the most.", from, cursor.offset);
  if (most === 0 || least > 1_000 || (most > 1_000 && most < Number.POSITIVE_INFINITY))
    return refuse("Repetitions of 0 or more than 1,000 times are not supported.");
  if (atom.assertion) return refuse("A repeated assertion is not supported.");
  if (atom.least === 0) return refuse("Repeating what may be empty is not supported.");
  if (most > 1 && atom.loose) return refuse("A group that takes part in only some repetitions is not supported.");
  for (const group of atom.captures) if (least === 0 || most > 1) reader.certain.delete(group);
  return repeated(atom, least, most);
}

/** Takes a number of UTF-16 units over as they are. */
export function copy(reader: PatternReader, units: number): void {
  add(reader, reader.cursor.text.slice(reader.cursor.offset, reader.cursor.offset + units), units);
}

/** Moves past a number of UTF-16 units, for which something else is taken over. */
export function add(reader: PatternReader, normal: string, units: number): void {
  reader.normal += normal;
  reader.cursor.offset += units;
}
