import { toRegExpDetails } from "oniguruma-to-es";
import type { RegexPattern } from "../../library/regex.ts";
import { cursorOf, signal } from "../cursor.ts";
import { type Parsed, parsing } from "../fault.ts";
import { checkFolding, findsLigatures } from "./folding.ts";
import { type PatternSyntax, readPattern } from "./pattern.ts";

/** A regular expression of jq in JavaScript, and whether its flags ask for all matches. */
export interface RegexTranslation {
  readonly pattern: RegexPattern;
  readonly global: boolean;
}

/** Longer patterns, in UTF-16 units, are refused. */
export const longestRegex = 5_000;

/**
 * Translates a regular expression in the syntax that jq chooses for Oniguruma (Perl's, with named groups), with jq's flags. What is not known to match
 * the same in JavaScript is a fault, and so is what jq itself refuses. Patterns that need exponential time are not recognised: jq gives up after ten
 * million steps, JavaScript does not.
 */
export function translateRegex(pattern: string, flags = ""): Parsed<RegexTranslation> {
  return parsing(() => {
    const cursor = cursorOf(pattern);
    if (pattern.length > longestRegex)
      signal(cursor, "limit", `This pattern is longer than ${longestRegex} characters.`, 0, pattern.length);
    checkFlags(pattern, flags);
    const syntax = readPattern(cursor, flags.includes("x"));
    const caseless = flags.includes("i") || syntax.flags.includes("i");
    if (caseless || syntax.localCase) checkFolding(pattern, syntax.wideClass, syntax.localCase);
    const ligatures = (caseless || syntax.localCase) && findsLigatures(pattern);
    const negated = /\[:?\^|\(\?<[=!]/.test(pattern) || (pattern.includes("[") && /\\[WSDP]|\\p\{\^/.test(pattern));
    const words = /\\[wWbB]/.test(pattern);
    return {
      pattern: { ...converted(pattern, syntax, flags, caseless), ligatures, negated, words },
      global: flags.includes("g"),
    };
  });
}

function checkFlags(pattern: string, flags: string): void {
  const cursor = cursorOf(pattern);
  for (const flag of flags) {
    if (flag === "l" || flag === "n")
      signal(cursor, "unsupported", `The flag \`${flag}\` of regular expressions is not supported.`, 0, pattern.length);
    if (!"gixmsp".includes(flag))
      signal(cursor, "syntax", `\`${flags}\` are no flags of a regular expression.`, 0, pattern.length);
  }
}

function converted(
  pattern: string,
  syntax: PatternSyntax,
  flags: string,
  caseless: boolean,
): Pick<RegexPattern, "source" | "flags" | "groups"> {
  const dotAll = /[mp]/.test(flags) || syntax.flags.includes("s");
  const extended = flags.includes("x") || syntax.flags.includes("x");
  const details = detailsOf(
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

function detailsOf(pattern: string, normal: string, flags: string): ReturnType<typeof toRegExpDetails> {
  const refuse = (why: string): never => signal(cursorOf(pattern), "unsupported", why, 0, pattern.length);
  try {
    const details = toRegExpDetails(normal, {
      flags,
      target: "ES2018",
      accuracy: "strict",
      rules: { singleline: true, captureGroup: true },
    });
    if (details.options?.strategy || details.options?.transfers)
      return refuse("This regular expression has no form in JavaScript.");
    if (/[^iusm]/.test(details.flags)) return refuse("This regular expression needs a newer version of JavaScript.");
    new RegExp(details.pattern, details.flags);
    return details;
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof Error && error.constructor === Error)) throw error;
    return refuse("This regular expression has no form in JavaScript.");
  }
}
