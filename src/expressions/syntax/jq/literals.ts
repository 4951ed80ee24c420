import { truncate } from "../../../text/messages.ts";
import { accept, advance, describeNext, isNext, moveTo, nested } from "../token-stream.ts";
import {
  expectAfterQuery,
  expectNext,
  expectSign,
  fail,
  failNext,
  hintFor,
  isWord,
  type JqParser,
  type JqToken,
} from "./parser.ts";
import { readQuery } from "./query.ts";
import type { Interpolation, Jq, Pattern, PatternEntry, StringLiteral } from "./syntax.ts";

/** Parses patterns separated by `?//`. */
export function readPatterns(parser: JqParser): readonly Pattern[] {
  const patterns = [nested(parser, readPattern)];
  while (accept(parser, "?//")) patterns.push(nested(parser, readPattern));
  return patterns;
}

/** Parses a key that is a string or in parentheses, if next. */
export function readComputedKey(parser: JqParser): Jq | undefined {
  const { kind } = parser.token;
  if (kind === "string") return readString(parser);
  if (kind === "format") return readFormatted(parser);
  if (!accept(parser, "(")) return undefined;
  const key = readQuery(parser);
  expectAfterQuery(parser, ")");
  return key;
}

/** Parses a string literal with its format. */
export function readString(parser: JqParser, format?: JqToken): StringLiteral | Interpolation {
  const quote = parser.token.from;
  const parts = readParts(parser, quote);
  const placed = { start: format?.from ?? quote, end: parser.end };
  const [only = ""] = parts;
  if (parts.length < 2 && typeof only === "string") return { kind: "string", value: only, ...placed };
  return { kind: "interpolation", format: format?.text, parts, ...placed };
}

function readPattern(parser: JqParser): Pattern {
  const { kind, text, from: start } = parser.token;
  if (kind === "variable") {
    advance(parser);
    return { kind, name: text, start, end: parser.end };
  }
  if (accept(parser, "[")) {
    const items = readAll(parser, readPattern);
    expectSign(parser, "]");
    return { kind: "array", items, start, end: parser.end };
  }
  if (accept(parser, "{")) {
    const entries = readAll(parser, readEntry);
    expectSign(parser, "}");
    return { kind: "object", entries, start, end: parser.end };
  }
  return failNext(
    parser,
    `A variable, \`[\` or \`{\` is missing before ${describeNext(parser)}.`,
    kind === "name" ? `Write \`$${truncate(text)}\`.` : hintFor(parser),
  );
}

function readAll<T>(parser: JqParser, read: (parser: JqParser) => T): readonly T[] {
  const items = [nested(parser, read)];
  while (accept(parser, ",")) items.push(nested(parser, read));
  return items;
}

function readEntry(parser: JqParser): PatternEntry {
  const { kind, text, from: start } = parser.token;
  const key = readKey(parser);
  const variable = kind === "variable" ? text : undefined;
  if (variable !== undefined && !isNext(parser, ":"))
    return { key, variable, pattern: undefined, start, end: parser.end };
  expectSign(
    parser,
    ":",
    kind === "name" ? `Write \`$${truncate(text)}\` for a variable with the member's name.` : undefined,
  );
  const pattern = nested(parser, readPattern);
  return { key, variable, pattern, start, end: parser.end };
}

function readKey(parser: JqParser): Jq {
  const { kind, text, from: start, to: end } = parser.token;
  if (kind === "variable" || isWord(parser.token)) {
    advance(parser);
    return { kind: "string", value: text, start, end };
  }
  return (
    readComputedKey(parser) ??
    failNext(
      parser,
      `A member name is missing before ${describeNext(parser)}.`,
      "Write other names in quotes and other keys in parentheses.",
    )
  );
}

function readFormatted(parser: JqParser): Jq {
  const format = advance(parser);
  if (parser.token.kind === "string") return readString(parser, format);
  return failNext(parser, `A string is missing between \`@${format.text}\` and ${describeNext(parser)}.`);
}

function readParts(parser: JqParser, quote: number): readonly (string | Jq)[] {
  const parts: (string | Jq)[] = [];
  let offset = quote + 1;
  for (;;) {
    const text = readText(parser.cursor.text, offset, quote);
    if (text.value !== "") parts.push(text.value);
    if (parser.cursor.text.charAt(text.end) === '"') {
      moveTo(parser, text.end + 1);
      return parts;
    }
    moveTo(parser, text.end + 2);
    if (parser.token.kind === "fixed" && parser.token.text === ")")
      failNext(parser, "An expression is missing between `\\(` and `)`.");
    parts.push(readQuery(parser));
    expectNext(parser, ")", "It closes the `\\(…)` in a string.");
    offset = parser.token.to;
  }
}

function readText(text: string, offset: number, quote: number): { readonly value: string; readonly end: number } {
  const pieces: string[] = [];
  let plain = offset;
  for (let at = offset; ; ) {
    const code = text.charCodeAt(at);
    if (Number.isNaN(code)) fail(quote, quote + 1, 'This string is not terminated: a `"` is missing.');
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

/** JSON's escapes, but a high surrogate requires a low one. */
function readEscape(text: string, at: number): { readonly value: string; readonly end: number } {
  const letter = String.fromCodePoint(text.codePointAt(at + 1) ?? 0x22);
  const simple = simpleEscapes.get(letter);
  if (simple !== undefined) return { value: simple, end: at + 2 };
  if (letter !== "u") {
    fail(
      at,
      at + 1 + letter.length,
      "Unknown escape in a jq string.",
      'Supported escapes are `\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX \\(…)`.',
    );
  }
  const unit = readUnit(text, at);
  if (unit < 0xd800 || unit > 0xdfff) return { value: String.fromCharCode(unit), end: at + 6 };
  if (unit > 0xdbff) return { value: "\ufffd", end: at + 6 };
  const low = text.startsWith("\\u", at + 6) ? readUnit(text, at + 6) : 0;
  if (low < 0xdc00 || low > 0xdfff) {
    fail(at, at + 6, "A high surrogate must be followed by a low surrogate, `\\uDC00` to `\\uDFFF`.");
  }
  return { value: String.fromCharCode(unit, low), end: at + 12 };
}

function readUnit(text: string, at: number): number {
  const digits = text.slice(at + 2, at + 6);
  const count = /^[0-9A-Fa-f]*/.exec(digits)?.[0].length ?? 0;
  if (count < 4) fail(at, at + 2 + count, "`\\u` takes four hexadecimal digits.");
  return Number.parseInt(digits, 16);
}
