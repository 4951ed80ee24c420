import { type Cursor, match, skipSpace } from "../cursor.ts";
import { type ConditionToken, readNumberLike } from "./lexer.ts";
import { readQuoted } from "./strings.ts";

/** Reads a token of an event expression, whose names may contain `-`. */
export function readToken(cursor: Cursor): ConditionToken {
  skipSpace(cursor);
  const from = cursor.offset;
  const tokenOf = (kind: ConditionToken["kind"], text: string): ConditionToken => ({
    kind,
    text,
    from,
    to: cursor.offset,
  });
  for (const [kind, pattern] of patterns) {
    const found = match(cursor, pattern);
    if (found !== undefined) return tokenOf(kind, found);
  }
  const number = readNumberLike(cursor, /^$/);
  if (number !== undefined) return tokenOf("number", number);
  const text = readQuoted(cursor, { backslash: "ambiguous" });
  if (text !== undefined) return tokenOf("text", text);
  const character = match(cursor, /./suy);
  return character === undefined ? tokenOf("end", "") : tokenOf("other", character);
}

/** A name after a dot; may start with a digit. */
export const memberName = /(?:[\w-]|(?![\p{Z}\u200b\ufeff])[\u00a0-\ud7ff\ue000-\u{10ffff}])+/uy;

const patterns: readonly (readonly [ConditionToken["kind"], RegExp])[] = [
  ["path", /\$/y],
  ["name", /(?![\d-])(?:[\w-]|(?![\p{Z}\u200b\ufeff])[\u00a0-\ud7ff\ue000-\u{10ffff}])+/uy],
  ["variable", /#[\w.-]*/y],
  ["sign", /[=!]==?|<=|>=|<>|=<|=>|[=!]~|&&|\|\||\?[?:.]|[-+*/%^~?:|&=<>!()[\]{},.;]/y],
];
