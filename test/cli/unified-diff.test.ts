import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { unifiedDiff } from "../../src/cli/unified-diff.ts";
import { folderWith } from "./command.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `${i + 1}\n`);

test("changes that are apart have hunks of their own", () => {
  const before = numbered(20);
  const after = before.with(2, "three\n").toSpliced(15, 1);
  expect(unifiedDiff("a", before.join(""), after.join(""))).toBe(
    "--- a\n+++ a\n@@ -1,6 +1,6 @@\n 1\n 2\n-3\n+three\n 4\n 5\n 6\n@@ -13,7 +13,6 @@\n 13\n 14\n 15\n-16\n 17\n 18\n 19\n",
  );
});

test("a new and a removed file", () => {
  expect(unifiedDiff("a", undefined, "x\n")).toBe("--- /dev/null\n+++ a\n@@ -0,0 +1,1 @@\n+x\n");
  expect(unifiedDiff("a", "x\n", undefined)).toBe("--- a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n");
});

test("a change of many lines is printed as a whole, in little time", () => {
  const [before, after] = ["a", "b"].map((name) =>
    numbered(50_000)
      .map((line) => name + line)
      .join(""),
  );
  expect(unifiedDiff("a", before, after).split("\n").length).toBe(100_004);
});

test.skipIf(spawnSync("patch", ["--version"]).status !== 0)("`patch` applies what it prints", () => {
  const lines = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "d\n"), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(lines, lines, (old, now) => {
      const [before, after] = [old.join(""), now.join("")];
      if (before === after) return;
      const folder = folderWith({ file: before });
      execFileSync("patch", ["--silent", "file"], { cwd: folder, input: unifiedDiff("file", before, after) });
      expect(readFileSync(join(folder, "file"), "utf8")).toBe(after);
    }),
    { numRuns: 40, seed: 7 },
  );
});
