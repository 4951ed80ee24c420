import type { RegexPattern } from "../../library/regex.ts";
import { type Cursor, cursorOf, fail, type ParseResult, runParser } from "../cursor.ts";
import { javascriptForm } from "./javascript.ts";
import { printPattern } from "./print.ts";
import { readRegex } from "./reader.ts";

/** A translated regular expression of jq, and whether its flags request all matches. */
export interface RegexTranslation {
  readonly pattern: RegexPattern;
  readonly global: boolean;
}

/** Translates a regular expression of jq. Fails if jq rejects it or JavaScript may match differently. */
export function translateRegex(pattern: string, flags = ""): ParseResult<RegexTranslation> {
  return runParser(() => {
    const cursor = startOf(pattern, 5_000);
    checkFlags(cursor, flags);
    const options = { ignoresCase: flags.includes("i"), isDotAll: /[mp]/.test(flags), isExtended: flags.includes("x") };
    const { pattern: tree, names, ignoresCase, mixesCase } = readRegex(cursor, "jq", options);
    const { source, captures } = printPattern(tree, javascriptForm(mixesCase));
    return {
      pattern: {
        source: checkedSource(cursor, source),
        flags: `${ignoresCase && !mixesCase ? "i" : ""}u${names.length > 0 ? "d" : ""}`,
        groups: names.map((name, i) => [name, captures[i]!] as const),
        ligatures: (ignoresCase || mixesCase) && mayFoldToLigature(pattern),
        negated: /\[:?\^|\(\?<[=!]/.test(pattern) || (pattern.includes("[") && /\\[WSDP]|\\p\{\^/.test(pattern)),
        words: /\\[wWbB]/.test(pattern),
      },
      global: flags.includes("g"),
    };
  });
}

/** The translation of an operand of `matches`, for JavaScript's flag `u`. */
export interface PatternTranslation {
  readonly source: string;
}

/**
 * Translates the pattern of the operator `matches`, which accepts the syntax of jq's regular expressions and the
 * escapes of JavaScript, with JavaScript's meaning. Fails where engines differ.
 */
export function translatePattern(pattern: string): ParseResult<PatternTranslation> {
  return runParser(() => {
    const cursor = startOf(pattern, 10_000);
    const options = { ignoresCase: false, isDotAll: false, isExtended: false };
    const { source } = printPattern(readRegex(cursor, "javascript", options).pattern, javascriptForm(true));
    return { source: checkedSource(cursor, source) };
  });
}

function startOf(pattern: string, maxLength: number): Cursor {
  const cursor = cursorOf(pattern);
  if (pattern.length > maxLength)
    fail(cursor, "limit", `This pattern is longer than ${maxLength} characters.`, 0, pattern.length);
  return cursor;
}

function checkFlags(cursor: Cursor, flags: string): void {
  const { length } = cursor.text;
  for (const flag of flags) {
    if (flag === "l" || flag === "n")
      fail(cursor, "unsupported", `The flag \`${flag}\` of regular expressions is not supported.`, 0, length);
    if (!"gixmsp".includes(flag)) fail(cursor, "syntax", `Unknown regular expression flags \`${flags}\`.`, 0, length);
  }
}

/** Engines limit the sizes of patterns, too. */
function checkedSource(cursor: Cursor, source: string): string {
  try {
    return new RegExp(source, "u").source;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return fail(cursor, "limit", "This pattern is too large.", 0, cursor.text.length);
  }
}

/** Ligatures and `ß` fold to `ss`, `st`, `ff`, `fi`, `fl`. */
const mayFoldToLigature = (pattern: string): boolean => /s[^a-z]*[st]|f[^a-z]*[fil]|\\x/i.test(pattern);
