import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EvaluationError } from "../../../src/expressions/library/failure.ts";
import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import { parseJsonPath } from "../../../src/expressions/syntax/jsonpath/jsonpath.ts";
import type { Json } from "../../../src/json.ts";
import { cpuTime } from "../../cpu.ts";
import { printJsonPath } from "./print.ts";
import { evaluate, parse, root } from "./read.ts";

describe("hostile paths", () => {
  test("nesting and length are bounded", () => {
    expect(parse(`$${"[?@".repeat(100)}.a${"]".repeat(100)}`).definite).toBe(false);
    expect(parseJsonPath(`$${"[?@".repeat(101)}${"]".repeat(101)}`, root)).toMatchObject({ category: "limit" });
    expect(parseJsonPath(`$[?${"(".repeat(100_000)}`, root)).toMatchObject({ category: "limit" });
    expect(parseJsonPath(`$${".a".repeat(500_000)}`, root)).toMatchObject({ category: "limit" });
  });

  test.each([
    ["a long chain", `$${".a".repeat(499_000)}`],
    ["a long conjunction", `$[?${"@.a&&".repeat(190_000)}@.a]`],
    ["a long name", `$.${"a".repeat(990_000)}`],
    ["a long text", `$['${"\\n".repeat(490_000)}']`],
    ["many selectors", `$[${"0,".repeat(490_000)}0]`],
    ["a long list of names", `$[${"'a',".repeat(240_000)}'b']`],
    ["many functions", `$[?${"length(@)==1||".repeat(40_000)}@.a]`],
    ["many parentheses, one after the other", `$[?${"(@.a)||".repeat(70_000)}@.a]`],
    ["many truths of several values", `$[?${"@..a.b||".repeat(20_000)}@.a]`],
    ["a long path that is asked for truth", `$[?@${"..a".repeat(330_000)}]`],
    ["a long list to compare with", `$[?@.a in [${"1,".repeat(999)}1]]`],
    ["many spaces", `$${" ".repeat(990_000)}.a`],
  ])("%s is parsed in linear time", (_, text) => {
    const start = cpuTime();
    const path = parse(text);
    printJsonPath(path.segments, root);
    expect(evaluate(path, { a: [1] }).length).toBeLessThan(1_000_000);
    expect(cpuTime() - start).toBeLessThan(5_000);
  });

  test.each(["[", "(", "[?", "[?(", "[?@[", "[?!(", "[?length(", "[?match(@,", "[?@.a in ["])(
    "10,000 times %j is a fault",
    (piece) => {
      const start = cpuTime();
      for (const strict of [true, false]) {
        for (const before of ["$", "$[?", "$[?@.a == "])
          expect(isParseError(parseJsonPath(before + piece.repeat(10_000), root, { strict }))).toBe(true);
      }
      expect(cpuTime() - start).toBeLessThan(1_000);
    },
  );

  test("prototype names are ordinary names", () => {
    const data = JSON.parse('{"__proto__": {"a": 1}, "constructor": [2]}') as Json;
    for (const strict of [true, false]) {
      expect(evaluate(parse("$.__proto__.a", strict), data)).toEqual([1]);
      expect(evaluate(parse("$['__proto__', 'constructor', 'toString']", strict), data)).toEqual([{ a: 1 }, [2]]);
      expect(evaluate(parse("$..__proto__", strict), {})).toEqual([]);
      expect(evaluate(parse("$[?@.__proto__ || @.constructor]", strict), [{}, "", 1, [data]])).toEqual([]);
      expect(evaluate(parse("$[?length(@.__proto__) == 1]", strict), [data, {}])).toEqual([data]);
    }
  });

  test("deeply nested filters evaluate or fail with a limit", () => {
    const path = parse(`$${"[?!(@.b) && (@".repeat(49)}${")]".repeat(49)}`);
    let data: Json = 1;
    for (let depth = 0; depth < 49; depth++) data = [data];
    expect(() => evaluate(path, data)).not.toThrow();
    const wide = parse("$..*..*..*");
    expect(() =>
      evaluate(
        wide,
        Array.from({ length: 2_000 }, () => [[1], [2], [[[[3]]]]]),
      ),
    ).not.toThrow();
    let deep: Json = 1;
    for (let depth = 0; depth < 400; depth++) deep = [deep];
    expect(() => evaluate(wide, deep)).toThrow(EvaluationError);
  });

  test("the parser never throws, and every position is in range", () => {
    const piece = fc.constantFrom(
      "$",
      ".",
      "..",
      "[",
      "]",
      "?",
      "(",
      ")",
      "@",
      "'",
      '"',
      "\\",
      "a",
      "-1",
      "0",
      ":",
      ",",
      "*",
      "==",
      "<",
      "&&",
      "||",
      "!",
      " ",
      "true",
      "\ud800",
      "\u0000",
      "\\u00",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join("")),
          fc.string(),
        ),
        fc.boolean(),
        (text, strict) => {
          const path = parseJsonPath(text, root, { strict });
          if (isParseError(path))
            expect([path.from >= 0, path.from <= path.to, path.to <= text.length]).toEqual([true, true, true]);
        },
      ),
      { seed: 7, numRuns: 20_000 },
    );
  });
});
