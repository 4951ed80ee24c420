import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isLargeRegexp,
  isStraightRegexp,
  matcherOf,
  matchesNode,
  regexpSource,
} from "../../../src/expressions/library/iregexp.ts";
import { cpuTime } from "../../cpu.ts";

const whole = (pattern: string, text: string): boolean | undefined => {
  const source = regexpSource(pattern, true);
  return source === undefined ? undefined : new RegExp(source, "u").test(text);
};

describe("patterns of RFC 9485", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["", [""], ["a"]],
    ["a|", ["a", ""], ["b"]],
    ["()", [""], ["a"]],
    ["a.c", ["abc", "a😀c", "a\u2028c"], ["a\nc", "a\rc", "ac"]],
    ["(ab){2}", ["abab"], ["ab", "ababab"]],
    ["a{2,}b{1,2}c{0}", ["aab", "aaabb"], ["ab", "aabc"]],
    ["[a-c-]", ["b", "-"], ["d"]],
    ["[-a]", ["-", "a"], ["b"]],
    ["[^-a]", ["b", "😀"], ["-", "a"]],
    ["[a^]", ["a", "^"], ["b"]],
    ["[.*+?(){|}/$]", [".", "*", "(", "}", "$", "/"], ["a"]],
    ["[\\[\\]\\\\\\-\\n]", ["[", "]", "\\", "-", "\n"], ["n"]],
    ["[\\p{Lu}0-9]+", ["ÄA1"], ["a"]],
    ["[^\\p{L}]", ["1"], ["a"]],
    ["\\P{Zs}\\p{Nd}", ["a1", "١٢"], [" 1"]],
    ["\\(\\)\\*\\+\\.\\?\\[\\]\\{\\|\\}\\^\\-", ["()*+.?[]{|}^-"], []],
    ["\\n\\r\\t", ["\n\r\t"], []],
    ["a/b,c-d", ["a/b,c-d"], []],
    ["[😀-😂]x*", ["😁xx"], ["\ud83d"]],
    ["^a$", ["a"], ["^a$"]],
  ])("%s", (pattern, matching, others) => {
    expect(matching.map((text) => whole(pattern, text))).toEqual(matching.map(() => true));
    expect(others.map((text) => whole(pattern, text))).toEqual(others.map(() => false));
    const matches = matcherOf(pattern, true)!;
    expect([...matching, ...others].map(matches)).toEqual([...matching.map(() => true), ...others.map(() => false)]);
  });

  test.each([
    "(",
    ")",
    "a)",
    "*",
    "a**",
    "a+?",
    "(+a)",
    "|*",
    "a{",
    "a{,2}",
    "a{2,1}",
    "{1}",
    "}",
    "]",
    "[",
    "[]",
    "[^]",
    "[a",
    "[b-a]",
    "[a-b-c]",
    "[[a]]",
    "\\",
    "\\d",
    "\\w",
    "\\1",
    "\\$",
    "\\u0041",
    "\\p{Latin}",
    "\\p{Cs}",
    "\\pL",
    "(?:a)",
    "(?=a)",
    "(?i)a",
    "^*",
    "\ud800",
    "[\udc00]",
  ])("%j is rejected", (pattern) => {
    expect(regexpSource(pattern, false)).toBeUndefined();
  });

  test("any string is rejected or compiles to a regular expression", () => {
    const piece = fc.constantFrom(..."ab^$.*+?()[]{}|\\-,12n", "\\p{L}", "{1,2}", "[^", "😀", "\ud800");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), fc.constantFrom("", "a", "ab1", "-\n"), (pieces, text) => {
        const pattern = pieces.join("");
        if (whole(pattern, text)) expect(new RegExp(regexpSource(pattern, false)!, "u").test(text)).toBe(true);
      }),
      { seed: 5, numRuns: 20_000 },
    );
  });

  test("the matcher agrees with the engine", () => {
    const piece = fc.constantFrom(
      ..."ab.*+?()|",
      "^",
      "$",
      "[ab]",
      "[^a]",
      "\\p{L}",
      "{1,2}",
      "{2}",
      "{0,}",
      "(a|b)*",
      "(ab?)+",
      "😀",
    );
    const text = fc.string({ unit: fc.constantFrom("a", "b", "1", "😀", "\n"), maxLength: 8 });
    let tried = 0;
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), fc.array(text, { maxLength: 6 }), (pieces, texts) => {
        const pattern = pieces.join("");
        if (regexpSource(pattern, false) === undefined) return;
        for (const isWhole of [true, false]) {
          const regex = new RegExp(regexpSource(pattern, isWhole)!, "u");
          if (!isStraightRegexp(pattern, isWhole)) tried += 1;
          expect(texts.map(matcherOf(pattern, isWhole)!)).toEqual(texts.map((each) => regex.test(each)));
        }
      }),
      { seed: 11, numRuns: 10_000 },
    );
    expect(tried).toBeGreaterThan(2_000);
  });

  test.each([
    ["(a|a)*b", "a".repeat(5_000)],
    ["(\\p{L}+ ?)*", `${"word ".repeat(1_000)}!`],
    ["(x+x+)+y", "x".repeat(5_000)],
    ["(a?){200}a{200}", "a".repeat(199)],
    [".*.*.*=.*", "x".repeat(3_000)],
  ])("%s takes no longer for a string that does not match", (pattern, text) => {
    const start = cpuTime();
    expect([matchesNode(text, pattern, true), matchesNode(text, `${pattern}#`, false)]).toEqual([false, false]);
    expect(cpuTime() - start).toBeLessThan(3_000);
  });

  test("a pattern with too many instructions is a limit", () => {
    expect(() => matchesNode("a", "((a{100}){100}){100}", true)).toThrow("A pattern is too large.");
  });

  test("the largest patterns are parsed fast", () => {
    const start = cpuTime();
    for (const pattern of [
      `[${"a".repeat(9_998)}]`,
      `[${"a".repeat(9_999)}`,
      `${"(".repeat(1_000)}${")".repeat(1_000)}`,
      "[".repeat(10_000),
    ]) {
      expect(isLargeRegexp(pattern)).toBe(false);
      regexpSource(pattern, true);
    }
    expect(cpuTime() - start).toBeLessThan(1_000);
    expect([isLargeRegexp("a".repeat(10_001)), isLargeRegexp("(".repeat(1_001))]).toEqual([true, true]);
  });
});
