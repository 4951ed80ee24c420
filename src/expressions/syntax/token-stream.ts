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

/** A parser with one token of lookahead. */
export interface TokenStream<W extends Token> {
  readonly cursor: Cursor;
  readonly lexicon: Lexer<W>;
  token: W;
  end: number;
}

/** A lexical grammar. */
export interface Lexer<W extends Token> {
  readonly read: (cursor: Cursor) => W;
  readonly fixed: W["kind"];
  readonly show: (word: W, cursor: Cursor) => string;
}

/** Starts a parser at the first token. */
export const tokenStream = <W extends Token>(cursor: Cursor, lexicon: Lexer<W>): TokenStream<W> => ({
  cursor,
  lexicon,
  token: lexicon.read(cursor),
  end: 0,
});

/** Consumes the next token. */
export function advance<W extends Token>(words: TokenStream<W>): W {
  const passed = words.token;
  moveTo(words, passed.to);
  return passed;
}

/** Continues at the first token from an offset on. */
export function moveTo<W extends Token>(words: TokenStream<W>, offset: number): void {
  words.end = offset;
  words.cursor.offset = offset;
  words.token = words.lexicon.read(words.cursor);
}

/** Whether a keyword or sign is next. */
export const isNext = <W extends Token>({ token, lexicon }: TokenStream<W>, text: string): boolean =>
  token.kind === lexicon.fixed && token.text === text;

/** Consumes a keyword or sign, if next. */
export function accept<W extends Token>(words: TokenStream<W>, text: string): boolean {
  const found = isNext(words, text);
  if (found) advance(words);
  return found;
}

/** Consumes a keyword or sign; fails unless it is next. */
export function expect<W extends Token>(words: TokenStream<W>, text: string, hint?: string): void {
  if (!accept(words, text))
    failAt(words, "syntax", `\`${text}\` is missing before ${describeNext(words)}.`, undefined, hint);
}

/** Describes the next token for messages. */
export const describeNext = <W extends Token>({ lexicon, token, cursor }: TokenStream<W>): string =>
  lexicon.show(token, cursor);

/** Fails at the next token by default. */
export function failAt<W extends Token>(
  words: TokenStream<W>,
  category: ParseError["category"],
  message: string,
  at: Range = words.token,
  hint?: string,
): never {
  return fail(words.cursor, category, message, at.from, at.to, hint);
}

/** Parses one level deeper; fails at `opener` beyond the limit. */
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
