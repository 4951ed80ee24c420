import { type Cursor, fail, type ParseError } from "./cursor.ts";

/** A token: a name, sign or number. */
export interface Token extends Range {
  readonly kind: string;
  readonly text: string;
}

/** A range of offsets in a source text. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A parser with one token of look-ahead. */
export interface TokenStream<W extends Token> {
  readonly cursor: Cursor;
  readonly lexicon: Lexer<W>;
  /** The next token. */
  token: W;
  /** The end of the last token. */
  end: number;
}

/** The lexical grammar of a language. */
export interface Lexer<W extends Token> {
  /** Reads the next token; fails if the next character starts no token. */
  readonly read: (cursor: Cursor) => W;
  /** The token kind of keywords and signs. */
  readonly fixed: W["kind"];
  /** Describes a token for a message. */
  readonly show: (word: W, cursor: Cursor) => string;
}

/** A parser at the first token. */
export const tokenStream = <W extends Token>(cursor: Cursor, lexicon: Lexer<W>): TokenStream<W> => ({
  cursor,
  lexicon,
  token: lexicon.read(cursor),
  end: 0,
});

/** Consumes and returns the next token. */
export function advance<W extends Token>(words: TokenStream<W>): W {
  const passed = words.token;
  moveTo(words, passed.to);
  return passed;
}

/** Continues with the first token at or after an offset. */
export function moveTo<W extends Token>(words: TokenStream<W>, offset: number): void {
  words.end = offset;
  words.cursor.offset = offset;
  words.token = words.lexicon.read(words.cursor);
}

/** Whether a keyword or sign comes next. */
export const isNext = <W extends Token>({ token, lexicon }: TokenStream<W>, text: string): boolean =>
  token.kind === lexicon.fixed && token.text === text;

/** Consumes a keyword or sign if it comes next. */
export function accept<W extends Token>(words: TokenStream<W>, text: string): boolean {
  const found = isNext(words, text);
  if (found) advance(words);
  return found;
}

/** Consumes a keyword or sign; fails if it does not come next. */
export function expect<W extends Token>(words: TokenStream<W>, text: string, hint?: string): void {
  if (!accept(words, text))
    failAt(words, "syntax", `\`${text}\` is missing before ${describeNext(words)}.`, undefined, hint);
}

/** Describes the next token for a message. */
export const describeNext = <W extends Token>({ lexicon, token, cursor }: TokenStream<W>): string =>
  lexicon.show(token, cursor);

/** Fails, by default at the next token. */
export function failAt<W extends Token>(
  words: TokenStream<W>,
  category: ParseError["category"],
  message: string,
  at: Range = words.token,
  hint?: string,
): never {
  return fail(words.cursor, category, message, at.from, at.to, hint);
}

/** Parses one nesting level deeper; fails at `opener` beyond the limit. */
export function nested<W extends Token, Place extends TokenStream<W>, T>(
  words: Place & TokenStream<W>,
  read: (words: Place) => T,
  opener: Range = words.token,
): T {
  const { cursor } = words;
  if (++cursor.depth > cursor.maxDepth)
    failAt(words, "limit", `This expression is nested more than ${cursor.maxDepth} levels deep.`, opener);
  const result = read(words);
  cursor.depth--;
  return result;
}
