import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EvaluationError } from "../../../src/expressions/library/failure.ts";
import {
  capturedGroups,
  matchRegex,
  replaceMatches,
  scannedText,
  splitByMatches,
  testRegex,
} from "../../../src/expressions/library/regex.ts";
import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import { type RegexTranslation, translateRegex } from "../../../src/expressions/syntax/regex/translate.ts";
import type { Json } from "../../../src/json.ts";
import { loadOracle } from "../jq/oracle.ts";
import { type Search, search } from "./patterns.ts";

const oracle = await loadOracle();

function translated(pattern: string, flags = ""): RegexTranslation {
  const result = translateRegex(pattern, flags);
  if (isParseError(result)) throw new Error(`${pattern}: ${result.message}`);
  return result;
}

const matches = (text: string, pattern: string, flags = "") => {
  const { pattern: regex, global } = translated(pattern, flags);
  return matchRegex(text, regex, global);
};

const places = (text: string, pattern: string, flags = "") =>
  matches(text, pattern, flags).map(({ offset, length }) => [offset, length]);

describe("matches", () => {
  test("are objects with their groups", () => {
    expect(JSON.stringify(matches("xab", "(?<n>a)(b)(c)?"))).toBe(
      '[{"offset":1,"length":2,"string":"ab","captures":[{"offset":1,"length":1,"string":"a","name":"n"},{"offset":2,"length":1,"string":"b","name":null},{"offset":-1,"string":null,"length":0,"name":null}]}]',
    );
  });

  test("empty matches have empty groups", () => {
    expect(JSON.stringify(matches("ab", "(?=(b))"))).toBe(
      '[{"offset":1,"length":0,"string":"","captures":[{"offset":1,"string":"","length":0,"name":null}]}]',
    );
  });

  test.each([
    ["a😀b", "b", "", [[2, 1]]],
    [
      "aaa",
      "a*",
      "g",
      [
        [0, 3],
        [3, 0],
      ],
    ],
    [
      "abc",
      "",
      "g",
      [
        [0, 0],
        [1, 0],
        [2, 0],
        [3, 0],
      ],
    ],
    [
      "a😀b",
      "",
      "g",
      [
        [0, 0],
        [1, 0],
        [2, 0],
        [2, 0],
        [2, 0],
        [2, 0],
        [3, 0],
      ],
    ],
    ["a\nb", "^b", "", []],
    ["a\n", "a$", "", [[0, 1]]],
    ["a\nb", "a.b", "p", [[0, 3]]],
    [
      "ABab",
      "ab",
      "gi",
      [
        [0, 2],
        [2, 2],
      ],
    ],
    ["ab", "a # first\n b", "x", [[0, 2]]],
    ["aab", "(a)\\1b", "", [[0, 3]]],
  ] as const)("%j with %s", (text, pattern, flags, expected) => {
    expect(places(text, pattern, flags)).toEqual(expected);
  });
});

describe("results computed from matches", () => {
  test("captures, strings and parts", () => {
    const [first] = matches("ab", "(?<x>a)(?<y>z)?(b)");
    expect(capturedGroups(first!)).toEqual({ x: "a", y: null });
    expect(scannedText(first!)).toEqual(["a", null, "b"]);
    expect(splitByMatches("a1😀22b", matches("a1😀22b", "\\d+", "g"))).toEqual(["a", "😀", "b"]);
  });

  test("the nth result uses the nth replacements", () => {
    expect(replaceMatches("abab", matches("abab", "[ab]", "g"), [["1"], ["2", "3"], ["1"], ["2", "3"]])).toEqual([
      "1212",
      "33",
    ]);
    expect(replaceMatches("ab", matches("ab", "a"), [[]])).toEqual(["ab"]);
    expect(replaceMatches("ab", [], [])).toEqual(["ab"]);
  });
});

describe("failing", () => {
  const failure = (run: () => unknown): Json => {
    try {
      run();
    } catch (error) {
      if (error instanceof EvaluationError) return error.value;
    }
    return "does not fail";
  };

  test("for values that are not strings", () => {
    expect(failure(() => testRegex(1, translated("a").pattern))).toBe(
      "number (1) cannot be matched, as it is not a string",
    );
  });

  test("for ligatures only if they could matter", () => {
    expect(failure(() => testRegex("straße", translated("strasse", "i").pattern))).toHaveProperty("name", "LimitError");
    expect(testRegex("straße", translated("TRA", "i").pattern)).toBe(true);
  });
});

