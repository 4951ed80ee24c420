import type { Json } from "../../json.ts";
import { createTester } from "./backtracking.ts";
import { raiseLimit } from "./failure.ts";

/**
 * `nodeMatches(E, P)`, `nodeSearches(E, P)`: JSONPath's `match` and `search` (RFC 9535, 2.4.6 and 2.4.7). False for
 * invalid patterns; a pattern that is too large fails with `LimitError`.
 */
export function matchesNode(node: Json | undefined, pattern: Json | undefined, whole: boolean): boolean {
  if (typeof node !== "string" || typeof pattern !== "string") return false;
  return matcherOf(pattern, whole)?.(node) === true;
}

/** Compiles an I-Regexp to a linear-time test; undefined if invalid. */
export function matcherOf(pattern: string, whole: boolean): ((text: string) => boolean) | undefined {
  if (isLargeRegexp(pattern)) return raiseLimit("A pattern is too large.");
  const source = regexpSource(pattern, whole);
  return source === undefined ? undefined : createTester(source, "u");
}

/** Whether a pattern exceeds 10,000 UTF-16 units or 1,000 groups. */
export const isLargeRegexp = (pattern: string): boolean => pattern.length > 10000 || pattern.split("(").length > 1001;

/** Whether the engine never backtracks. */
export function isStraightRegexp(pattern: string, whole: boolean): boolean {
  const signs = pattern.replace(/\\[pP]\{\w+\}|\\.|\[(?:\\.|[^\]\\])*\]|\{\d+\}/gu, "").match(/[()*+?{|]/g) || [];
  return signs.length === 0 || (whole && signs.length === 1 && "*+{".includes(signs[0]!));
}

/**
 * Translates an I-Regexp (RFC 9485) to JavaScript for the flag `u`; undefined if it is invalid. `whole` anchors it. `^`
 * and `$` are anchors, as in the mapping of section 5.3.
 */
export function regexpSource(pattern: string, whole: boolean): string | undefined {
  const token = new RegExp(regexpToken, "uy");
  let source = "";
  while (token.lastIndex < pattern.length) {
    const found = token.exec(pattern);
    if (found === null) return undefined;
    const [text] = found;
    source += text === "(" ? "(?:" : text === "." ? "[^\\n\\r]" : text === "\\-" ? "-" : text;
  }
  try {
    return new RegExp(whole ? `^(?:${source})$` : source, "u").source;
  } catch {
    return undefined;
  }
}

const regexpEscape = "\\\\[(-+.?[-^nrt{-}-]";

const regexpCategory = "\\\\[pP]\\{(?:L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?|C[cfno]?)\\}";

const regexpCharacter = `(?:[^[\\]\\\\\\ud800-\\udfff-]|${regexpEscape})`;

const regexpMember = `(?:${regexpCharacter}(?:-${regexpCharacter})?|${regexpCategory})`;

const regexpClass = `\\[(?:\\^|(?!\\^))(?:-|${regexpMember})${regexpMember}*-?\\]`;

const regexpQuantifier = "(?:[*+?]|\\{\\d+(?:,\\d*)?\\})(?![*+?{])";

const regexpToken = `${regexpClass}|${regexpCategory}|${regexpEscape}|${regexpQuantifier}|[^\\\\[\\]{}*+?\\ud800-\\udfff]`;
