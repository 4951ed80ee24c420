import { describe, expect, test } from "vitest";
import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import { checkNames } from "../../../src/expressions/syntax/jq/names.ts";
import { parseJq } from "../../../src/expressions/syntax/jq/parse.ts";
import { drawErrors } from "./drawing.ts";
import { readSections } from "./sections.ts";

// `errors/` holds programs with their errors drawn underneath, in sections that start with `==`.

test.each(readSections("errors"))("%s", (_, { drawings }) => {
  for (const { text, whole } of drawings) expect(drawErrors(text).join("\n")).toBe(whole);
});

describe("an empty expression", () => {
  test.each(["", " \n\t", "# a comment"])("%j", (text) => {
    expect(parseJq(text)).toEqual({
      category: "syntax",
      from: text.length,
      to: text.length,
      message: "This expression is empty.",
      hint: "Write `.` for the input.",
    });
  });
});

describe("invisible characters are named by code point", () => {
  test.each([
    ["\u0000", "U+0000", undefined],
    ["\u001b", "U+001B", undefined],
    ["\f", "U+000C", undefined],
    ["\u00a0", "U+00A0", "Write a plain space."],
    ["\u2028", "U+2028", "Write a plain space."],
    ["\u3000", "U+3000", "Write a plain space."],
    ["\u200b", "U+200B", undefined],
    ["\u202e", "U+202E", undefined],
    ["\ufeff", "U+FEFF", undefined],
    ["\u0301", "U+0301", undefined],
    ["\ud800", "U+D800", undefined],
    ["\u{e0001}", "U+E0001", undefined],
  ])("%j", (character, shown, hint) => {
    const message = `The character ${shown} is not valid in jq.`;
    expect(parseJq(`.a${character}`)).toEqual({ category: "syntax", from: 2, to: 2 + character.length, message, hint });
  });
});

test("a back-tick is named, because code is in back-ticks", () => {
  expect(parseJq("`a`")).toEqual({
    category: "syntax",
    from: 0,
    to: 1,
    message: "A back-tick is not valid in jq.",
    hint: 'Write strings in double quotes: `"…"`.',
  });
});

test("errors after line breaks and astral characters have UTF-16 offsets", () => {
  const text = '"😀\n" # 😀\n| ]';
  expect(parseJq(text)).toMatchObject({ from: text.indexOf("]"), to: text.length });
});

test("an escape of an astral character is shown whole", () => {
  expect(parseJq('"\\😀"')).toMatchObject({ from: 1, to: 4, message: "Unknown escape in a jq string." });
});

test("long words are truncated in messages", () => {
  const word = "a".repeat(100_000);
  for (const text of [
    `. ${word}`,
    `. ${word} `,
    `.a ${word}`,
    `.. ${word}`,
    `${word}()`,
    `{.${word}}`,
    `. as ${word}`,
    `. as {${word}}`,
    `.a.$${word}`,
  ]) {
    const error = parseJq(text);
    expect(isParseError(error) && error.message.length + (error.hint?.length ?? 0)).toBeLessThan(300);
    expect(error).toMatchObject({ category: "syntax" });
  }
  const query = parseJq(`${word} | ${word}(1) | $${word} | break $${word}`);
  const errors = isParseError(query) ? [] : checkNames(query);
  expect(errors.map(({ message, hint = "" }) => message.length + hint.length < 300)).toEqual([true, true, true, true]);
});
