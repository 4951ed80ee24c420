import { type Cursor, fail, match, nested, peek } from "../cursor.ts";
import { alternation, assertionExtent, characterExtent, concatenation, type Extent, repetition } from "./extent.ts";

/** The facts that the translation of a pattern needs. */
export interface PatternSyntax {
  readonly normal: string;
  readonly names: readonly (string | null)[];
  readonly flags: string;
  readonly localCase: boolean;
  /** The first class that contains all letters. */
  readonly wideClass: number | undefined;
}

/** Parses a pattern; fails if JavaScript may match differently. */
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
    participating: new Set(),
  };
  readAlternatives(reader);
  if (peek(cursor) === ")") fail(cursor, "syntax", "Unmatched parenthesis.");
  return {
    normal: reader.normal,
    names: reader.names,
    flags,
    localCase: reader.localCase,
    wideClass: reader.wideClass,
  };
}

interface PatternReader {
  readonly cursor: Cursor;
  readonly extended: boolean;
  normal: string;
  readonly names: (string | null)[];
  localCase: boolean;
  wideClass: number | undefined;
  /** Oniguruma treats a leading `.*` specially, also after assertions. */
  head: "empty" | "asserted" | "past";
  /** Only closed groups that surely participated may be referenced. */
  readonly participating: Set<number>;
}

function readAlternatives(reader: PatternReader): Extent {
  const { head } = reader;
  const branches = [readBranch(reader)];
  const heads = [reader.head];
  while (peek(reader.cursor) === "|") {
    copyUnits(reader, 1);
    reader.head = head;
    branches.push(readBranch(reader));
    heads.push(reader.head);
  }
  const extent = alternation(branches);
  reader.head = extent.maxLength > 0 ? "past" : heads.includes("asserted") ? "asserted" : head;
  return extent;
}

function readBranch(reader: PatternReader): Extent {
  const parts: Extent[] = [];
  for (let next = skipIgnored(reader); next !== "" && next !== "|" && next !== ")"; next = skipIgnored(reader)) {
    const from = reader.cursor.offset;
    const asserted = reader.head === "asserted";
    const atom = nested(reader.cursor, () => readAtom(reader, next));
    if (atom.maxLength > 0) reader.head = "past";
    parts.push(readQuantifier(reader, atom, from));
    if (asserted && /^\.(?:[*+](?!\?)|\{\d+,\}(?!\?))/.test(reader.cursor.text.slice(from, from + 99))) {
      fail(reader.cursor, "unsupported", "An assertion before `.*` at the start is not supported.", from);
    }
  }
  return concatenation(parts);
}

