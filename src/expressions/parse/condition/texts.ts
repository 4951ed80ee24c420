import { type Cursor, match, peek, signal } from "../cursor.ts";
import type { ConditionLanguage } from "./languages.ts";

/**
 * Reads a text in quotes, if one comes next, and gives what it says. In all languages a quote in it is doubled. A backslash stands for itself
 * in SpEL and begins an escape in JEXL and CEL; without a language it is a fault.
 */
export function readText(cursor: Cursor, language: ConditionLanguage | undefined): string | undefined {
  const quote = peek(cursor);
  if (quote !== "'" && quote !== '"') return undefined;
  const start = cursor.offset;
  if (language === "cel" && match(cursor, /'''|"""/y) !== undefined)
    signal(cursor, "unsupported", "Texts in three quotes are not supported in conditions.", start, cursor.offset);
  cursor.offset += 1;
  const parts: string[] = [];
  for (;;) {
    parts.push(match(cursor, plainTo(quote, language))!);
    if (peek(cursor) === "")
      return signal(cursor, "syntax", "The text that begins here is not closed.", start, cursor.text.length);
    if (peek(cursor) === "\\") parts.push(readEscape(cursor, quote, language));
    else if (match(cursor, quote === "'" ? /''/y : /""/y) !== undefined) parts.push(quote);
    else break;
  }
  cursor.offset += 1;
  return parts.join("");
}

function plainTo(quote: string, language: ConditionLanguage | undefined): RegExp {
  if (language === "spel") return quote === "'" ? /[^']*/y : /[^"]*/y;
  return quote === "'" ? /[^'\\]*/y : /[^"\\]*/y;
}

function readEscape(cursor: Cursor, quote: string, language: ConditionLanguage | undefined): string {
  const from = cursor.offset;
  if (language === undefined) {
    const message = "A backslash in a text means different things in different languages.";
    return signal(cursor, "unsupported", message, from, from + 1, "A quote in a text is doubled.");
  }
  cursor.offset += 1;
  const letter = match(cursor, /./suy) ?? "";
  if (letter === "\\" || letter === quote) return letter;
  const plain = language === "cel" ? celEscapes.get(letter) : undefined;
  return plain ?? readNumbered(cursor, letter, language) ?? refuseEscape(cursor, from, language);
}

/** The escapes of one letter that CEL has. What JEXL makes of them depends on its version. */
const celEscapes: ReadonlyMap<string, string> = new Map([
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["?", "?"],
  ["'", "'"],
  ['"', '"'],
  ["`", "`"],
]);

/** A character by its number; of a pair of surrogates both halves, which JEXL writes one after the other. */
function readNumbered(cursor: Cursor, letter: string, language: ConditionLanguage): string | undefined {
  if (language === "jexl") {
    const pair = letter === "u" ? match(cursor, /[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}/y) : undefined;
    if (pair !== undefined) return String.fromCharCode(...pair.split("\\u").map((half) => Number.parseInt(half, 16)));
    return letter === "u" ? characterOf(match(cursor, /[\da-fA-F]{4}/y), 16) : undefined;
  }
  const pattern = numbered.get(letter);
  if (pattern) return characterOf(match(cursor, pattern), 16);
  const rest = /[0-3]/.test(letter) ? match(cursor, /[0-7]{2}/y) : undefined;
  return rest === undefined ? undefined : characterOf(letter + rest, 8);
}

const numbered: ReadonlyMap<string, RegExp> = new Map([
  ["x", /[\da-fA-F]{2}/y],
  ["X", /[\da-fA-F]{2}/y],
  ["u", /[\da-fA-F]{4}/y],
  ["U", /[\da-fA-F]{8}/y],
]);

function characterOf(digits: string | undefined, base: number): string | undefined {
  const code = digits === undefined ? Number.NaN : Number.parseInt(digits, base);
  return code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : undefined;
}

function refuseEscape(cursor: Cursor, from: number, language: ConditionLanguage): never {
  const to = Math.max(cursor.offset, from + 2);
  const known = language === "jexl" ? "`\\\\`, `\\uXXXX` and the backslash before a quote" : "CEL's own";
  return signal(
    cursor,
    "syntax",
    "This escape has no certain meaning in a text.",
    from,
    to,
    `The escapes that are read are ${known}.`,
  );
}
