import { expect, test } from "vitest";
import { javaDifferences, javaOnlySyntax } from "../../../src/expressions/index.ts";

const found = (pattern: string, flags = ""): readonly string[] =>
  javaDifferences(pattern, flags).map(({ start, end, isRare }) => `${pattern.slice(start, end)}${isRare ? " ~" : ""}`);

test.each([
  ["(\\w+)@(\\w+)\\.com"],
  ["\\d{4}-\\d{2}-\\d{2}"],
  ["[^,]+,[ \\t]*"],
  ["(a)\\1"],
  ["(?=(a))\\1"],
  ["([a-z]+,)*"],
  ["(?<year>[0-9]+)|\\x41\\.\\/\\u00e9"],
  ["(?<=ab{2})c"],
  ["😀"],
])("/%s/ matches alike", (pattern) => expect(found(pattern)).toEqual([]));

test.each<[pattern: string, parts: readonly string[], flags?: string]>([
  ["a\\h+", ["\\h"]],
  ["\\p{L}", ["\\p{L}"]],
  ["\\A\\z", ["\\A", "\\z"]],
  ["[a-z&&[^b]]", ["&&", "["]],
  ["[]a]", ["[]"]],
  ["[^]", ["[^]"]],
  ["[\\b]", ["\\b"]],
  ["[a-\\d]", ["a-\\d"]],
  ["a{,3}", ["{"]],
  ["(a)?\\1", ["\\1"]],
  ["(?:a|(b))\\1", ["\\1"]],
  ["(?!(a))\\1", ["\\1"]],
  ["\\1(a)", ["\\1"]],
  ["(?:(a)|b)*", ["(?:(a)|b)*"]],
  ["(a*)*", ["(a*)*"]],
  ["(a*)?", ["(a*)?"]],
  ["(?<a_b>x)", ["(?<a_b>"]],
  ["(?<=a+)b", ["a+"]],
  ["😀+", ["😀"]],
  ["[😀]", ["😀"]],
  ["é", ["é"], "i"],
  ["\\ca", ["\\c"]],
])("/%s/ matches differently", (pattern, parts, flags) => expect(found(pattern, flags)).toEqual(parts));

test.each([
  ["^a$", ["$ ~"], ""],
  ["^a", ["^ ~"], "m"],
  ["\\s+\\b", ["\\s ~", "\\b ~"], ""],
  [".*", [". ~"], ""],
  ["[^a]", ["[^a] ~"], ""],
])("/%s/ differs in rare cases", (pattern, parts, flags) => expect(found(pattern, flags)).toEqual(parts));

test.each([
  ["a++", "a possessive quantifier"],
  ["(?>a)", "an atomic group"],
  ["(?i)a", "inline flags"],
  ["a**", undefined],
  ["\\(?>a)", undefined],
])("%s", (pattern, syntax) => expect(javaOnlySyntax(pattern)).toBe(syntax));
