import { expect, test } from "vitest";
import { matchPatterns, parsePatterns } from "../../src/text/patterns.ts";

test.each<[pattern: string, path: string, "ignored" | "kept" | undefined]>([
  ["dist/", "dist/", "ignored"],
  ["dist/", "a/dist/", "ignored"],
  ["dist/", "dist", undefined],
  ["/dist", "a/dist", undefined],
  ["a/b", "a/b", "ignored"],
  ["a/b", "x/a/b", undefined],
  ["*.json", "a/b.json", "ignored"],
  ["a/*", "a/b/c", undefined],
  ["a/**", "a/b/c", "ignored"],
  ["a/**", "a/", undefined],
  ["a/**/b", "a/b", "ignored"],
  ["a/**/b", "a/x/y/b", "ignored"],
  ["a/**/b", "ax/b", undefined],
  ["**/a", "x/y/a", "ignored"],
  ["a?c", "abc", "ignored"],
  ["a?c", "a/c", undefined],
  ["[a-c].y", "b.y", "ignored"],
  ["[!a-c].y", "b.y", undefined],
  ["[z-a]", "z", undefined],
  ["a.b", "axb", undefined],
  ["{a}", "{a}", "ignored"],
  ["\\#x", "#x", "ignored"],
  ["\\!x", "!x", "ignored"],
  ["# x", "# x", undefined],
  ["a b  ", "a b", "ignored"],
  ["a\\ ", "a ", "ignored"],
  ["*.yaml\n!k.yaml", "k.yaml", "kept"],
  ["!k.yaml\n*.yaml", "k.yaml", "ignored"],
  ["é*", "été", "ignored"],
])("%j matches %j: %s", (lines, path, said) => {
  expect(matchPatterns(path.replace(/\/$/, ""), path.endsWith("/"), parsePatterns(lines.split("\n")))).toBe(said);
});
