import { type Cursor, fail, match, peek, unclosedHint } from "../cursor.ts";

/** How a language spells the contents of a string. */
export interface StringSyntax {
  /** What a backslash is. */
  readonly backslash: "literal" | "escape" | "ambiguous";
  /** Consumes what follows a backslash, and returns its value; undefined if the escape is unknown. */
  readonly readEscape?: (cursor: Cursor, letter: string) => string | undefined;
  /** The escapes, for messages. */
  readonly escapes?: string;
}

/** Consumes a string in `'` or `"`, if next. A doubled quote is one quote. */
export function readQuoted(cursor: Cursor, syntax: StringSyntax): string | undefined {
  const quote = peek(cursor);
  if (quote !== "'" && quote !== '"') return undefined;
  const start = cursor.offset;
  cursor.offset += 1;
  const parts: string[] = [];
  for (;;) {
    parts.push(match(cursor, unescapedPattern(quote, syntax))!);
    if (peek(cursor) === "")
      return fail(cursor, "syntax", "This string is not terminated.", start, cursor.text.length, unclosedHint(quote));
    if (peek(cursor) === "\\") parts.push(readEscape(cursor, quote, syntax));
    else if (match(cursor, quote === "'" ? /''/y : /""/y) !== undefined) parts.push(quote);
    else break;
  }
  cursor.offset += 1;
  return parts.join("");
}

/** The character of a code point in digits, unless it is a surrogate or none. */
export function characterOf(digits: string | undefined, base: number): string | undefined {
  const code = digits === undefined ? Number.NaN : Number.parseInt(digits, base);
  return code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : undefined;
}

function unescapedPattern(quote: string, { backslash }: StringSyntax): RegExp {
  if (backslash === "literal") return quote === "'" ? /[^']*/y : /[^"]*/y;
  return quote === "'" ? /[^'\\]*/y : /[^"\\]*/y;
}

function readEscape(cursor: Cursor, quote: string, syntax: StringSyntax): string {
  const from = cursor.offset;
  if (syntax.backslash === "ambiguous") {
    const message = "The meaning of a backslash in a string differs between languages.";
    return fail(cursor, "unsupported", message, from, from + 1, "Declare the `expressionLanguage`.");
  }
  cursor.offset += 1;
  const letter = match(cursor, /./suy) ?? "";
  if (letter === "\\" || letter === quote) return letter;
  const read = syntax.readEscape?.(cursor, letter);
  if (read !== undefined) return read;
  const hint = syntax.escapes === undefined ? undefined : `Supported escapes are ${syntax.escapes}.`;
  return fail(cursor, "syntax", "Unsupported escape in a string.", from, Math.max(cursor.offset, from + 2), hint);
}
