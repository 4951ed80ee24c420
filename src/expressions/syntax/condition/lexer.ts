import { type Cursor, fail, match, skipSpace } from "../cursor.ts";
import type { Token } from "../token-stream.ts";

/**
 * A token of a condition. `text` is the source, or the value of a string. `path`: only the leading `$`. `variable`: a
 * name after `#`. `other`: a character that starts no token.
 */
export interface ConditionToken extends Token {
  readonly kind: "name" | "text" | "number" | "path" | "variable" | "sign" | "other" | "end";
}

/** The literals of a language. */
export interface Lexicon {
  /** Consumes a string, if next. */
  readonly readString: (cursor: Cursor) => string | undefined;
  /** Consumes a number, if next, and returns its source text. */
  readonly readNumber: (cursor: Cursor) => string | undefined;
}

/** Reads a token; fails for malformed strings and numbers. */
export function readToken(cursor: Cursor, { readString, readNumber }: Lexicon): ConditionToken {
  skipSpace(cursor);
  const from = cursor.offset;
  const tokenOf = (kind: ConditionToken["kind"], text: string): ConditionToken => ({
    kind,
    text,
    from,
    to: cursor.offset,
  });
  const string = readString(cursor);
  if (string !== undefined) return tokenOf("text", string);
  const number = readNumber(cursor);
  if (number !== undefined) return tokenOf("number", number);
  for (const [kind, pattern] of patterns) {
    const found = match(cursor, pattern);
    if (found !== undefined) return tokenOf(kind, found);
  }
  const character = match(cursor, /./suy);
  return character === undefined ? tokenOf("end", "") : tokenOf("other", character);
}

/** Consumes a number: a JSON number, or one that matches `more`, which has no leading zeros in decimal. */
export function readNumberLike(cursor: Cursor, more: RegExp): string | undefined {
  const from = cursor.offset;
  const found = match(cursor, /\d(?:[eE][+-]\d|[\w.])*/y);
  if (found === undefined) return undefined;
  if (/^(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(found) || more.test(found)) return found;
  return fail(cursor, "syntax", `\`${found.slice(0, 40)}\` is not a valid number.`, from, cursor.offset);
}

/** Describes a token for a message. */
export function describeToken(token: ConditionToken, cursor: Cursor): string {
  switch (token.kind) {
    case "end":
      return "the end of the expression";
    case "text":
      return "a string";
    case "other":
      return /[\p{C}\p{Z}\p{M}`]/u.test(token.text) ? describeCharacter(token.text) : `\`${token.text}\``;
    default:
      return `\`${truncateToken(cursor.text.slice(token.from, token.to))}\``;
  }
}

/** Truncates a token for a message. */
export const truncateToken = (text: string): string =>
  text.length > 40 ? `${text.slice(0, 40).replace(/[\ud800-\udbff]$/, "")}…` : text;

const describeCharacter = (character: string): string =>
  `the character U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;

const patterns: readonly (readonly [ConditionToken["kind"], RegExp])[] = [
  ["path", /\$/y],
  ["name", /(?!\d)(?:\w|(?![\p{Z}\u200b\ufeff])[\u00a0-\ud7ff\ue000-\u{10ffff}])+/uy],
  ["variable", /#[\w.]*/y],
  [
    "sign",
    /[=!]==?|<=|>=|<>|=<|=>|->|[=!][~^]|[=!]\$(?![.[])|&&|\|\||\?[?:.[]|\.[?!^$]\[|\.\.|[-+*/%^~?:|&=<>!()[\]{},.;@]/y,
  ],
];
