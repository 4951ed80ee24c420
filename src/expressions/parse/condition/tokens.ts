import { type Cursor, match, signal, skipSpace } from "../cursor.ts";
import type { ConditionLanguage } from "./languages.ts";
import { readText } from "./texts.ts";

/**
 * A word of a condition or an event expression. `text` is the word as it is written, but for a text in quotes what it says. `path`: only the
 * `$` that begins it. `variable`: a name after `#`. `other`: a character that nothing begins with.
 */
export interface Token {
  readonly kind: "name" | "text" | "number" | "path" | "variable" | "sign" | "other" | "end";
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Reads the word at the cursor or after the space there, and moves past it; signals a fault for a text or a number that is not written as one. */
export function readToken(cursor: Cursor, language: ConditionLanguage | undefined): Token {
  skipSpace(cursor);
  const from = cursor.offset;
  const tokenOf = (kind: Token["kind"], text: string): Token => ({ kind, text, from, to: cursor.offset });
  for (const [kind, pattern] of patterns) {
    const found = match(cursor, pattern);
    if (found !== undefined)
      return kind === "number" ? tokenOf(kind, checkNumber(cursor, found)) : tokenOf(kind, found);
  }
  const text = readText(cursor, language);
  if (text !== undefined) return tokenOf("text", text);
  const character = match(cursor, /./suy);
  return character === undefined ? tokenOf("end", "") : tokenOf("other", character);
}

/** What a name that follows a dot looks like: also digits may begin it. Of other scripts all characters are in names but those that cannot be seen. */
export const memberName = /(?:[\w-]|(?![\p{Z}\u200b\ufeff])[\u00a0-\ud7ff\ue000-\u{10ffff}])+/uy;

const patterns: readonly (readonly [Token["kind"], RegExp])[] = [
  ["path", /\$/y],
  ["name", /(?![\d-])(?:[\w-]|(?![\p{Z}\u200b\ufeff])[\u00a0-\ud7ff\ue000-\u{10ffff}])+/uy],
  ["number", /\d(?:[eE][+-]\d|[\w.])*/y],
  ["variable", /#[\w.-]*/y],
  ["sign", /[=!]==?|<=|>=|<>|=<|=>|[=!]~|&&|\|\||\?[?:.]|[-+*/%^~?:|&=<>!()[\]{},.;]/y],
];

function checkNumber(cursor: Cursor, found: string): string {
  if (/^(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(found)) return found;
  const from = cursor.offset - found.length;
  return signal(cursor, "syntax", `\`${found.slice(0, 40)}\` is not a number as JSON has it.`, from, cursor.offset);
}
