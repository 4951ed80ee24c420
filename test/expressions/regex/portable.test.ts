import { describe, expect, test } from "vitest";
import { cursorOf, isParseError } from "../../../src/expressions/syntax/cursor.ts";
import { portableRegex } from "../../../src/expressions/syntax/regex/portable.ts";
import { readRegex } from "../../../src/expressions/syntax/regex/reader.ts";
import { translatePattern, translateRegex } from "../../../src/expressions/syntax/regex/translate.ts";
import { isFoundIn } from "./tree.ts";

const end = "(?![\\s\\S])";
const pair = "[\\ud800-\\udbff][\\udc00-\\udfff]";
const lone = "[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]";
const outsideOfPair = "(?:^|(?<=[\\s\\S]))(?!(?<=[\\ud800-\\udbff])[\\udc00-\\udfff])";

/** The portable form of a pattern of `matches`. */
function formOf(given: string): string | undefined {
  const translated = translatePattern(given);
  if (isParseError(translated)) throw new Error(`${given}: ${translated.message}`);
  return portableRegex(translated.source);
}

describe("what Java's `Pattern` reads differently has another form", () => {
  test.each<[why: string, pattern: string, form: string]>([
    ["`$` also matches before a line terminator at the end", "^a$", `^a${end}`],
    ["`\\Z` accepts line terminators other than a line feed", "a\\Z", "a(?![^\\n]|\\n[\\s\\S])"],
    ["`.` excludes U+0085", "^.*$", `^[^\\n\\r\\u2028\\u2029]*${end}`],
    ["`.` matches a pair as one character", "^.$", `^(?:[^\\n\\r\\u2028\\u2029\\ud800-\\udfff]|${pair}|${lone})${end}`],
    ["a negated class matches a pair as one character", "x[^a]", `x(?:[^a\\ud800-\\udfff]|${pair}|${lone})`],
    ["`\\s` is ASCII", "\\s", "[\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]"],
    ["`\\b` knows all letters", "\\ba", "(?:(?<=\\w)(?!\\w)|(?<!\\w)(?=\\w))a"],
    ["a search may begin within a pair", "\\B", `${outsideOfPair}(?:(?<=\\w)(?=\\w)|(?<!\\w)(?!\\w))`],
    ["a quantifier applies to a pair", "🍐+", "(?:\\ud83c\\udf50)+"],
    ["a class may contain a pair", "[a🍐🍑]", "(?:a|\\ud83c\\udf50|\\ud83c\\udf51)"],
    ["repetitions of alternatives overflow the stack", "^(?!a).*x", "^(?!a)[^\\n\\r\\u2028\\u2029]*x"],
    ["brackets, ampersands and signs are special in a class", "[&\\[^-]", "[\\&\\-\\u005b\\^]"],
    ["case is ignored for ASCII only", "(?i)k", "[Kk\\u212a]"],
    ["literals may be signs or brackets", "\\.\\{/%\\\\", "\\.\\u007b\\u002f\\u0025\\u005c"],
  ])("%s: %s", (_, given, form) => {
    expect(formOf(given)).toBe(form);
  });

  test.each([
    ["properties depend on the version of Unicode", "\\p{L}"],
    ["ranges beyond U+FFFF have no form in units", "[🍐-\\u{1f600}]"],
    ["captures of repeated parts differ", "(a)\\1"],
    ["atomic groups are look-ahead with a back-reference", "a++b"],
    ["long repetitions of alternatives overflow the stack", "^.{1,256}$"],
    ["so do those of sets with pairs", "[a🍐]+b"],
    ["an assertion could see a divided pair", ".*\\Bx"],
    ["a round that matches nothing ends a repetition", "(?:b|^){2}c"],
    ["a look-behind could begin within a pair", "(?<=[^a])b"],
  ])("%s: %s has no form", (_, given) => {
    expect(formOf(given)).toBeUndefined();
  });
});

test.each([
  ["^[0-9]+$", "", "^[0-9]+(?![^\\n]|\\n[\\s\\S])"],
  ["ks", "i", "[Kk\\u212a][Ss\\u017f]"],
  ["a.b", "", `a(?:[^\\n\\ud800-\\udfff]|${pair}|${lone})b`],
  ["\\d", "", undefined],
  ["é", "i", undefined],
])("jq's %s with %j", (given, flags, form) => {
  const translated = translateRegex(given, flags);
  if (isParseError(translated)) throw new Error(translated.message);
  expect(portableRegex(translated.pattern.source, translated.pattern.flags)).toBe(form);
});

/** Strings that JavaScript without the flag `u`, JavaScript with it, and Java split differently. */
const texts = [
  "",
  "a",
  "a\n",
  "\n",
  "\r",
  "\u0085",
  "\u2028",
  "🍐",
  "🍐a",
  "x🍐",
  "🍐🍐",
  "\ud83c",
  "\udf50",
  "é",
  "\u00a0",
];

test.each([
  "^.$",
  "^.+$",
  "^[^a]$",
  "[^🍐]",
  "(?!🍐).",
  "(?<!x).",
  "\\B",
  "\\b",
  "\\S$",
  "^.{2}$",
  "^[^a]+[^x]+$",
  "a?$",
])("%s matches code points in its form", (given) => {
  const options = { ignoresCase: false, isDotAll: false, isExtended: false };
  const { pattern } = readRegex(cursorOf(given), "javascript", options);
  const form = new RegExp(formOf(given)!);
  expect(texts.filter((each) => form.test(each))).toEqual(texts.filter((each) => isFoundIn(pattern, each)));
});
