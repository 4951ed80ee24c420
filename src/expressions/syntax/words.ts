import { type Cursor, type Fault, signal } from "./cursor.ts";

/** A word of a text, such as a name, a sign or a number. */
export interface Word extends Stretch {
  readonly kind: string;
  readonly text: string;
}

/** A stretch of a text, by its offsets. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Where reading a text word by word stands: always one word ahead. */
export interface Words<W extends Word> {
  readonly cursor: Cursor;
  readonly lexicon: Lexicon<W>;
  /** The next word. */
  token: W;
  /** Where the last word ended. */
  end: number;
}

/** What the words of a language are. */
export interface Lexicon<W extends Word> {
  /** The word at the cursor, or after what means nothing there; signals a fault where there is none. */
  readonly read: (cursor: Cursor) => W;
  /** The kind of the words that mean something by themselves: signs, and keywords. */
  readonly fixed: W["kind"];
  /** A word for people. */
  readonly show: (word: W, cursor: Cursor) => string;
}

/** Words from the beginning of a text on. */
export const wordsOf = <W extends Word>(cursor: Cursor, lexicon: Lexicon<W>): Words<W> => ({
  cursor,
  lexicon,
  token: lexicon.read(cursor),
  end: 0,
});

/** Moves on by one word, and gives the one passed. */
export function advance<W extends Word>(words: Words<W>): W {
  const passed = words.token;
  moveTo(words, passed.to);
  return passed;
}

/** Moves on to the word at an offset, or after it. */
export function moveTo<W extends Word>(words: Words<W>, offset: number): void {
  words.end = offset;
  words.cursor.offset = offset;
  words.token = words.lexicon.read(words.cursor);
}

/** Whether a keyword or sign comes next. */
export const isNext = <W extends Word>({ token, lexicon }: Words<W>, text: string): boolean =>
  token.kind === lexicon.fixed && token.text === text;

/** Moves past a keyword or sign if it comes next. */
export function accept<W extends Word>(words: Words<W>, text: string): boolean {
  const found = isNext(words, text);
  if (found) advance(words);
  return found;
}

/** Moves past a keyword or sign; signals a fault unless it comes next. */
export function expect<W extends Word>(words: Words<W>, text: string, hint?: string): void {
  if (!accept(words, text)) refuse(words, "syntax", `\`${text}\` is missing before ${shown(words)}.`, undefined, hint);
}

/** The next word for people, in back-ticks. */
export const shown = <W extends Word>({ lexicon, token, cursor }: Words<W>): string => lexicon.show(token, cursor);

/** Ends reading with a fault at a word, the next one unless told otherwise. */
export function refuse<W extends Word>(
  words: Words<W>,
  fault: Fault["fault"],
  message: string,
  at: Stretch = words.token,
  hint?: string,
): never {
  return signal(words.cursor, fault, message, at.from, at.to, hint);
}

/** Reads something one level deeper; signals a fault when that is too deep, at the next word unless told otherwise. */
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
