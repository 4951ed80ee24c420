import { type Cursor, fail, match, nested, peek } from "../cursor.ts";
import { anyCharacter, readCharacter, readClass } from "./characters.ts";
import { certainCaptures, type Extent, extentOf, type Pattern } from "./pattern.ts";

/**
 * The dialect of a regular expression. `jq`: Oniguruma as jq configures it. `javascript`: the same syntax and escapes
 * of JavaScript, with JavaScript's meaning under the flag `u`: `$` is the end, `\d`, `\w` and `\b` are ASCII, and `.`
 * excludes all line terminators.
 */
export type RegexDialect = "jq" | "javascript";

/** A parsed regular expression. */
export interface ParsedRegex {
  readonly pattern: Pattern;
  /** The names of the captures. */
  readonly names: readonly (string | null)[];
  readonly ignoresCase: boolean;
  /** Whether the sets of the pattern differ in `ignoresCase`, or no flag can be used. */
  readonly mixesCase: boolean;
}

/** The options that flags set. */
export interface RegexOptions {
  readonly ignoresCase: boolean;
  readonly isDotAll: boolean;
  readonly isExtended: boolean;
}

/** The mutable state of a reader. */
export interface RegexReader {
  readonly cursor: Cursor;
  readonly dialect: RegexDialect;
  readonly isExtended: boolean;
  ignoresCase: boolean;
  isDotAll: boolean;
  /** Whether only a part of the pattern ignores case. */
  mixesCase: boolean;
  /** The first non-ASCII character that ignores case. */
  firstForeign: number | undefined;
  readonly names: (string | null)[];
  /** The captures that have surely matched at the current position. */
  certain: ReadonlySet<number>;
  /** Oniguruma treats a leading `.*` specially, also after assertions. */
  head: "empty" | "asserted" | "past";
}

/** Parses a regular expression; fails if its dialect rejects it, or JavaScript may match differently. */
export function readRegex(cursor: Cursor, dialect: RegexDialect, options: RegexOptions): ParsedRegex {
  const flags = match(cursor, /\(\?[isx]+\)/y) ?? "";
  const reader: RegexReader = {
    cursor,
    dialect,
    isExtended: options.isExtended || flags.includes("x"),
    ignoresCase: options.ignoresCase || flags.includes("i"),
    isDotAll: options.isDotAll || flags.includes("s"),
    mixesCase: dialect === "javascript",
    firstForeign: undefined,
    names: [],
    certain: new Set(),
    head: "empty",
  };
  const { ignoresCase } = reader;
  const pattern = readAlternatives(reader);
  if (peek(cursor) === ")") fail(cursor, "syntax", "Unmatched parenthesis.");
  if (reader.mixesCase && reader.firstForeign !== undefined)
    fail(
      cursor,
      "unsupported",
      "Only ASCII is supported in a partly case-insensitive regular expression.",
      reader.firstForeign,
    );
  return { pattern, names: reader.names, ignoresCase, mixesCase: reader.mixesCase };
}

function readAlternatives(reader: RegexReader): Pattern {
  const { head, certain } = reader;
  const branches = [readBranch(reader)];
  const heads = [reader.head];
  while (peek(reader.cursor) === "|") {
    reader.cursor.offset += 1;
    [reader.head, reader.certain] = [head, certain];
    branches.push(readBranch(reader));
    heads.push(reader.head);
  }
  reader.certain = certain;
  const pattern: Pattern = branches.length === 1 ? branches[0]! : { kind: "choice", branches };
  reader.head = extentOf(pattern).max > 0 ? "past" : heads.includes("asserted") ? "asserted" : head;
  return pattern;
}

function readBranch(reader: RegexReader): Pattern {
  const { cursor } = reader;
  const parts: Pattern[] = [];
  for (let next = skipIgnored(reader); next !== "" && next !== "|" && next !== ")"; next = skipIgnored(reader)) {
    const from = cursor.offset;
    const asserted = reader.head === "asserted";
    const atom = nested(cursor, () => readAtom(reader, next));
    if (extentOf(atom).max > 0) reader.head = "past";
    const part = readQuantifier(reader, atom, from);
    if (asserted && reader.dialect === "jq" && startsWithAnything.test(cursor.text.slice(from, from + 99)))
      fail(cursor, "unsupported", "An assertion before `.*` at the start is not supported.", from);
    const captures = certainCaptures(part);
    if (captures.length > 0) reader.certain = new Set([...reader.certain, ...captures]);
    parts.push(...(part.kind === "sequence" ? part.parts : [part]));
  }
  return parts.length === 1 ? parts[0]! : { kind: "sequence", parts };
}

