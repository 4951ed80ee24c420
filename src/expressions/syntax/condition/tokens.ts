import { type Cursor, fail, match, peek, skipSpace, unclosedHint } from "../cursor.ts";

/**
 * A token of a condition or event expression. `text` is the source, or the value of a string. `path`: only the leading
 * `$`. `variable`: a name after `#`. `other`: a character that starts no token.
 */
export interface ConditionToken {
  readonly kind: "name" | "text" | "number" | "path" | "variable" | "sign" | "other" | "end";
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** Reads a token; fails for malformed strings and numbers. */
export function readToken(cursor: Cursor, language: ConditionLanguage | undefined): ConditionToken {
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
    if (found !== undefined)
      return kind === "number" ? tokenOf(kind, checkNumber(cursor, found)) : tokenOf(kind, found);
  }
  const text = readText(cursor, language);
  if (text !== undefined) return tokenOf("text", text);
  const character = match(cursor, /./suy);
  return character === undefined ? tokenOf("end", "") : tokenOf("other", character);
}

/** A name after a dot; may start with a digit. */
export const memberName = /(?:[\w-]|(?![\p{Z}\u200b\ufeff])[\u00a0-\ud7ff\ue000-\u{10ffff}])+/uy;

/** The condition languages with constructs of their own. */
export const conditionLanguages = ["spel", "jexl", "cel"] as const;

/** A condition language. */
export type ConditionLanguage = (typeof conditionLanguages)[number];

/** Looks a language up, case-insensitive. */
export const conditionLanguageOf = (name: string): ConditionLanguage | undefined =>
  conditionLanguages.find((language) => language === name.toLowerCase());

/** The hint for a construct of another language. */
export const onlyInHint = (language: ConditionLanguage): string =>
  `It is supported if the language is \`${language}\`.`;

const patterns: readonly (readonly [ConditionToken["kind"], RegExp])[] = [
  ["path", /\$/y],
  ["name", /(?![\d-])(?:[\w-]|(?![\p{Z}\u200b\ufeff])[\u00a0-\ud7ff\ue000-\u{10ffff}])+/uy],
  ["number", /\d(?:[eE][+-]\d|[\w.])*/y],
  ["variable", /#[\w.-]*/y],
  ["sign", /[=!]==?|<=|>=|<>|=<|=>|[=!]~|&&|\|\||\?[?:.]|[-+*/%^~?:|&=<>!()[\]{},.;]/y],
];

function checkNumber(cursor: Cursor, found: string): string {
  if (/^(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(found)) return found;
  const from = cursor.offset - found.length;
  return fail(cursor, "syntax", `\`${found.slice(0, 40)}\` is not a valid JSON number.`, from, cursor.offset);
}

/** A backslash is literal in SpEL, an escape in JEXL and CEL, and otherwise an error. */
function readText(cursor: Cursor, language: ConditionLanguage | undefined): string | undefined {
  const quote = peek(cursor);
  if (quote !== "'" && quote !== '"') return undefined;
  const start = cursor.offset;
  if (language === "cel" && match(cursor, /'''|"""/y) !== undefined)
    fail(cursor, "unsupported", "Triple-quoted strings are not supported in conditions.", start, cursor.offset);
  cursor.offset += 1;
  const parts: string[] = [];
  for (;;) {
    parts.push(match(cursor, unescapedPattern(quote, language))!);
    if (peek(cursor) === "")
      return fail(cursor, "syntax", "This string is not terminated.", start, cursor.text.length, unclosedHint(quote));
    if (peek(cursor) === "\\") parts.push(readEscape(cursor, quote, language));
    else if (match(cursor, quote === "'" ? /''/y : /""/y) !== undefined) parts.push(quote);
    else break;
  }
  cursor.offset += 1;
  return parts.join("");
}

function unescapedPattern(quote: string, language: ConditionLanguage | undefined): RegExp {
  if (language === "spel") return quote === "'" ? /[^']*/y : /[^"]*/y;
  return quote === "'" ? /[^'\\]*/y : /[^"\\]*/y;
}

function readEscape(cursor: Cursor, quote: string, language: ConditionLanguage | undefined): string {
  const from = cursor.offset;
  if (language === undefined) {
    const message = "The meaning of a backslash in a string differs between languages.";
    return fail(cursor, "unsupported", message, from, from + 1, "Double a quote to include it in a string.");
  }
  cursor.offset += 1;
  const letter = match(cursor, /./suy) ?? "";
  if (letter === "\\" || letter === quote) return letter;
  const plain = language === "cel" ? celEscapes.get(letter) : undefined;
  return plain ?? readNumericEscape(cursor, letter, language) ?? rejectEscape(cursor, from, language);
}

/** Their meaning in JEXL depends on its version. */
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

function readNumericEscape(cursor: Cursor, letter: string, language: ConditionLanguage): string | undefined {
  if (language === "jexl") {
    const pair = letter === "u" ? match(cursor, /[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}/y) : undefined;
    if (pair !== undefined) return String.fromCharCode(...pair.split("\\u").map((half) => Number.parseInt(half, 16)));
    return letter === "u" ? characterOf(match(cursor, /[\da-fA-F]{4}/y), 16) : undefined;
  }
  const pattern = numericEscapes.get(letter);
  if (pattern) return characterOf(match(cursor, pattern), 16);
  const rest = /[0-3]/.test(letter) ? match(cursor, /[0-7]{2}/y) : undefined;
  return rest === undefined ? undefined : characterOf(letter + rest, 8);
}

const numericEscapes: ReadonlyMap<string, RegExp> = new Map([
  ["x", /[\da-fA-F]{2}/y],
  ["X", /[\da-fA-F]{2}/y],
  ["u", /[\da-fA-F]{4}/y],
  ["U", /[\da-fA-F]{8}/y],
]);

function characterOf(digits: string | undefined, base: number): string | undefined {
  const code = digits === undefined ? Number.NaN : Number.parseInt(digits, base);
  return code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : undefined;
}

function rejectEscape(cursor: Cursor, from: number, language: ConditionLanguage): never {
  const to = Math.max(cursor.offset, from + 2);
  const known = language === "jexl" ? "`\\\\`, `\\uXXXX` and the backslash before a quote" : "CEL's own";
  return fail(cursor, "syntax", "Unsupported escape in a string.", from, to, `Supported escapes are ${known}.`);
}
