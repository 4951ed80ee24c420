import { fail, match, peek } from "../cursor.ts";
import { type CharacterSet, range, type SetMember, unicodeWord } from "./pattern.ts";
import type { RegexReader } from "./reader.ts";

/** What `.` accepts. */
export function anyCharacter({ isDotAll, dialect }: RegexReader): CharacterSet {
  const excluded = dialect === "jq" ? lineFeed : lineTerminators;
  return { isNegated: true, members: isDotAll ? [] : excluded, ignoresCase: false };
}

const lineFeed = [range(0x0a)];

/** The members that JavaScript's `.` excludes. */
export const lineTerminators: readonly SetMember[] = [range(0x0a), range(0x0d), range(0x2028, 0x2029)];

/** Reads a character, or an escape for one or more, outside of a class. */
export function readCharacter(reader: RegexReader): CharacterSet {
  const members = readEscapedSet(reader) ?? [range(readCodePoint(reader))];
  const [only] = members;
  return only?.kind === "complement"
    ? { isNegated: true, members: only.members, ignoresCase: false }
    : { isNegated: false, members, ignoresCase: reader.ignoresCase };
}

/** Reads `[…]`. */
export function readClass(reader: RegexReader): CharacterSet {
  const { cursor, dialect, ignoresCase } = reader;
  const from = cursor.offset;
  const isNegated = match(cursor, /\[\^?/y) === "[^";
  if (peek(cursor) === "]") fail(cursor, "unsupported", "Write `\\]` for a bracket in a class.");
  const members: SetMember[] = [];
  while (peek(cursor) !== "]") {
    if (peek(cursor) === "") fail(cursor, "syntax", "This character class is not closed.", from);
    members.push(...readMember(reader));
  }
  cursor.offset += 1;
  if (dialect === "jq" && ignoresCase && !isNegated && members.some(hasAllLetters)) {
    const message = "A class with all letters is not supported in a case-insensitive regular expression.";
    const hint = "Write `\\w` outside of a class, or list the characters.";
    fail(cursor, "unsupported", message, from, from + 1, hint);
  }
  return { isNegated, members, ignoresCase };
}

/** In Oniguruma, a class with `ß` also matches `ss`. */
const hasAllLetters = (member: SetMember): boolean =>
  member.kind === "property"
    ? member.isNegated || member.name === "L" || member.name === "Alphabetic"
    : member.kind === "complement" && member.members !== unicodeWord;

function readMember(reader: RegexReader): readonly SetMember[] {
  const { cursor } = reader;
  const from = cursor.offset;
  const [, caret, name = ""] = /^\[:(\^?)(\w+):\]$/.exec(match(cursor, namedClass) ?? "") ?? [];
  if (name !== "") {
    if (reader.ignoresCase && /^(?:upp|low)er$/.test(name)) refuseIgnoringCase(reader, from);
    return caret === "^" ? complementOf(namedClasses.get(name)!) : namedClasses.get(name)!;
  }
  const set = readEscapedSet(reader);
  const low = set ? 0 : readClassCharacter(reader);
  if (peek(cursor) !== "-" || cursor.text.startsWith("-]", cursor.offset)) return set ?? [range(low)];
  if (set) fail(cursor, "unsupported", "Write `\\-` for a hyphen after a character set.");
  cursor.offset += 1;
  if (/^\\[dDwWsSpP]/.test(cursor.text.slice(cursor.offset, cursor.offset + 2)))
    fail(cursor, "syntax", "A character range must end with a character.", from, cursor.offset + 2);
  const high = readClassCharacter(reader);
  if (high < low) fail(cursor, "syntax", "This character range is reversed.", from, cursor.offset);
  if (reader.ignoresCase && high > 0x7f) refuseIgnoringCase(reader, from);
  return [range(low, high)];
}

function readClassCharacter(reader: RegexReader): number {
  const { cursor } = reader;
  if (cursor.text.startsWith("&&", cursor.offset))
    fail(cursor, "unsupported", "Write `\\&\\&` for two ampersands in a class.");
  if (peek(cursor) === "[") fail(cursor, "unsupported", "Write `\\[` for a bracket in a class.");
  return readCodePoint(reader);
}

const property = (name: string): SetMember => ({ kind: "property", name, isNegated: false });

const namedClass = /\[:\^?(?:alpha|digit|alnum|space|xdigit|blank|cntrl|upper|lower):\]/y;

const namedClasses: ReadonlyMap<string, readonly SetMember[]> = new Map([
  ["alpha", [property("Alphabetic")]],
  ["digit", [property("Nd")]],
  ["alnum", [property("Alphabetic"), property("Nd")]],
  ["space", [property("White_Space")]],
  ["xdigit", [range(0x30, 0x39), range(0x41, 0x46), range(0x61, 0x66)]],
  ["blank", [property("Zs"), range(0x09)]],
  ["cntrl", [property("Cc")]],
  ["upper", [property("Uppercase")]],
  ["lower", [property("Lowercase")]],
]);

function complementOf(members: readonly SetMember[]): readonly SetMember[] {
  const [only] = members;
  return members.length === 1 && (only?.kind === "property" || only?.kind === "shorthand")
    ? [{ ...only, isNegated: !only.isNegated }]
    : [{ kind: "complement", members }];
}

/** Reads an escape for a set of characters. */
function readEscapedSet(reader: RegexReader): readonly SetMember[] | undefined {
  const { cursor, dialect } = reader;
  const from = cursor.offset;
  const letter = match(cursor, /\\[dDwWsS]/y)?.charAt(1);
  if (letter !== undefined) {
    const lower = letter.toLowerCase() as "d" | "s" | "w";
    const members =
      dialect === "jq" ? jqSets[lower] : [{ kind: "shorthand" as const, letter: lower, isNegated: false }];
    return letter === lower ? members : complementOf(members);
  }
  const text = match(cursor, /\\[pP]\{\^?\w+\}/y);
  if (text === undefined) return undefined;
  const name = /\w+\}$/.exec(text)![0].slice(0, -1);
  if (!properties.has(name))
    fail(cursor, "unsupported", `The Unicode property \`${name}\` is not supported.`, from, cursor.offset);
  if (reader.ignoresCase) refuseIgnoringCase(reader, from);
  const isNegated = text.includes("^") !== text.startsWith("\\P");
  return [{ kind: "property", name: scripts.has(name) ? `sc=${name}` : name, isNegated }];
}

