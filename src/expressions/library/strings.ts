import type { Json } from "../../json.ts";
import { valueAt } from "./access.ts";
import { splitString } from "./arithmetic.ts";
import { raise, raiseOne } from "./failure.ts";
import { equalValues } from "./order.ts";
import { codePointCount } from "./text.ts";
import { isList } from "./types.ts";

/** `startswith(prefix)`. */
export function startsWith(input: Json, prefix: Json): boolean {
  if (typeof input !== "string" || typeof prefix !== "string") return raise("startswith() requires string inputs");
  return input.startsWith(prefix);
}

/** `endswith(suffix)`. */
export function endsWith(input: Json, suffix: Json): boolean {
  if (typeof input !== "string" || typeof suffix !== "string") return raise("endswith() requires string inputs");
  return input.endsWith(suffix);
}

/** `ltrimstr(prefix)`. */
export function trimPrefix(input: Json, prefix: Json): Json {
  return startsWith(input, prefix) ? (input as string).slice((prefix as string).length) : input;
}

/** `rtrimstr(suffix)`. */
export function trimSuffix(input: Json, suffix: Json): Json {
  return endsWith(input, suffix)
    ? (input as string).slice(0, (input as string).length - (suffix as string).length)
    : input;
}

/** `trimstr(end)`. */
export function trimBoth(input: Json, end: Json): Json {
  return trimSuffix(trimPrefix(input, end), end);
}

/** `trim`. */
export function trim(input: Json): string {
  return trimRight(trimLeft(input));
}

/** `ltrim`. */
export function trimLeft(input: Json): string {
  if (typeof input !== "string") return raise("trim input must be a string");
  return input.replace(/^[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/, "");
}

/** `rtrim`. */
export function trimRight(input: Json): string {
  if (typeof input !== "string") return raise("trim input must be a string");
  let end = input.length;
  while (end > 0 && /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/.test(input.charAt(end - 1)))
    end--;
  return input.slice(0, end);
}

/** `split(separator)`. */
export function split(input: Json, separator: Json): Json {
  if (typeof input !== "string" || typeof separator !== "string")
    return raise("split input and separator must be strings");
  return splitString(input, separator);
}

/** `explode`. */
export function explode(input: Json): number[] {
  if (typeof input !== "string") return raise("explode input must be a string");
  return Array.from(input, (character) => character.codePointAt(0)!);
}

/** `implode`; invalid code points become U+FFFD. */
export function implode(input: Json): string {
  if (!isList(input)) return raise("implode input must be an array");
  return input.map(codePointText).join("");
}

function codePointText(value: Json): string {
  if (typeof value !== "number" || Number.isNaN(value))
    return raiseOne(value, "can't be imploded, unicode codepoint needs to be numeric");
  const whole = Math.trunc(value);
  const exists = whole >= 0 && whole <= 0x10ffff && (whole < 0xd800 || whole > 0xdfff);
  return String.fromCodePoint(exists ? whole + 0 : 0xfffd);
}

/** `ascii_downcase`. */
export function asciiDowncase(input: Json): string {
  if (typeof input !== "string") return raise("explode input must be a string");
  return isAscii(input) ? input.toLowerCase() : input.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** `ascii_upcase`. */
export function asciiUpcase(input: Json): string {
  if (typeof input !== "string") return raise("explode input must be a string");
  return isAscii(input) ? input.toUpperCase() : input.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

/** `indices(part)` of a string or array; looks keys up otherwise. */
export function indices(input: Json, part: Json): Json {
  if (typeof input === "string" && typeof part === "string") return textIndices(input, part);
  return valueAt(input, isList(input) && !isList(part) ? [part] : part);
}

/** `_strindices(part)`, in code points, including overlaps. */
export function textIndices(input: Json, part: Json): number[] {
  if (typeof input !== "string") return raiseOne(input, "cannot be searched, as it is not a string");
  if (typeof part !== "string") return raiseOne(part, "is not a string");
  const found: number[] = [];
  let units = 0;
  let points = 0;
  for (let next = part === "" ? -1 : input.indexOf(part); next >= 0; next = input.indexOf(part, next + 1)) {
    points += codePointCount(input.slice(units, next));
    units = next;
    found.push(points);
  }
  return found;
}

/** `index(part)`. */
export function firstIndex(input: Json, part: Json): Json {
  if (isList(input) && !isList(part)) {
    const index = input.findIndex((item) => equalValues(item, part));
    return index < 0 ? null : index;
  }
  return valueAt(indices(input, part), 0);
}

/** `rindex(part)`. */
export function lastIndex(input: Json, part: Json): Json {
  return valueAt(valueAt(indices(input, part), { start: -1, end: null }), 0);
}
