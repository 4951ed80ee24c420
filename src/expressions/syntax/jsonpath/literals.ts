import type { Json } from "../../../json.ts";
import { type Cursor, fail, match, peek, unclosedHint } from "../cursor.ts";

/** Reads a literal, if next (RFC 9535, 2.3.5.1). */
export function readValue(cursor: Cursor): Json | undefined {
  const text = readString(cursor);
  if (text !== undefined) return text;
  const start = cursor.offset;
  const word = match(cursor, /(?:true|false|null)(?![\w-])/y);
  if (word !== undefined) return constantOf(word);
  const written = match(cursor, /[+-]{0,2}\.?\d(?:[eE][+-]*|[\w.])*/y);
  if (written === undefined) return undefined;
  const end = cursor.offset;
  cursor.offset = start;
  const number = readNumber(cursor);
  return cursor.offset === end
    ? number
    : fail(cursor, "syntax", `\`${written.slice(0, 40)}\` is not a valid JSON number.`, start, end);
}

/** Reads a JSON number, if next, saturating. */
export function readNumber(cursor: Cursor): number | undefined {
  const found = match(cursor, /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
  return found === undefined ? undefined : Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(found))) + 0;
}

/** Reads an array index, if next (RFC 9535, 2.1). */
export function readIndex(cursor: Cursor): number | undefined {
  const start = cursor.offset;
  const found = match(cursor, /[+-]?\d+(?:\.\d+)?/y);
  if (found === undefined) return undefined;
  if (!/^(?:0|-?[1-9]\d*)$/.test(found))
    fail(cursor, "syntax", `\`${found.slice(0, 40)}\` is not an index.`, start, cursor.offset);
  if (!Number.isSafeInteger(Number(found)))
    fail(cursor, "syntax", "This index is larger than any array.", start, cursor.offset);
  return Number(found);
}

/** Reads a quoted string, if next (RFC 9535, 2.3.1.1). */
export function readString(cursor: Cursor): string | undefined {
  const quote = peek(cursor);
  if (quote !== "'" && quote !== '"') return undefined;
  const start = cursor.offset++;
  const parts: string[] = [];
  for (;;) {
    parts.push(
      match(cursor, quote === "'" ? /[ -&(-[\]-\ud7ff\ue000-\u{10ffff}]*/uy : /[ !#-[\]-\ud7ff\ue000-\u{10ffff}]*/uy)!,
    );
    const next = peek(cursor);
    if (next === quote) break;
    if (next === "")
      fail(cursor, "syntax", "This string is not terminated.", start, cursor.text.length, unclosedHint(quote));
    if (/[\ud800-\udfff]/.test(next)) fail(cursor, "syntax", "This string contains a lone surrogate.");
    if (next !== "\\") fail(cursor, "syntax", "Control characters in strings must be escaped.");
    parts.push(readEscape(cursor, quote));
  }
  cursor.offset++;
  return parts.join("");
}

/** The value of `true`, `false` or `null`. */
export function constantOf(word: string): Json | undefined {
  switch (word) {
    case "true":
      return true;
    case "false":
      return false;
    case "null":
      return null;
    default:
      return undefined;
  }
}

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["/", "/"],
  ["\\", "\\"],
]);

function readEscape(cursor: Cursor, quote: string): string {
  const start = cursor.offset++;
  const letter = cursor.text.charAt(cursor.offset++);
  const plain = letter === quote ? quote : simpleEscapes.get(letter);
  if (plain !== undefined) return plain;
  const hex =
    letter === "u"
      ? match(cursor, /(?:[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2})|(?![dD][89a-fA-F])[\da-fA-F]{4}/y)
      : undefined;
  if (hex === undefined) {
    const half = letter === "u" && match(cursor, /[dD][89a-fA-F][\da-fA-F]{2}/y) !== undefined;
    const message = half ? "This escape is a lone surrogate." : "Unknown escape in a string.";
    fail(cursor, "syntax", message, start, Math.max(cursor.offset, start + 2));
  }
  return String.fromCharCode(...hex.split("\\u").map((digits) => Number.parseInt(digits, 16)));
}
