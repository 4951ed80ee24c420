/** The mutable state of a parser. */
export interface Cursor {
  readonly text: string;
  offset: number;
  /** The current nesting of parentheses and filters, and its limit. */
  depth: number;
  readonly deepest: number;
}

/** A cursor at the start of a source text; signals a fault if it is too long. */
export function cursorOf(text: string, deepest = deepestNesting): Cursor {
  const cursor: Cursor = { text, offset: 0, depth: 0, deepest };
  if (text.length > longestText)
    signal(cursor, "limit", "This expression is longer than a million characters.", 0, text.length);
  return cursor;
}

/** Throws a fault, by default at the current character. */
export function signal(
  cursor: Cursor,
  fault: Fault["fault"],
  message: string,
  from = cursor.offset,
  to?: number,
  hint?: string,
): never {
  const end = to ?? from + ((cursor.text.codePointAt(from) ?? 0) > 0xffff ? 2 : 1);
  throw new FaultSignal({
    fault,
    from: Math.min(from, cursor.text.length),
    to: Math.min(end, cursor.text.length),
    message,
    hint,
  });
}

/** The next character; "" at the end. */
export const peek = (cursor: Cursor): string => cursor.text.charAt(cursor.offset);

/** Describes the next character for a message. */
export function shown(cursor: Cursor): string {
  const code = cursor.text.codePointAt(cursor.offset);
  if (code === undefined) return "the end of the text";
  if (code === 0x60) return "a back-tick";
  return code < 0x20 || (code >= 0x7f && code < 0xa0) ? "a control character" : `\`${String.fromCodePoint(code)}\``;
}

/** Consumes a string if it comes next. */
export function take(cursor: Cursor, text: string): boolean {
  if (!cursor.text.startsWith(text, cursor.offset)) return false;
  cursor.offset += text.length;
  return true;
}

/** Consumes and returns what a sticky pattern matches. */
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

/** Parses one nesting level deeper; signals a fault beyond the limit. */
export function nested<T>(cursor: Cursor, parse: () => T): T {
  if (++cursor.depth > cursor.deepest)
    signal(cursor, "limit", `This expression is nested more than ${cursor.deepest} levels deep.`);
  const result = parse();
  cursor.depth--;
  return result;
}

/** Consumes a string; signals a fault if it does not come next. */
export function expect(cursor: Cursor, text: string): void {
  if (!take(cursor, text)) signal(cursor, "syntax", `\`${text}\` is missing before ${shown(cursor)}.`);
}

/**
 * An error in an expression; `from` and `to` are UTF-16 offsets in it. `syntax`: it violates the grammar;
 * `unsupported`: Waybill does not support the construct; `limit`: it is too long or too deeply nested.
 */
export interface Fault {
  readonly fault: "syntax" | "unsupported" | "limit";
  readonly from: number;
  readonly to: number;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The hint for an unterminated string. */
export const closing = (quote: string): string => `Write \`${quote}\` where it ends.`;

/** A parser's result: what it parsed, or the first error. Parsers never throw. */
export type Parsed<T extends object> = T | Fault;

/** Whether a parser failed. */
export const isFault = (parsed: object): parsed is Fault => "fault" in parsed;

/** Unwinds a parser; never leaves this folder. */
export class FaultSignal extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** Runs a parser and returns the fault that it signals. */
export function parsing<T extends object>(parse: () => T): Parsed<T> {
  try {
    return parse();
  } catch (error) {
    if (error instanceof FaultSignal) return error.fault;
    throw error;
  }
}

/** The maximum length of an expression in UTF-16 units. */
export const longestText = 1_000_000;

/** The maximum nesting of parentheses and filters. */
export const deepestNesting = 100;

/** The value as which an integer literal is stored if a double loses some of its digits; otherwise undefined. */
export function lostDigits(text: string, value: number): string | undefined {
  if (!/^\d{16,}$/.test(text) || text.length > 400) return undefined;
  const kept = BigInt(value);
  return kept === BigInt(text) ? undefined : String(kept);
}
