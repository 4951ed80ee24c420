import { expectNext, moveTo, type Parser, signal, signalAt } from "./parser.ts";
import { readQuery } from "./query.ts";
import type { Interpolation, Jq, StringLiteral } from "./syntax.ts";

/** Reads the string whose quote comes next, and what a format in front of it makes of it. */
export function readString(
  parser: Parser,
  format?: { readonly text: string; readonly start: number },
): StringLiteral | Interpolation {
  const quote = parser.token.start;
  const parts = readParts(parser, quote);
  const placed = { start: format?.start ?? quote, end: parser.end };
  const [only = ""] = parts;
  if (parts.length < 2 && typeof only === "string") return { kind: "string", value: only, ...placed };
  return { kind: "interpolation", format: format?.text, parts, ...placed };
}

function readParts(parser: Parser, quote: number): readonly (string | Jq)[] {
  const parts: (string | Jq)[] = [];
  let offset = quote + 1;
  for (;;) {
    const text = readText(parser.text, offset, quote);
    if (text.value !== "") parts.push(text.value);
    if (parser.text.charAt(text.end) === '"') {
      moveTo(parser, text.end + 1);
      return parts;
    }
    moveTo(parser, text.end + 2);
    if (parser.token.kind === "fixed" && parser.token.text === ")")
      signal(parser, "`\\(` and `)` have no expression between them.");
    parts.push(readQuery(parser));
    expectNext(parser, ")", "It ends the `\\(…)` in a string.");
    offset = parser.token.end;
  }
}

/** The text from an offset in a string on, up to the closing quote or a `\(`. */
function readText(text: string, offset: number, quote: number): { readonly value: string; readonly end: number } {
  const pieces: string[] = [];
  let plain = offset;
  for (let at = offset; ; ) {
    const code = text.charCodeAt(at);
    if (Number.isNaN(code)) signalAt(quote, quote + 1, 'This string does not end: a `"` is missing.');
    const ends = code === 0x22 || (code === 0x5c && text.charCodeAt(at + 1) === 0x28);
    if (!ends && code !== 0x5c) {
      at += 1;
      continue;
    }
    if (at > plain) pieces.push(text.slice(plain, at));
    if (ends) return { value: pieces.join("").toWellFormed(), end: at };
    const escaped = readEscape(text, at);
    pieces.push(escaped.value);
    at = escaped.end;
    plain = at;
  }
}

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** What the escape at an offset stands for: JSON's escapes, where the first half of a surrogate pair must be followed by the second. */
function readEscape(text: string, at: number): { readonly value: string; readonly end: number } {
  const letter = String.fromCodePoint(text.codePointAt(at + 1) ?? 0x22);
  const simple = simpleEscapes.get(letter);
  if (simple !== undefined) return { value: simple, end: at + 2 };
  if (letter !== "u") {
    signalAt(
      at,
      at + 1 + letter.length,
      "There is no such escape in jq's strings.",
      'The escapes are `\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX \\(…)`.',
    );
  }
  const unit = readUnit(text, at);
  if (unit < 0xd800 || unit > 0xdfff) return { value: String.fromCharCode(unit), end: at + 6 };
  if (unit > 0xdbff) return { value: "\ufffd", end: at + 6 };
  const low = text.startsWith("\\u", at + 6) ? readUnit(text, at + 6) : 0;
  if (low < 0xdc00 || low > 0xdfff) {
    signalAt(
      at,
      at + 6,
      "This is the first half of a surrogate pair; the second half, `\\uDC00` to `\\uDFFF`, must follow it.",
    );
  }
  return { value: String.fromCharCode(unit, low), end: at + 12 };
}

/** The number that `\uXXXX` at an offset stands for. */
function readUnit(text: string, at: number): number {
  const digits = text.slice(at + 2, at + 6);
  const count = /^[0-9A-Fa-f]*/.exec(digits)?.[0].length ?? 0;
  if (count < 4) signalAt(at, at + 2 + count, "`\\u` takes four hexadecimal digits.");
  return Number.parseInt(digits, 16);
}