test.each([
  ["(", 0, 1, "This group is not closed."],
  ["a)", 1, 2, "Unmatched parenthesis."],
  ["*a", 0, 1, "This quantifier has nothing to repeat."],
  ["[b-a]", 1, 4, "This character range is reversed."],
  ["[a", 0, 1, "This character class is not closed."],
  ["a{2,1}", 0, 6, "The minimum number of repetitions exceeds the maximum."],
  ["a{,2}", 1, 2, "Write `\\{` for a literal brace."],
  ["a{2}?", 1, 2, "A lazy quantifier with a fixed count is not supported."],
  ["a**", 1, 2, "Chained quantifiers are not supported."],
  ["(?:a|b*)*", 0, 9, "Repeating an expression that may be empty is not supported."],
  ["(?:(a)|b)+", 0, 10, "A group that takes part in only some repetitions is not supported."],
  ["(?:(a)|b\\1)", 8, 10, "A back-reference to a group that may not have matched is not supported."],
  ["(a)?\\1", 4, 6, "A back-reference to a group that may not have matched is not supported."],
  ["(?<=a+)b", 0, 7, "A look-behind must have a fixed length."],
  ["(?!(a))b", 0, 7, "A group inside of a negative look-around or a look-behind is not supported."],
  ["(?~a)", 0, 1, "This kind of group is not supported."],
  ["\\h", 0, 2, "This escape is not supported."],
  ["\\Ga", 0, 2, "This escape is not supported."],
  ["[a&&b]", 2, 3, "Write `\\&\\&` for two ampersands in a class."],
  ["[[a]]", 1, 2, "Write `\\[` for a bracket in a class."],
  ["\\b.*a", 2, 3, "An assertion before `.*` at the start is not supported."],
  ["\\p{Punct}", 0, 9, "The Unicode property `Punct` is not supported."],
])("%s is rejected", (pattern, from, to, message) => {
  expect(translateRegex(pattern)).toMatchObject({ from, to, message });
});

test.each([
  ["ß", "i", "This is not supported in a case-insensitive regular expression."],
  ["[\\w.]", "i", "A class with all letters is not supported in a case-insensitive regular expression."],
  ["a(?i:é)", "", "Only ASCII is supported in a partly case-insensitive regular expression."],
  ["(?i)(a)\\1", "", "A back-reference is not supported in a case-insensitive regular expression."],
  ["a", "l", "The flag `l` of regular expressions is not supported."],
  ["a", "n", "The flag `n` of regular expressions is not supported."],
  ["a", "gq", "Unknown regular expression flags `gq`."],
])("%s with %s is rejected", (pattern, flags, message) => {
  expect(translateRegex(pattern, flags)).toMatchObject({ message });
});

test("patterns that are too long or too deep are rejected", () => {
  expect(translateRegex("a".repeat(5_001))).toMatchObject({ category: "limit" });
  expect(translateRegex("(?:".repeat(1_000))).toMatchObject({ category: "limit" });
});

test("JavaScript and jq 1.8 find the same matches, or the pattern is rejected", { timeout: 600_000 }, async () => {
  const searches = fc.sample(search, { seed: 20_260_102, numRuns: Number(process.env.LIBRARY_RUNS ?? 40) * 50 });
  const expected = await matchesOfJq(searches);
  let compared = 0;
  searches.forEach((one, i) => {
    const found = foundBy(one);
    if (found) expect({ ...one, found }).toEqual({ ...one, found: JSON.stringify(expected[i]) });
    if (found) compared++;
  });
  expect(compared).toBeGreaterThan(searches.length / 3);
});

async function matchesOfJq(searches: readonly Search[]): Promise<readonly Json[]> {
  const program =
    "map(. as {$pattern, $flags, $text} | try [$text | [match($pattern; $flags)], test($pattern; $flags)] catch [.])";
  const found: Json[] = [];
  for (let from = 0; from < searches.length; from += 1_000) {
    const [answer] = (await oracle.run(program, JSON.stringify(searches.slice(from, from + 1_000)))).split("\n");
    found.push(...(JSON.parse(answer!) as Json[]));
  }
  return found;
}

/** The matches of a search as a string; undefined if the pattern is unsupported. */
function foundBy({ pattern, flags, text }: Search): string | undefined {
  const result = translateRegex(pattern, flags);
  if (isParseError(result)) return undefined;
  try {
    return JSON.stringify([matchRegex(text, result.pattern, result.global), testRegex(text, result.pattern)]);
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}
