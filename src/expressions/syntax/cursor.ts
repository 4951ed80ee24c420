/** The mutable state of a parser. */
export interface Cursor {
  readonly text: string;
  offset: number;
  depth: number;
  readonly maxDepth: number;
}

/** Starts a cursor; fails if the source text is too long. */
export function cursorOf(text: string, deepest = maxNesting): Cursor {
  const cursor: Cursor = { text, offset: 0, depth: 0, maxDepth: deepest };
  if (text.length > maxExpressionLength)
    fail(cursor, "limit", "This expression is longer than a million characters.", 0, text.length);
  return cursor;
}

/** Throws a parse error at the current character by default. */
export function fail(
  cursor: Cursor,
  category: ParseError["category"],
  message: string,
  from = cursor.offset,
  to?: number,
  hint?: string,
): never {
  const end = to ?? from + ((cursor.text.codePointAt(from) ?? 0) > 0xffff ? 2 : 1);
  throw new ParseErrorSignal({
    category,
    from: Math.min(from, cursor.text.length),
    to: Math.min(end, cursor.text.length),
    message,
    hint,
  });
}

/** The next character; "" at the end. */
export const peek = (cursor: Cursor): string => cursor.text.charAt(cursor.offset);

/** Describes the next character for a message. */
export function describeNext(cursor: Cursor): string {
  const code = cursor.text.codePointAt(cursor.offset);
  if (code === undefined) return "the end of the expression";
  if (code === 0x60) return "a back-tick";
  return code < 0x20 || (code >= 0x7f && code < 0xa0) ? "a control character" : `\`${String.fromCodePoint(code)}\``;
}

/** Consumes a string, if next. */
export function consume(cursor: Cursor, text: string): boolean {
  if (!cursor.text.startsWith(text, cursor.offset)) return false;
  cursor.offset += text.length;
  return true;
}

/** Consumes what a sticky pattern matches. */
export function match(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.offset;
  const [found] = pattern.exec(cursor.text) ?? [];
  if (found !== undefined) cursor.offset += found.length;
  return found;
}

/** Skips spaces, tabs and line breaks. */
export function skipSpace(cursor: Cursor): void {
  for (let code = cursor.text.charCodeAt(cursor.offset); code === 32 || code === 9 || code === 10 || code === 13; ) {
    code = cursor.text.charCodeAt(++cursor.offset);
  }
}

/** Parses one level deeper; fails beyond the limit. */
export function nested<T>(cursor: Cursor, parse: () => T): T {
  if (++cursor.depth > cursor.maxDepth)
    fail(cursor, "limit", `This expression is nested more than ${cursor.maxDepth} levels deep.`);
  const result = parse();
  cursor.depth--;
  return result;
}

/** Consumes a string; fails unless it is next. */
export function expect(cursor: Cursor, text: string): void {
  if (!consume(cursor, text)) fail(cursor, "syntax", `\`${text}\` is missing before ${describeNext(cursor)}.`);
}

/**
 * An error; `from` and `to` are UTF-16 offsets. `syntax`: violates the grammar; `unsupported`: Waybill lacks the
 * construct; `limit`: too long or too deep.
 */
export interface ParseError {
  readonly category: "syntax" | "unknown" | "unsupported" | "limit";
  readonly from: number;
  readonly to: number;
  readonly message: string;
  readonly hint?: string | undefined;
  /** The error code of the language, if it has codes. */
  readonly code?: string | undefined;
}

/** The hint for an unterminated string. */
export const unclosedHint = (quote: string): string => `Write \`${quote}\` at its end.`;

/** A result or the first error; parsers never throw. */
export type ParseResult<T extends object> = T | ParseError;

/** Whether a parser failed. */
export const isParseError = (parsed: object): parsed is ParseError => "category" in parsed;

/** Unwinds a parser; never leaves this folder. */
export class ParseErrorSignal extends Error {
  readonly error: ParseError;

  constructor(error: ParseError) {
    super(error.message);
    this.error = error;
  }
}

/** Runs a parser and catches its error. */
export function runParser<T extends object>(parse: () => T): ParseResult<T> {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ParseErrorSignal) return error.error;
    throw error;
  }
}

/** The maximum length of an expression, in UTF-16 units. */
export const maxExpressionLength = 1_000_000;

/** The maximum nesting of parentheses and filters. */
export const maxNesting = 100;

/** The double for an integer literal that loses digits; otherwise undefined. */
export function roundedInteger(text: string, value: number): string | undefined {
  if (!/^\d{16,}$/.test(text) || text.length > 400) return undefined;
  const kept = BigInt(value);
  return kept === BigInt(text) ? undefined : String(kept);
}
