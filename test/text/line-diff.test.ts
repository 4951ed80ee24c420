import { expect, test } from "vitest";
import { diffLines } from "../../src/text/line-diff.ts";

const compare = (before: string, after: string): string =>
  diffLines(before.split(""), after.split(""))
    .map(([sign, text]) => sign + text)
    .join("");

test.each([
  ["abc", "abc", " a b c"],
  ["", "ab", "+a+b"],
  ["ab", "", "-a-b"],
  ["abcd", "axcd", " a-b+x c d"],
  ["abab", "baba", "+b a b a-b"],
  ["xaybz", "ab", "-x a-y b-z"],
])("%s to %s", (before, after, lines) => {
  const shown = compare(before, after);
  const signs = (text: string) => [...text].filter((_, i) => i % 2 === 0 && text[i] !== " ").length;
  expect(signs(shown)).toBe(signs(lines));
  expect(rebuilt(shown, "-")).toBe(before);
  expect(rebuilt(shown, "+")).toBe(after);
});

function rebuilt(shown: string, side: "-" | "+"): string {
  return [...shown.matchAll(/(.)(.)/gs)]
    .flatMap(([, sign, text]) => (sign === " " || sign === side ? [text] : []))
    .join("");
}

test("a large change is a removal and an addition", () => {
  const before = Array.from({ length: 1500 }, (_, i) => `a${i}`);
  const after = Array.from({ length: 1500 }, (_, i) => `b${i}`);
  expect(diffLines(before, after)).toHaveLength(3000);
});
