import type { Json } from "../../json.ts";
import { fail } from "../evaluate/failure.ts";
import { isLargeRegexp, readRegexp, regexpSource } from "./iregexp.ts";

/**
 * `nodeLength(E)`: the function `length` of JSONPath (RFC 9535, 2.4.4), of the first output of E: how many code points a text has, elements an
 * array, members an object. Undefined, which is no output, of anything else and of no output.
 */
export function lengthOfNode(node: Json | undefined): number | undefined {
  if (typeof node === "string") return codePointsIn(node);
  return typeof node === "object" && node !== null ? Object.keys(node).length : undefined;
}

/**
 * `nodeValue(E)`: the function `value` of JSONPath (RFC 9535, 2.4.8): the output of E where it has exactly one; undefined, which is no output,
 * otherwise.
 */
export const valueOfNodes = (nodes: readonly Json[]): Json | undefined => (nodes.length === 1 ? nodes[0] : undefined);

/**
 * `nodeMatches(E, P)`, `nodeSearches(E, P)`: the functions `match` and `search` of JSONPath (RFC 9535, 2.4.6 and 2.4.7): whether the whole of the
 * text that E gives first, or some part of it, matches the I-Regexp that P gives first. False where one of them is no text, missing, or P no I-Regexp;
 * a pattern that is too large fails with `LimitError`.
 */
export function matchesNode(node: Json | undefined, pattern: Json | undefined, whole: boolean): boolean {
  if (typeof node !== "string" || typeof pattern !== "string") return false;
  if (isLargeRegexp(pattern)) fail("LimitError", "A pattern is too large.");
  const parts = readRegexp(pattern);
  return parts !== undefined && new RegExp(regexpSource(parts, whole), "u").test(node);
}

function codePointsIn(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) count--;
  }
  return count;
}
