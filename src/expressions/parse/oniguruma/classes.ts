import { match, peek, signal } from "../cursor.ts";
import { readCharacter } from "./escapes.ts";
import { type Extent, oneCharacter } from "./extent.ts";
import { add, type PatternReader } from "./pattern.ts";

/** Reads a class of characters in brackets. */
export function readClass(reader: PatternReader): Extent {
  const { cursor } = reader;
  const from = cursor.offset;
  add(reader, match(cursor, /\[\^?/y)!, 0);
  if (peek(cursor) === "]") signal(cursor, "unsupported", "Write `\\]` for a bracket in a class.");
  while (peek(cursor) !== "]") {
    if (peek(cursor) === "") signal(cursor, "syntax", "This class of characters is not closed.", from);
    readMember(reader);
  }
  if (/^\[(?!\^)(?:\\[^wSD]|[^\]\\])*?(?:\\[wSD]|\[:\^|\[:al)/.test(cursor.text.slice(from, cursor.offset)))
    reader.wideClass ??= from;
  add(reader, "]", 1);
  return oneCharacter;
}

function readMember(reader: PatternReader): void {
  const { cursor } = reader;
  const from = cursor.offset;
  const named = match(cursor, /\[:\^?(?:alpha|digit|alnum|space|xdigit|blank|cntrl|upper|lower):\]/y);
  if (named !== undefined) {
    add(reader, named, 0);
    return;
  }
  const low = readClassCharacter(reader);
  if (peek(cursor) !== "-" || cursor.text.startsWith("-]", cursor.offset)) return;
  if (low === undefined) signal(cursor, "unsupported", "Write `\\-` for a hyphen behind a set of characters.");
  add(reader, "-", 1);
  const high = readClassCharacter(reader);
  if (high === undefined)
    signal(cursor, "syntax", "A range of characters ends with one character.", from, cursor.offset);
  if (high! < low!) signal(cursor, "syntax", "This range of characters ends before it begins.", from, cursor.offset);
}

/** The code of the next character of a class; nothing for a set of characters. */
function readClassCharacter(reader: PatternReader): number | undefined {
  const { cursor } = reader;
  if (peek(cursor) === "\\") return readCharacter(reader);
  if (cursor.text.startsWith("&&", cursor.offset))
    signal(cursor, "unsupported", "Write `\\&\\&` for two ampersands in a class.");
  if (peek(cursor) === "[") signal(cursor, "unsupported", "Write `\\[` for a bracket in a class.");
  const code = cursor.text.codePointAt(cursor.offset)!;
  add(reader, `\\x{${code.toString(16)}}`, code > 0xffff ? 2 : 1);
  return code;
}