const jqSets = { d: [property("Nd")], s: [property("White_Space")], w: unicodeWord };

const scripts: ReadonlySet<string> = new Set(
  "Han Greek Cyrillic Latin Hiragana Katakana Arabic Hebrew Thai Hangul".split(" "),
);

const properties: ReadonlySet<string> = new Set([
  ..."L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp Letter".split(" "),
  ...scripts,
]);

function readCodePoint(reader: RegexReader): number {
  const { cursor } = reader;
  const from = cursor.offset;
  const code = peek(cursor) === "\\" ? readEscapedCodePoint(reader) : cursor.text.codePointAt(from)!;
  if (cursor.offset === from) cursor.offset += code > 0xffff ? 2 : 1;
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
    fail(cursor, "syntax", "Invalid code point.", from, cursor.offset);
  if (reader.ignoresCase && code > 0x7f) {
    reader.firstForeign ??= from;
    if (foldsToSeveral.test(String.fromCodePoint(code))) refuseIgnoringCase(reader, from);
  }
  return code;
}

const controls: { readonly [letter: string]: number } = { t: 9, n: 10, v: 11, r: 13, f: 12, a: 7, e: 27 };

const escapes = {
  jq: /\\(?:x\{[0-9a-fA-F]{1,6}\}|x[0-7][0-9a-fA-F]|[tnrfae]|[!-/:-@[-`{-~ ])/y,
  javascript:
    /\\(?:[xu]\{[0-9a-fA-F]{1,6}\}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}(?:(?<=u[dD][89abAB]..)\\u[dD][c-fC-F][0-9a-fA-F]{2})?|[tnvrfae]|[!-/:-@[-`{-~ ])/y,
};

function readEscapedCodePoint({ cursor, dialect }: RegexReader): number {
  const from = cursor.offset;
  const text = match(cursor, escapes[dialect]);
  if (text === undefined) return fail(cursor, "unsupported", "This escape is not supported.", from, from + 2);
  const [high, low] = Array.from(text.matchAll(/[xu]\{?([0-9a-fA-F]+)/g), ([, digits]) => Number.parseInt(digits!, 16));
  if (low !== undefined) return String.fromCharCode(high!, low).codePointAt(0)!;
  return high ?? controls[text.charAt(1)] ?? text.charCodeAt(1);
}

/** Characters that fold to several, and letters with unusual cases. */
const foldsToSeveral =
  /[\xdf\u0130\u0131\u0149\u01f0\u02bc\u02be\u0390\u03b0\u0587\u1e96-\u1e9e\u1f00-\u1fff\ufb00-\ufb17]|\p{M}/u;

function refuseIgnoringCase({ cursor }: RegexReader, from: number): never {
  const message = "This is not supported in a case-insensitive regular expression.";
  return fail(cursor, "unsupported", message, from, cursor.offset);
}
