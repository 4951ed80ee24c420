import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSearcher } from "../../../src/expressions/library/backtracking.ts";
import { readJq } from "../../../src/expressions/syntax/jq/lower.ts";
import type { Json } from "../../../src/json.ts";
import { cpuTime } from "../../cpu.ts";
import { run } from "../js/running.ts";

/** The match from an offset on, with its groups and their positions. */
function shown(found: RegExpExecArray | null) {
  return (
    found && { index: found.index, texts: [...found], indices: [...found.indices!].map((each) => each && [...each]) }
  );
}

/** Whether the engine accepts a pattern: all references have groups. */
function isRegex(source: string): boolean {
  try {
    return new RegExp(source, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

/** Long enough that no pattern with a quantifier is left to the engine. */
const tail = "\n".repeat(10_001);

describe("the matcher finds what the engine finds", () => {
  test.each([
    ["(a|b)*c", "ababc"],
    ["(a*)*b", "aab"],
    ["(?:a|ab)(?:c|bcd)(d*)", "abcd"],
    ["(z)((a+)?(b+)?(c))*", "zaacbbbcac"],
    ["(?:(a)|b)*", "ab"],
    ["(a?)*?b", "aab"],
    ["(a{2,3}?)+", "aaaaa"],
    ["^(?:x+)*(?=\\n?$)", "xx"],
    ["(?<![a-z])([a-z]+)+(?![a-z])", "1abc2"],
    ["(\\p{L}+\\s?)+", "Ünï wörd!"],
    ["([^\\]]|\\])+", "a]b"],
    ["(😀|.)+", "a😀b"],
    ["(?:)*x+", "xx"],
    ["(a)\\1*(b)+", "aaab"],
    ["(?:(?=(a+|b))\\1)+c", "aabc"],
    ["(?=(a+))a*b\\1", "baaabac"],
    ["(?!(a+)b)\\1(.*)+", "aabab"],
    ["((a?)*)*b", "aab"],
    ["(\\2(a))+", "aa"],
  ])("%s in %j", (source, text) => {
    for (const flags of ["gud", "guds", "gudi"]) {
      const [ours, theirs] = [createSearcher(source, flags, text + tail), new RegExp(source, flags)];
      expect(ours).not.toBeInstanceOf(RegExp);
      expect(shown(ours.exec(text))).toEqual(shown(theirs.exec(text)));
      expect(ours.lastIndex).toBe(theirs.lastIndex);
    }
  });

  test("for random patterns and strings", () => {
    const atom = fc.constantFrom(
      "a",
      "b",
      ".",
      "[ab]",
      "[^a]",
      "\\p{L}",
      "^",
      "$",
      "\\b",
      "(?=a)",
      "(?!b)",
      "(?<=a)",
      "1",
      "\\1",
      "(?=(a))",
      "(?!(a|b)1)",
    );
    const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
      part: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        atom,
        fc.tuple(tie("pattern"), fc.constantFrom("(", "(?:")).map(([inside, open]) => `${open}${inside})`),
        fc
          .tuple(tie("pattern"), fc.constantFrom("*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,}?"))
          .map(([inside, sign]) => `(${inside})${sign}`),
      ),
      pattern: fc
        .array(fc.oneof(tie("part"), tie("part"), fc.constant("|")), { maxLength: 3 })
        .map((all) => all.join("")),
    }));
    const text = fc.string({ unit: fc.constantFrom("a", "b", "1", "\n", "😀"), maxLength: 7 });
    let own = 0;
    fc.assert(
      fc.property(pattern, text, (source, given) => {
        if (!isRegex(source)) return;
        const [ours, theirs] = [createSearcher(source, "gud", given + tail), new RegExp(source, "gud")];
        if (ours instanceof RegExp) return;
        own += 1;
        for (let turn = 0; turn < 3; turn += 1) {
          expect(shown(ours.exec(given))).toEqual(shown(theirs.exec(given)));
          expect(ours.lastIndex).toBe(theirs.lastIndex);
        }
      }),
      { seed: 3, numRuns: 20_000 },
    );
    expect(own).toBeGreaterThan(5_000);
  });
});

test.each<[string, Json, Json]>([
  ['test("^(\\\\w+\\\\s?)*$")', `${"a".repeat(40)}!`, false],
  ['test("(x+x+)+y")', "x".repeat(60), false],
  ['[match("(a|a)*$"; "g").string] | length', "a".repeat(2_000), 2],
  ['sub("(?<x>[a-z]+,?)+!"; "y")', `${"ab,".repeat(1_000)}!`, "y"],
  ['test(".*.*.*=.*")', "x".repeat(5_000), false],
  ['test(".*.*.*.*.*.*.*=")', "a".repeat(190), false],
  ['test("^(?:a|aa){40}b")', "a".repeat(79), false],
  [`test("^${"\\\\d?".repeat(40)}x")`, "1".repeat(40), false],
  ['test("^a{1,900}a{1,900}a{1,900}b")', "a".repeat(900), false],
])("%s takes time linear in the string", (program, input, expected) => {
  const read = readJq(program);
  if (!("expression" in read)) throw new Error(program);
  const start = cpuTime();
  expect(run(read.expression, input)).toEqual({ outputs: [expected] });
  expect(cpuTime() - start).toBeLessThan(5_000);
});

test.each<[string, Json]>([
  ['test("^((?:a+)+)\\\\1$")', `${"a".repeat(60)}b`],
  ['test("^(a+)+(?=(c))")', `${"a".repeat(60)}b`],
  ['test("^(?!(?:x+x+)+y).")', "x".repeat(60)],
  ['[match("(?:(?=a+)a+|a)+c"; "g")]', "a".repeat(60)],
])("%s fails like jq after too many attempts", (program, input) => {
  const read = readJq(program);
  if (!("expression" in read)) throw new Error(program);
  const start = cpuTime();
  expect(run(read.expression, input)).toEqual({ failed: "Regex failure: retry-limit-in-match over" });
  expect(cpuTime() - start).toBeLessThan(10_000);
});

test("captures in repeated empty groups are found in bounded time", () => {
  const text = `${"a".repeat(60)}d`;
  expect(() => createSearcher("^((?:a|a?)*)*d(c|.$|)", "gud", text).exec(`${text}d`)).not.toThrow();
  expect(() => createSearcher("^((a|a?)*b?)*(?:c|d)(?:)$", "gud", text).exec(text)).not.toThrow();
});

test("the engine matches short strings with simple patterns", () => {
  expect(createSearcher("a+b", "gu", "aab")).toBeInstanceOf(RegExp);
});
