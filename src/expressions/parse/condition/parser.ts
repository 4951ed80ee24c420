import { type Cursor, cursorOf, signal } from "../cursor.ts";
import { deepestNesting, type Fault } from "../fault.ts";
import type { ConditionLanguage } from "./languages.ts";
import { readToken, type Token } from "./tokens.ts";

/** Where reading stands: the word that comes next, and the end of the one before it. */
export interface Parser {
  readonly cursor: Cursor;
  readonly language: ConditionLanguage | undefined;
  token: Token;
  end: number;
}

/** A parser before the first word of a text; signals a fault when the text is too long. */
export function parserOf(text: string, language: ConditionLanguage | undefined): Parser {
  const cursor = cursorOf(text);
  return { cursor, language, token: readToken(cursor, language), end: 0 };
}

/** Moves past the next word, and gives it. */
export function advance(parser: Parser): Token {
  const passed = parser.token;
  moveOn(parser, passed.to);
  return passed;
}

/** Goes on after what was read up to an offset. */
export function moveOn(parser: Parser, offset: number): void {
  parser.end = offset;
  parser.cursor.offset = offset;
  parser.token = readToken(parser.cursor, parser.language);
}

/** Whether a sign comes next. */
export const isSign = ({ token }: Parser, sign: string): boolean => token.kind === "sign" && token.text === sign;

/** Moves past a sign if it comes next. */
export function accept(parser: Parser, sign: string): boolean {
  const found = isSign(parser, sign);
  if (found) advance(parser);
  return found;
}

/** Moves past a sign; signals a fault unless it comes next. */
export function expect(parser: Parser, sign: string): void {
  if (!accept(parser, sign)) refuse(parser, "syntax", `\`${sign}\` is missing before ${shown(parser)}.`);
}

/** Ends reading with a fault at a word, the next one unless told otherwise. */
export function refuse(
  parser: Parser,
  fault: Fault["fault"],
  message: string,
  place: { readonly from: number; readonly to: number } = parser.token,
  hint?: string,
): never {
  return signal(parser.cursor, fault, message, place.from, place.to, hint);
}

/** Reads something one level deeper than the word before it; signals a fault at that word when that is too deep. */
export function nested<T>(parser: Parser, opener: { readonly from: number; readonly to: number }, read: () => T): T {
  const { cursor } = parser;
  if (++cursor.depth > deepestNesting)
    refuse(parser, "limit", `This expression is nested more than ${deepestNesting} levels deep.`, opener);
  const result = read();
  cursor.depth--;
  return result;
}

/** The next word for people, in back-ticks. */
export function shown({ cursor, token }: Parser): string {
  switch (token.kind) {
    case "end":
      return "the end of the text";
    case "text":
      return "a text";
    case "other":
      return /[\p{C}\p{Z}\p{M}`]/u.test(token.text) ? characterByNumber(token.text) : `\`${token.text}\``;
    default:
      return `\`${clip(cursor.text.slice(token.from, token.to))}\``;
  }
}

/** As much of a word as a message shows. */
export const clip = (text: string): string =>
  text.length > 40 ? `${text.slice(0, 40).replace(/[\ud800-\udbff]$/, "")}…` : text;

const characterByNumber = (character: string): string =>
  `the character U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
