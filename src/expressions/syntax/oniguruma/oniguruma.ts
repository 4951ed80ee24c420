import { toRegExpDetails } from "oniguruma-to-es";
import type { RegexPattern } from "../../library/regex.ts";
import { cursorOf, fail, type ParseResult, runParser } from "../cursor.ts";
import { type PatternSyntax, readPattern } from "./pattern.ts";

/** A translated regular expression, and whether its flags request all matches. */
export interface RegexTranslation {
  readonly pattern: RegexPattern;
  readonly global: boolean;
}

/**
 * Translates a regular expression from jq's Oniguruma syntax and flags. Fails if jq rejects it or JavaScript may match
 * differently.
 */
export function translateRegex(pattern: string, flags = ""): ParseResult<RegexTranslation> {
  return runParser(() => {
    const cursor = cursorOf(pattern);
    if (pattern.length > maxPatternLength)
      fail(cursor, "limit", `This pattern is longer than ${maxPatternLength} characters.`, 0, pattern.length);
    checkFlags(pattern, flags);
    const syntax = readPattern(cursor, flags.includes("x"));
    const caseless = flags.includes("i") || syntax.flags.includes("i");
    if (caseless || syntax.localCase) checkFolding(pattern, syntax.wideClass, syntax.localCase);
    const ligatures = (caseless || syntax.localCase) && mayFoldToLigature(pattern);
    const negated = /\[:?\^|\(\?<[=!]/.test(pattern) || (pattern.includes("[") && /\\[WSDP]|\\p\{\^/.test(pattern));
    const words = /\\[wWbB]/.test(pattern);
    return {
      pattern: { ...convert(pattern, syntax, flags, caseless), ligatures, negated, words },
      global: flags.includes("g"),
    };
  });
}

const maxPatternLength = 5_000;

function checkFlags(pattern: string, flags: string): void {
  const cursor = cursorOf(pattern);
  for (const flag of flags) {
    if (flag === "l" || flag === "n")
      fail(cursor, "unsupported", `The flag \`${flag}\` of regular expressions is not supported.`, 0, pattern.length);
    if (!"gixmsp".includes(flag))
      fail(cursor, "syntax", `Unknown regular expression flags \`${flags}\`.`, 0, pattern.length);
  }
}

function convert(
  pattern: string,
  syntax: PatternSyntax,
  flags: string,
  caseless: boolean,
): Pick<RegexPattern, "source" | "flags" | "groups"> {
  const dotAll = /[mp]/.test(flags) || syntax.flags.includes("s");
  const extended = flags.includes("x") || syntax.flags.includes("x");
  const details = toJavaScript(
    pattern,
    syntax.normal,
    (caseless ? "i" : "") + (dotAll ? "m" : "") + (extended ? "x" : ""),
  );
  const hidden = new Set(details.options?.hiddenCaptures ?? []);
  const groups: [string | null, number][] = [];
  for (let number = 1; groups.length < syntax.names.length; number++) {
    if (!hidden.has(number)) groups.push([syntax.names[groups.length]!, number]);
  }
  return { source: details.pattern, flags: details.flags + (groups.length > 0 ? "d" : ""), groups };
}

function toJavaScript(pattern: string, normal: string, flags: string): ReturnType<typeof toRegExpDetails> {
  const refuse = (why: string): never => fail(cursorOf(pattern), "unsupported", why, 0, pattern.length);
  try {
    const details = toRegExpDetails(normal, {
      flags,
      target: "ES2018",
      accuracy: "strict",
      rules: { singleline: true, captureGroup: true },
    });
    if (details.options?.strategy || details.options?.transfers)
      return refuse("This regular expression has no equivalent in JavaScript.");
    if (/[^iusm]/.test(details.flags)) return refuse("This regular expression needs a newer version of JavaScript.");
    new RegExp(details.pattern, details.flags);
    return details;
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof Error && error.constructor === Error)) throw error;
    return refuse("This regular expression has no equivalent in JavaScript.");
  }
}

/**
 * Rejects what differs in JavaScript if case is ignored: characters that fold to several (`ß` to `ss`), classes that
 * contain them, classes and properties of case, non-ASCII ranges, and back-references.
 */
function checkFolding(pattern: string, wideClass: number | undefined, local: boolean): void {
  const foreign = local ? pattern.search(/[^\0-\x7f]|\\x/) : -1;
  if (foreign >= 0)
    fail(
      cursorOf(pattern),
      "unsupported",
      "Only ASCII is supported in a partly case-insensitive regular expression.",
      foreign,
    );
  if (wideClass !== undefined) {
    const message = "A class with all letters is not supported in a case-insensitive regular expression.";
    const hint = "Write `\\w` outside of a class, or list the characters.";
    fail(cursorOf(pattern), "unsupported", message, wideClass, wideClass + 1, hint);
  }
  const unusual =
    /[\xdf\u0130\u0131\u0149\u01f0\u02bc\u02be\u0390\u03b0\u0587\u1e96-\u1e9e\u1f00-\u1fff\ufb00-\ufb17]|\p{M}|[^\0-\x7f](?=-[^\]])|-[^\0-\x7f]|\\x\{0*[1-9a-fA-F]\w{2,}\}|\\x\{0*[89a-fA-F]\w\}|\\[pP]\{|\[:\^?(?:upp|low)er:|\\(?:[1-9]|k<)/u;
  const found = unusual.exec(pattern);
  if (!found) return;
  const message = "This is not supported in a case-insensitive regular expression.";
  fail(cursorOf(pattern), "unsupported", message, found.index, found.index + found[0].length);
}

/** Ligatures and `ß` fold to `ss`, `st`, `ff`, `fi`, `fl`. */
const mayFoldToLigature = (pattern: string): boolean => /s[^a-z]*[st]|f[^a-z]*[fil]|\\x/i.test(pattern);
