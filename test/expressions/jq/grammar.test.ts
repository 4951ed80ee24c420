import { expect, test } from "vitest";
import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import { parseJq } from "../../../src/expressions/syntax/jq/parse.ts";
import type { Jq } from "../../../src/expressions/syntax/jq/syntax.ts";
import { childrenOf } from "../../../src/expressions/syntax/jq/walk.ts";
import { drawTree } from "./drawing.ts";
import { programs } from "./programs.ts";
import { readSections } from "./sections.ts";

test.each(readSections("grammar"))("%s", (_, { drawings }) => {
  for (const { text, whole } of drawings) expect(drawTree(text).join("\n")).toBe(whole);
});

test("`$__loc__` counts lines from the start of the program", () => {
  const text = '\n"a\n\\($__loc__)" # $__loc__\n| [$__loc__,\r\n{$__loc__}]';
  expect(locationsIn(parsed(text))).toEqual([
    { kind: "location", line: 3, start: 6, end: 14 },
    { kind: "location", line: 4, start: 31, end: 39 },
    { kind: "location", line: 5, start: 43, end: 51 },
  ]);
});

function locationsIn(query: Jq): readonly Jq[] {
  return query.kind === "location" ? [query] : childrenOf(query).flatMap(locationsIn);
}

test.each([
  ["#", false],
  ["# 1\n", false],
  ["# \\\n1\n", false],
  ["# \\\r\n1\n", false],
  ["# \\\\\n1\n", true],
  ["# \\\\\\\n1\n", false],
  ["# \r1", false],
  ["#\n\t\r\n 1 ", true],
])("the end of the comment: %j", (text, hasMore) => {
  const query = parseJq(text);
  if (hasMore)
    expect(query).toEqual({ kind: "number", text: "1", start: text.indexOf("1"), end: text.indexOf("1") + 1 });
  else expect(query).toMatchObject({ message: "This expression is empty." });
});

test("surrogates are paired, also across escapes, and replaced if alone", () => {
  expect(parseJq('"\ud83d\ude00 \ud83d \ude00"')).toMatchObject({ value: "😀 \ufffd \ufffd" });
  expect(parseJq('"\\ud83d\\ude00 \\ude00"')).toMatchObject({ value: "😀 \ufffd" });
});

test.each(programs)("ranges nest in source order: %s", (program) => {
  expectNesting(parsed(program));
});

function expectNesting(query: Jq): void {
  let from = query.start;
  for (const child of childrenOf(query)) {
    expect(child.start).toBeGreaterThanOrEqual(from);
    expect(child.end).toBeLessThanOrEqual(query.end);
    from = child.start;
    expectNesting(child);
  }
}

function parsed(text: string): Jq {
  const query = parseJq(text);
  if (isParseError(query)) throw new Error(`${text}: ${query.message}`);
  return query;
}
