import { describe, expect, test } from "vitest";
import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import { checkNames } from "../../../src/expressions/syntax/jq/names.ts";
import { parseJq } from "../../../src/expressions/syntax/jq/parse.ts";
import { cpuTime } from "../../cpu.ts";
import { withoutPositions } from "./drawing.ts";
import { printJq } from "./print.ts";

type Nesting = readonly [open: string, inside: string, close: string, before?: string, after?: string];

/** A construct that can nest in itself: its opening, its closing, and the context of the whole. */
const nestings: readonly Nesting[] = [
  ["[", "1", "]"],
  ["(", "1", ")"],
  ["{a:", "1", "}"],
  ["{(", "f", "):1}"],
  [".[", "1", "]"],
  [".[1:", "1", "]"],
  ['"\\(', "1", ')"'],
  ["f(", "1", ")"],
  ["f(1;", "1", ")"],
  ["-", "1", ""],
  ["try ", "1", ""],
  ["try 1 catch ", "1", ""],
  ["if 1 then ", "1", " end"],
  ["if ", "1", " then 1 end"],
  ["if 1 then 1 else ", "1", " end"],
  ["reduce ", "1", " as $x (1; 1)"],
  ["foreach 1 as $x (1; ", "1", ")"],
  ["1 as $x | ", "1", ""],
  ["[", "$x", "]", ". as ", " | 1"],
  ["{a: ", "$x", "}", ". as ", " | 1"],
  [". as {(", '"a"', "): $x} | 1"],
  ["def f: ", "1", "; f"],
  ["def f: 1; ", "1", ""],
  ["label $x | ", "1", ""],
  ["1 | ", "1", ""],
  ["1 // ", "1", ""],
  ["1 + ", "1", ""],
  ["", ".x", ".a"],
  ["", ".", "[0]"],
  ["", ".", "[]"],
  ["", ".", "?"],
  ["", "1", " and 1"],
  ["1, (", "1", ")"],
];

function nest([open, inside, close, before = "", after = ""]: Nesting, count: number): string {
  return before + open.repeat(count) + inside + close.repeat(count) + after;
}

describe.each(nestings.map((nesting) => [nest(nesting, 2), nesting] as const))("%s", (_, nesting) => {
  test("100 levels are parsed, resolved and printed", () => {
    const query = parseJq(nest(nesting, 100));
    if (isParseError(query)) throw new Error(query.message);
    expect(checkNames(query).filter(({ category }) => category !== "unknown")).toEqual([]);
    const again = parseJq(printJq(query));
    expect(isParseError(again) ? again : withoutPositions(again)).toBe(withoutPositions(query));
  });

  test("10,000 levels are too many, with a position", () => {
    const text = nest(nesting, 10_000);
    const error = parseJq(text);
    expect(error).toMatchObject({ category: "limit", message: "This expression is nested more than 500 levels deep." });
    expect(isParseError(error) && error.from < error.to && error.to <= text.length).toBe(true);
  });

  test("10,000 unclosed levels are an error", () => {
    const [open, , , before = ""] = nesting;
    expect(parseJq(before + open.repeat(10_000))).toMatchObject({ category: expect.any(String) });
  });

  test("any depth that parses also resolves and prints", () => {
    for (let count = 1100; count > 0; count -= 50) {
      const query = parseJq(nest(nesting, count));
      if (isParseError(query)) continue;
      checkNames(query);
      expect(isParseError(parseJq(printJq(query)))).toBe(false);
    }
  });
});

const many = 1_000_000;
const long = (piece: string): string => piece.repeat(Math.floor(many / piece.length) - 20);

describe("a million characters are parsed fast", () => {
  test.each([
    ["a list", `[${long("1,")}1]`],
    ["an object", `{${long("a:1,")}}`],
    ["arguments", `f(${long("1;")}1)`],
    ["a string", `"${long("a")}"`],
    ["escapes", `"${long("\\n")}"`],
    ["an interpolation", `"${long("\\(1)")}"`],
    ["a name", long("a")],
    ["a number", long("1")],
    ["a comment", `1 #${long("\\")}`],
    ["comments", `${long("#\n")}1`],
    ["space", `${long(" ")}1`],
    ["conditions", `if 1 then 1 ${long("elif 1 then 1 ")}end`],
    ["patterns", `. as [${long("$a,")}$a] | 1`],
    ["alternatives to a pattern", `. as $a ${long("?// $a ")}| 1`],
    ["lines", `[${long("$__loc__,\n")}1]`],
    ["unknown names", `[${long("ab,")}1]`],
    ["parameters", `def f(${long("a;")}a): 1; 1`],
  ])("%s", (_, text) => {
    const started = cpuTime();
    const query = parseJq(text);
    expect(query).not.toMatchObject({ category: expect.any(String) });
    if (!isParseError(query)) checkNames(query);
    expect(cpuTime() - started).toBeLessThan(5000);
  });
});

describe("a million characters are rejected fast", () => {
  test.each([
    ["brackets", "[".repeat(many)],
    ["operators", long("1+")],
    ["pipes", long(".|")],
    ["members", long(".a")],
    ["question marks", `.${long("?")}`],
    ["minus signs", long("-")],
    ["keywords", long("if ")],
    ["definitions", long("def f:1;")],
    ["bindings", long(". as $x|")],
    ["quotes", `"${long('""')}`],
    ["strings in strings", long('"\\(')],
    ["back-slashes", `"${long("\\")}`],
    ["surrogates", long("\ud83d")],
    ["comments", long("#\\\n")],
  ])("%s", (_, text) => {
    const started = cpuTime();
    expect(parseJq(text)).toMatchObject({ category: expect.any(String) });
    expect(cpuTime() - started).toBeLessThan(5000);
  });

  test("more than a million characters are not parsed", () => {
    expect(parseJq(" ".repeat(many + 1))).toEqual({
      category: "limit",
      from: 0,
      to: many + 1,
      message: "This expression is longer than a million characters.",
    });
  });
});

test.each(["__proto__", "constructor", "hasOwnProperty", "toString"])("%s is an ordinary name", (name) => {
  const query = parseJq(`{${name}: 1, $${name}} | .${name} | ${name} | ${name}(1) | break $${name} | @${name}`);
  if (isParseError(query)) throw new Error(query.message);
  expect(checkNames(query).map(({ category }) => category)).toEqual(["unknown", "unknown", "unknown", "unknown"]);
  expect(printJq(query)).toBe(`{ ${name}: 1, $${name} } | .${name} | ${name} | ${name}(1) | break $${name} | @${name}`);
  expect(checkNames(query, [name]).map(({ category }) => category)).toEqual(["unknown", "unknown", "unknown"]);
});

test("printed programs contain no line breaks, closing tags or template delimiters", () => {
  const query = parseJq('"\u2028\u2029\u0085\u007f\u202e\\n\\u0000" | {"`$\\u007b": 1}');
  expect(isParseError(query) ? query : printJq(query)).toBe(
    '"\\u2028\\u2029\\u0085\\u007f\\u202e\\n\\u0000" | { "`$' + '{": 1 }',
  );
});