const startsWithAnything = /^\.(?:[*+](?!\?)|\{\d+,\}(?!\?))/;

function skipIgnored({ cursor, isExtended }: RegexReader): string {
  const ignored = isExtended ? /(?:[ \t\n\r\f\v]+|#[^\n]*(?:\n|$)|\(\?#[^)\\]*\))+/y : /(?:\(\?#[^)\\]*\))+/y;
  const from = cursor.offset;
  if (match(cursor, ignored) !== undefined && /[*+?{]/.test(peek(cursor)))
    fail(cursor, "unsupported", "White space and comments before a quantifier are not supported.", from);
  return peek(cursor);
}

function readAtom(reader: RegexReader, next: string): Pattern {
  const { cursor } = reader;
  switch (next) {
    case "(":
      return readGroup(reader);
    case "[":
      return { kind: "set", set: readClass(reader) };
    case ".":
      cursor.offset += 1;
      return { kind: "set", set: anyCharacter(reader) };
    case "^":
      cursor.offset += 1;
      return { kind: "edge", edge: "start" };
    case "$":
      cursor.offset += 1;
      return readAssertion(reader, { kind: "edge", edge: reader.dialect === "jq" ? "lastLine" : "end" });
    case "*":
    case "+":
    case "?":
      return fail(cursor, "syntax", "This quantifier has nothing to repeat.");
    case "{":
      if (match(cursor, /\{(?=[\d,])/y))
        fail(cursor, "unsupported", "Write `\\{` for a literal brace.", cursor.offset - 1);
      break;
    case "\\":
      return readEscape(reader);
  }
  return { kind: "set", set: readCharacter(reader) };
}

function readAssertion(reader: RegexReader, assertion: Pattern): Pattern {
  if (reader.head === "empty") reader.head = "asserted";
  return assertion;
}

function readEscape(reader: RegexReader): Pattern {
  const { cursor } = reader;
  switch (match(cursor, /\\[bBAZz]/y)) {
    case "\\A":
      return { kind: "edge", edge: "start" };
    case "\\z":
      return readAssertion(reader, { kind: "edge", edge: "end" });
    case "\\Z":
      return readAssertion(reader, { kind: "edge", edge: "lastLine" });
    case "\\b":
      return readAssertion(reader, { kind: "wordEdge", isUnicode: reader.dialect === "jq", isNegative: false });
    case "\\B":
      return readAssertion(reader, { kind: "wordEdge", isUnicode: reader.dialect === "jq", isNegative: true });
  }
  const reference = match(cursor, /\\(?:[1-9]\d*|k<\w+>)/y);
  return reference === undefined
    ? { kind: "set", set: readCharacter(reader) }
    : readReference(reader, reference, cursor.offset - reference.length);
}

function readReference({ cursor, names, certain, ignoresCase }: RegexReader, text: string, from: number): Pattern {
  const refuse = (why: string): never => fail(cursor, "unsupported", why, from, cursor.offset);
  if (ignoresCase) refuse("A back-reference is not supported in a case-insensitive regular expression.");
  const name = /k<(\w+)>/.exec(text)?.[1];
  const number =
    name === undefined || /^\d/.test(name) ? Number((name ?? text).replace("\\", "")) : names.indexOf(name) + 1;
  if (!certain.has(number) || (name !== undefined && names.indexOf(name) !== names.lastIndexOf(name)))
    refuse("A back-reference to a group that may not have matched is not supported.");
  return { kind: "reference", number };
}

function readQuantifier(reader: RegexReader, part: Pattern, from: number): Pattern {
  const { cursor, dialect } = reader;
  const start = cursor.offset;
  const text = match(cursor, /[*+?][?+]?|\{\d+(?:,\d*)?\}\??/y);
  if (text === undefined) return part;
  if (dialect === "jq" && /^\{\d+\}\?/.test(text))
    fail(cursor, "unsupported", "A lazy quantifier with a fixed count is not supported.", start);
  if (match(cursor, /[*+?]|\{[\d,]+\}/y) !== undefined)
    fail(cursor, "unsupported", "Chained quantifiers are not supported.", start);
  const [min, max] = boundsOf(text);
  checkRepetition(reader, extentOf(part), min, max, from);
  const isLazy = text.length > 1 && text.endsWith("?");
  const repetition: Pattern = { kind: "repetition", part, min, max, isLazy };
  return text.length > 1 && text.endsWith("+") ? { kind: "atomic", part: repetition } : repetition;
}

function boundsOf(quantifier: string): readonly [min: number, max: number] {
  const [, low = "", comma, high = low] = /^\{(\d+)(?:(,)(\d*))?\}/.exec(quantifier) ?? [];
  if (low !== "") return [Number(low), comma !== undefined && high === "" ? Number.POSITIVE_INFINITY : Number(high)];
  const symbol = quantifier.charAt(0);
  return [symbol === "+" ? 1 : 0, symbol === "?" ? 1 : Number.POSITIVE_INFINITY];
}

/** In jq, a repeated part keeps the captures of earlier rounds, and rounds that match nothing count. */
function checkRepetition({ cursor, dialect }: RegexReader, part: Extent, min: number, max: number, from: number) {
  const refuse = (why: string): never => fail(cursor, "unsupported", why, from, cursor.offset);
  if (min > max) fail(cursor, "syntax", "The minimum number of repetitions exceeds the maximum.", from, cursor.offset);
  if (max === 0 || min > 1_000 || (max > 1_000 && max < Number.POSITIVE_INFINITY))
    refuse("Zero or more than 1,000 repetitions are not supported.");
  if (part.isAssertion) refuse("A repeated assertion is not supported.");
  if (dialect === "jq" && part.min === 0) refuse("Repeating an expression that may be empty is not supported.");
  if (dialect === "jq" && max > 1 && part.hasOptionalCaptures)
    refuse("A group that takes part in only some repetitions is not supported.");
}

function readGroup(reader: RegexReader): Pattern {
  const { cursor } = reader;
  const from = cursor.offset;
  const opening = match(cursor, /\((?:\?(?:[:=!>]|<[=!]|<[A-Za-z_]\w*>|[is]*(?:-[is]+)?:))?/y)!;
  if (peek(cursor) === "?" || (opening === "(" && peek(cursor) === "*"))
    fail(cursor, "unsupported", "This kind of group is not supported.", from);
  const name = /^\(\?<(\w+)>/.exec(opening)?.[1] ?? null;
  const number = name !== null || opening === "(" ? reader.names.push(name) : 0;
  const { ignoresCase, isDotAll } = reader;
  const [on = "", off = ""] = /^\(\?[is-]+:/.test(opening) ? opening.split("-") : [];
  if ((on.includes("i") && !ignoresCase) || (off.includes("i") && ignoresCase)) reader.mixesCase = true;
  reader.ignoresCase = (ignoresCase || on.includes("i")) && !off.includes("i");
  reader.isDotAll = (isDotAll || on.includes("s")) && !off.includes("s");
  const part = readAlternatives(reader);
  [reader.ignoresCase, reader.isDotAll] = [ignoresCase, isDotAll];
  if (peek(cursor) !== ")") fail(cursor, "syntax", "This group is not closed.", from);
  cursor.offset += 1;
  if (number > 0) return { kind: "capture", number, part };
  if (opening === "(?>") return { kind: "atomic", part };
  const isLastLine = reader.dialect === "javascript" && cursor.text.slice(from, cursor.offset) === lastLineSource;
  if (isLastLine) return { kind: "edge", edge: "lastLine" };
  return /[=!]$/.test(opening) ? readLook(reader, opening, part, from) : part;
}

/** JavaScript's form of jq's `$`. */
export const lastLineSource = "(?=\\n?$)";

function readLook({ cursor }: RegexReader, opening: string, part: Pattern, from: number): Pattern {
  const refuse = (why: string): never => fail(cursor, "unsupported", why, from, cursor.offset);
  const [isBehind, isNegative] = [opening.includes("<"), opening.endsWith("!")];
  const extent = extentOf(part);
  if ((isBehind || isNegative) && extent.captures.length > 0)
    refuse("A group inside of a negative look-around or a look-behind is not supported.");
  if (isBehind && (extent.min !== extent.max || extent.min === 0)) refuse("A look-behind must have a fixed length.");
  if (isBehind && !extent.isPlain) refuse("A look-behind may contain only characters.");
  return { kind: "look", isBehind, isNegative, part };
}