function skipIgnored(reader: PatternReader): string {
  const ignored = reader.extended ? /(?:[ \t\n\r\f\v]+|#[^\n]*(?:\n|$)|\(\?#[^)\\]*\))+/y : /(?:\(\?#[^)\\]*\))+/y;
  const from = reader.cursor.offset;
  if (match(reader.cursor, ignored) !== undefined && /[*+?{]/.test(peek(reader.cursor))) {
    fail(reader.cursor, "unsupported", "White space and comments before a quantifier are not supported.", from);
  }
  return peek(reader.cursor);
}

function readAtom(reader: PatternReader, next: string): Extent {
  const { cursor } = reader;
  if (next === "(") return openGroup(reader);
  if (next === "[") return readClass(reader);
  if (next === "\\") return readEscape(reader);
  if (/[*+?]/.test(next)) return fail(cursor, "syntax", "This quantifier has nothing to repeat.");
  if (next === "^" || next === "$") {
    copyUnits(reader, 1);
    if (next === "$") recordAssertion(reader);
    return assertionExtent;
  }
  if (next === "{" && match(cursor, /\{(?=[\d,])/y))
    fail(cursor, "unsupported", "Write `\\{` for a literal brace.", cursor.offset - 1);
  const character = String.fromCodePoint(cursor.text.codePointAt(cursor.offset)!);
  emit(reader, /[{}\]#\s]/.test(character) ? numericEscape(character) : character, character.length);
  return characterExtent;
}

function recordAssertion(reader: PatternReader): void {
  if (reader.head === "empty") reader.head = "asserted";
}

/** Literal in every syntax. */
const numericEscape = (character: string): string => `\\x{${character.codePointAt(0)!.toString(16)}}`;

function readQuantifier(reader: PatternReader, atom: Extent, from: number): Extent {
  const { cursor } = reader;
  const start = cursor.offset;
  const written = match(cursor, /[*+?][?+]?|\{\d+(?:,\d*)?\}\??/y);
  if (written === undefined) return atom;
  if (/^\{\d+\}\?/.test(written))
    fail(cursor, "unsupported", "A lazy quantifier with a fixed count is not supported.", start);
  if (match(cursor, /[*+?]|\{[\d,]+\}/y) !== undefined)
    fail(cursor, "unsupported", "Chained quantifiers are not supported.", start);
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
  return checkRepetition(reader, atom, least, most, from);
}

function checkRepetition(reader: PatternReader, atom: Extent, least: number, most: number, from: number): Extent {
  const { cursor } = reader;
  const refuse = (why: string): never => fail(cursor, "unsupported", why, from, cursor.offset);
  if (least > most)
    return fail(cursor, "syntax", "The minimum number of repetitions exceeds the maximum.", from, cursor.offset);
  if (most === 0 || least > 1_000 || (most > 1_000 && most < Number.POSITIVE_INFINITY))
    return refuse("Zero or more than 1,000 repetitions are not supported.");
  if (atom.isAssertion) return refuse("A repeated assertion is not supported.");
  if (atom.minLength === 0) return refuse("Repeating an expression that may be empty is not supported.");
  if (most > 1 && atom.hasOptionalGroups)
    return refuse("A group that takes part in only some repetitions is not supported.");
  for (const group of atom.captures) if (least === 0 || most > 1) reader.participating.delete(group);
  return repetition(atom, least, most);
}

function copyUnits(reader: PatternReader, units: number): void {
  emit(reader, reader.cursor.text.slice(reader.cursor.offset, reader.cursor.offset + units), units);
}

function emit(reader: PatternReader, normal: string, units: number): void {
  reader.normal += normal;
  reader.cursor.offset += units;
}

function openGroup(reader: PatternReader): Extent {
  const { cursor } = reader;
  const from = cursor.offset;
  const opening = match(cursor, /\((?:\?(?:[:=!>]|<[=!]|<[A-Za-z_]\w*>|[is]*(?:-[is]+)?:))?/y)!;
  if (peek(cursor) === "?" || (opening === "(" && peek(cursor) === "*"))
    fail(cursor, "unsupported", "This kind of group is not supported.", from);
  if (opening === "(" || /^\(\?<\w/.test(opening)) return readCapture(reader, /\w+/.exec(opening)?.[0] ?? null, from);
  const flags = /^\(\?[is-]+:/.test(opening);
  if (flags && opening.includes("i")) reader.localCase = true;
  emit(reader, flags ? opening.replace("s", "m").replace("s", "m") : opening, 0);
  const before = new Set(reader.participating);
  const inside = readAlternatives(reader);
  closeGroup(reader, from);
  if (opening === "(?:" || opening === "(?>" || flags)
    return { ...forgetOptionalGroups(reader, inside), isPlain: false };
  return readAssertion(reader, opening, inside, before, from);
}

function readCapture(reader: PatternReader, name: string | null, from: number): Extent {
  const number = reader.names.push(name);
  emit(reader, "(", 0);
  const inside = forgetOptionalGroups(reader, readAlternatives(reader));
  closeGroup(reader, from);
  reader.participating.add(number);
  return { ...inside, captures: [number, ...inside.captures], isPlain: false, isAssertion: false };
}

function closeGroup(reader: PatternReader, from: number): void {
  if (peek(reader.cursor) !== ")") fail(reader.cursor, "syntax", "This group is not closed.", from);
  emit(reader, ")", 1);
}

/** Optional groups may not have participated. */
function forgetOptionalGroups(reader: PatternReader, inside: Extent): Extent {
  if (inside.hasOptionalGroups) for (const group of inside.captures) reader.participating.delete(group);
  return inside;
}

function readAssertion(
  reader: PatternReader,
  opening: string,
  inside: Extent,
  before: ReadonlySet<number>,
  from: number,
): Extent {
  const { cursor } = reader;
  const refuse = (why: string): never => fail(cursor, "unsupported", why, from, cursor.offset);
  for (const group of inside.captures) if (!before.has(group)) reader.participating.delete(group);
  if (opening === "(?=")
    return { ...assertionExtent, captures: inside.captures, hasOptionalGroups: inside.hasOptionalGroups };
  if (inside.captures.length > 0)
    return refuse("A group inside of a negative look-around or a look-behind is not supported.");
  if (opening !== "(?!" && (inside.minLength !== inside.maxLength || inside.minLength === 0))
    return refuse("A look-behind must have a fixed length.");
  if (opening !== "(?!" && !inside.isPlain) return refuse("A look-behind may contain only characters.");
  return assertionExtent;
}

function readClass(reader: PatternReader): Extent {
  const { cursor } = reader;
  const from = cursor.offset;
  emit(reader, match(cursor, /\[\^?/y)!, 0);
  if (peek(cursor) === "]") fail(cursor, "unsupported", "Write `\\]` for a bracket in a class.");
  while (peek(cursor) !== "]") {
    if (peek(cursor) === "") fail(cursor, "syntax", "This character class is not closed.", from);
    readMember(reader);
  }
  if (/^\[(?!\^)(?:\\[^wSD]|[^\]\\])*?(?:\\[wSD]|\[:\^|\[:al)/.test(cursor.text.slice(from, cursor.offset)))
    reader.wideClass ??= from;
  emit(reader, "]", 1);
  return characterExtent;
}

function readMember(reader: PatternReader): void {
  const { cursor } = reader;
  const from = cursor.offset;
  const named = match(cursor, /\[:\^?(?:alpha|digit|alnum|space|xdigit|blank|cntrl|upper|lower):\]/y);
  if (named !== undefined) {
    emit(reader, named, 0);
    return;
  }
  const low = readClassCharacter(reader);
  if (peek(cursor) !== "-" || cursor.text.startsWith("-]", cursor.offset)) return;
  if (low === undefined) fail(cursor, "unsupported", "Write `\\-` for a hyphen after a character set.");
  emit(reader, "-", 1);
  const high = readClassCharacter(reader);
  if (high === undefined) fail(cursor, "syntax", "A character range must end with a character.", from, cursor.offset);
  if (high! < low!) fail(cursor, "syntax", "This character range is reversed.", from, cursor.offset);
}

function readClassCharacter(reader: PatternReader): number | undefined {
  const { cursor } = reader;
  if (peek(cursor) === "\\") return readCharacter(reader);
  if (cursor.text.startsWith("&&", cursor.offset))
    fail(cursor, "unsupported", "Write `\\&\\&` for two ampersands in a class.");
  if (peek(cursor) === "[") fail(cursor, "unsupported", "Write `\\[` for a bracket in a class.");
  const code = cursor.text.codePointAt(cursor.offset)!;
  emit(reader, `\\x{${code.toString(16)}}`, code > 0xffff ? 2 : 1);
  return code;
}

const properties = new Set(
  "L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp Letter Han Greek Cyrillic Latin Hiragana Katakana Arabic Hebrew Thai Hangul".split(
    " ",
  ),
);

function readEscape(reader: PatternReader): Extent {
  const { cursor } = reader;
  const assertion = match(cursor, /\\[bBAZz]/y);
  if (assertion !== undefined) {
    emit(reader, assertion, 0);
    if (assertion !== "\\A") recordAssertion(reader);
    return assertionExtent;
  }
  const reference = match(cursor, /\\(?:[1-9]\d*|k<\w+>)/y);
  if (reference !== undefined) return readReference(reader, reference);
  readCharacter(reader);
  return characterExtent;
}

function readReference(reader: PatternReader, reference: string): Extent {
  const { cursor, names, participating: certain } = reader;
  const refuse = (why: string): never =>
    fail(cursor, "unsupported", why, cursor.offset - reference.length, cursor.offset);
  const name = /k<(\w+)>/.exec(reference)?.[1];
  const number =
    name === undefined || /^\d/.test(name) ? Number((name ?? reference).replace("\\", "")) : names.indexOf(name) + 1;
  if (!certain.has(number) || (name !== undefined && names.indexOf(name) !== names.lastIndexOf(name))) {
    return refuse("A back-reference to a group that may not have matched is not supported.");
  }
  emit(reader, `(?:\\${number})`, 0);
  return {
    minLength: 0,
    maxLength: Number.POSITIVE_INFINITY,
    captures: [],
    hasOptionalGroups: false,
    isPlain: false,
    isAssertion: false,
  };
}

function readCharacter(reader: PatternReader): number | undefined {
  const { cursor } = reader;
  const from = cursor.offset;
  const set = match(cursor, /\\[dDwWsS]/y);
  if (set !== undefined) {
    emit(reader, set, 0);
    return undefined;
  }
  const property = match(cursor, /\\[pP]\{\^?\w+\}/y);
  if (property !== undefined) {
    const name = /\w{0,99}\}$/.exec(property)![0].slice(0, -1);
    if (!properties.has(name))
      fail(cursor, "unsupported", `The Unicode property \`${name}\` is not supported.`, from, cursor.offset);
    emit(reader, property, 0);
    return undefined;
  }
  return readOneCharacter(reader, from);
}

const controls: { readonly [letter: string]: number } = { t: 9, n: 10, r: 13, f: 12, a: 7, e: 27 };

function readOneCharacter(reader: PatternReader, from: number): number {
  const { cursor } = reader;
  const written = match(cursor, /\\(?:x\{[0-9a-fA-F]{1,6}\}|x[0-7][0-9a-fA-F]|[tnrfae]|[!-/:-@[-`{-~ ])/y);
  if (written === undefined) return fail(cursor, "unsupported", "This escape is not supported.", from, from + 2);
  const hex = /^\\x\{?([0-9a-fA-F]+)/.exec(written)?.[1];
  const code = hex === undefined ? (controls[written.charAt(1)] ?? written.charCodeAt(1)) : Number.parseInt(hex, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
    fail(cursor, "syntax", "Invalid code point.", from, cursor.offset);
  emit(reader, `\\x{${code.toString(16)}}`, 0);
  return code;
}
