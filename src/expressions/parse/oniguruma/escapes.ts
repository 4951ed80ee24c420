import { match, signal } from "../cursor.ts";
import { type Extent, nothing, oneCharacter } from "./extent.ts";
import { add, markAsserted, type PatternReader } from "./pattern.ts";

/** The properties of characters that jq and JavaScript know alike, by their names in `\p{…}`. */
const properties = new Set(
  "L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp Letter Han Greek Cyrillic Latin Hiragana Katakana Arabic Hebrew Thai Hangul".split(
    " ",
  ),
);

/** Reads a back-slash and what belongs to it, outside of classes. */
export function readEscape(reader: PatternReader): Extent {
  const { cursor } = reader;
  const assertion = match(cursor, /\\[bBAZz]/y);
  if (assertion !== undefined) {
    add(reader, assertion, 0);
    if (assertion !== "\\A") markAsserted(reader);
    return nothing;
  }
  const reference = match(cursor, /\\(?:[1-9]\d*|k<\w+>)/y);
  if (reference !== undefined) return readReference(reader, reference);
  readCharacter(reader);
  return oneCharacter;
}

function readReference(reader: PatternReader, reference: string): Extent {
  const { cursor, names, certain } = reader;
  const refuse = (why: string): never =>
    signal(cursor, "unsupported", why, cursor.offset - reference.length, cursor.offset);
  const name = /k<(\w+)>/.exec(reference)?.[1];
  const number =
    name === undefined || /^\d/.test(name) ? Number((name ?? reference).replace("\\", "")) : names.indexOf(name) + 1;
  if (!certain.has(number) || (name !== undefined && names.indexOf(name) !== names.lastIndexOf(name))) {
    return refuse("A back-reference to a group that may have taken nothing is not supported.");
  }
  add(reader, `(?:\\${number})`, 0);
  return { least: 0, most: Number.POSITIVE_INFINITY, captures: [], loose: false, plain: false, assertion: false };
}

/** Reads an escape that stands for one character, or for any of a set, in or outside of a class; gives its code if it is one character. */
export function readCharacter(reader: PatternReader): number | undefined {
  const { cursor } = reader;
  const from = cursor.offset;
  const set = match(cursor, /\\[dDwWsS]/y);
  if (set !== undefined) {
    add(reader, set, 0);
    return undefined;
  }
  const property = match(cursor, /\\[pP]\{\^?\w+\}/y);
  if (property !== undefined) {
    const name = /\w{0,99}\}$/.exec(property)![0].slice(0, -1);
    if (!properties.has(name))
      signal(cursor, "unsupported", `The property \`${name}\` of characters is not supported.`, from, cursor.offset);
    add(reader, property, 0);
    return undefined;
  }
  return readOneCharacter(reader, from);
}

const controls: { readonly [letter: string]: number } = { t: 9, n: 10, r: 13, f: 12, a: 7, e: 27 };

function readOneCharacter(reader: PatternReader, from: number): number {
  const { cursor } = reader;
  const written = match(cursor, /\\(?:x\{[0-9a-fA-F]{1,6}\}|x[0-7][0-9a-fA-F]|[tnrfae]|[!-/:-@[-`{-~ ])/y);
  if (written === undefined) return signal(cursor, "unsupported", "This escape is not supported.", from, from + 2);
  const hex = /^\\x\{?([0-9a-fA-F]+)/.exec(written)?.[1];
  const code = hex === undefined ? (controls[written.charAt(1)] ?? written.charCodeAt(1)) : Number.parseInt(hex, 16);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
    signal(cursor, "syntax", "There is no such character.", from, cursor.offset);
  add(reader, `\\x{${code.toString(16)}}`, 0);
  return code;
}
