import { type Cursor, type Fault, signal } from "./cursor.ts";

/** A token: a name, sign or number. */
export interface Word extends Stretch {
  readonly kind: string;
  readonly text: string;
}

/** A range of offsets in a source text. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** A parser with one token of look-ahead. */
export interface Words<W extends Word> {
  readonly cursor: Cursor;
  readonly lexicon: Lexicon<W>;
  /** The next token. */
  token: W;
  /** The end of the last token. */
  end: number;
}

/** The lexical grammar of a language. */
export interface Lexicon<W extends Word> {
  /** Reads the next token; signals a fault if there is none. */
  readonly read: (cursor: Cursor) => W;
  /** The token kind of keywords and signs. */
  readonly fixed: W["kind"];
  /** Describes a token for a message. */
  readonly show: (word: W, cursor: Cursor) => string;
}

/** A parser at the first token. */
export const wordsOf = <W extends Word>(cursor: Cursor, lexicon: Lexicon<W>): Words<W> => ({
  cursor,
  lexicon,
  token: lexicon.read(cursor),
  end: 0,
});

/** Consumes and returns the next token. */
export function advance<W extends Word>(words: Words<W>): W {
  const passed = words.token;
  moveTo(words, passed.to);
  return passed;
}

/** Continues with the first token at or after an offset. */
export function moveTo<W extends Word>(words: Words<W>, offset: number): void {
  words.end = offset;
  words.cursor.offset = offset;
  words.token = words.lexicon.read(words.cursor);
}

/** Whether a keyword or sign comes next. */
export const isNext = <W extends Word>({ token, lexicon }: Words<W>, text: string): boolean =>
  token.kind === lexicon.fixed && token.text === text;

/** Consumes a keyword or sign if it comes next. */
export function accept<W extends Word>(words: Words<W>, text: string): boolean {
  const found = isNext(words, text);
  if (found) advance(words);
  return found;
}

/** Consumes a keyword or sign; signals a fault if it does not come next. */
export function expect<W extends Word>(words: Words<W>, text: string, hint?: string): void {
  if (!accept(words, text)) refuse(words, "syntax", `\`${text}\` is missing before ${shown(words)}.`, undefined, hint);
}

/** Describes the next token for a message. */
export const shown = <W extends Word>({ lexicon, token, cursor }: Words<W>): string => lexicon.show(token, cursor);

/** Signals a fault, by default at the next token. */
export function refuse<W extends Word>(
  words: Words<W>,
  fault: Fault["fault"],
  message: string,
  at: Stretch = words.token,
  hint?: string,
): never {
  return signal(words.cursor, fault, message, at.from, at.to, hint);
}

/** Parses one nesting level deeper; signals a fault at `opener` beyond the limit. */
export function nested<W extends Word, Place extends Words<W>, T>(
  words: Place & Words<W>,
  read: (words: Place) => T,
  opener: Stretch = words.token,
): T {
  const { cursor } = words;
  if (++cursor.depth > cursor.deepest)
    refuse(words, "limit", `This expression is nested more than ${cursor.deepest} levels deep.`, opener);
  const result = read(words);
  cursor.depth--;
  return result;
}
