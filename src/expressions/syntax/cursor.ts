/** Where a parser stands in its text: the only thing that parsers change. */
export interface Cursor {
  readonly text: string;
  offset: number;
  /** How much is open that is nested, such as parentheses and filters, and how much may be. */
  depth: number;
  readonly deepest: number;
}

/** A cursor at the beginning of a text; signals a fault when that is too long. */
export function cursorOf(text: string, deepest = deepestNesting): Cursor {
  const cursor: Cursor = { text, offset: 0, depth: 0, deepest };
  if (text.length > longestText)
    signal(cursor, "limit", "This expression is longer than a million characters.", 0, text.length);
  return cursor;
}

/** Ends parsing with a fault, at the character where the cursor stands unless told otherwise. */
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

/** The next character for people, in back-ticks. */
export function shown(cursor: Cursor): string {
  const code = cursor.text.codePointAt(cursor.offset);
  if (code === undefined) return "the end of the text";
  if (code === 0x60) return "a back-tick";
  return code < 0x20 || (code >= 0x7f && code < 0xa0) ? "a control character" : `\`${String.fromCodePoint(code)}\``;
}

/** Moves past a text if it comes next. */
export function take(cursor: Cursor, text: string): boolean {
  if (!cursor.text.startsWith(text, cursor.offset)) return false;
  cursor.offset += text.length;
  return true;
}

/** Moves past what a sticky expression matches next, and gives it. */
export function match(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.offset;
  const [found] = pattern.exec(cursor.text) ?? [];
  if (found !== undefined) cursor.offset += found.length;
  return found;
}

/** Moves past spaces, tabs and line breaks. */
export function skipSpace(cursor: Cursor): void {
  for (let code = cursor.text.charCodeAt(cursor.offset); code === 32 || code === 9 || code === 10 || code === 13; ) {
    code = cursor.text.charCodeAt(++cursor.offset);
  }
}

/** Parses something one level deeper; signals a fault when that is too deep. */
export function nested<T>(cursor: Cursor, parse: () => T): T {
  if (++cursor.depth > cursor.deepest)
    signal(cursor, "limit", `This expression is nested more than ${cursor.deepest} levels deep.`);
  const result = parse();
  cursor.depth--;
  return result;
}

/** Signals a fault unless a text comes next; moves past it. */
export function expect(cursor: Cursor, text: string): void {
  if (!take(cursor, text)) signal(cursor, "syntax", `\`${text}\` is missing before ${shown(cursor)}.`);
}

/**
 * What is wrong with a text that should be an expression: `from` and `to` are UTF-16 offsets in that text, the message is a sentence
 * for the user. `syntax`: it does not follow the grammar; `unsupported`: it does, but Waybill does not read that construct; `limit`: it is
 * too long or too deeply nested.
 */
export interface Fault {
  readonly fault: "syntax" | "unsupported" | "limit";
  readonly from: number;
  readonly to: number;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** What to do about a text in quotes that does not end. */
export const closing = (quote: string): string => `Write \`${quote}\` where it ends.`;

/** What a parser gives: what it read, or the first thing that is wrong. Parsers never throw. */
export type Parsed<T extends object> = T | Fault;

/** Whether a parser found something wrong. */
export const isFault = (parsed: object): parsed is Fault => "fault" in parsed;

/** How parsers leave their depths: thrown and caught inside this folder only. */
export class FaultSignal extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** Runs a parser; what it signals becomes its result. */
export function parsing<T extends object>(parse: () => T): Parsed<T> {
  try {
    return parse();
  } catch (error) {
    if (error instanceof FaultSignal) return error.fault;
    throw error;
  }
}

/** Texts beyond this many UTF-16 units are refused. */
export const longestText = 1_000_000;

/** Parentheses and filters nested deeper than this are refused. */
export const deepestNesting = 100;

/** What an integer, written in decimal digits, becomes that has more digits than a double keeps; undefined where none are lost. */
export function lostDigits(text: string, value: number): string | undefined {
  if (!/^\d{16,}$/.test(text) || text.length > 400) return undefined;
  const kept = BigInt(value);
  return kept === BigInt(text) ? undefined : String(kept);
}
