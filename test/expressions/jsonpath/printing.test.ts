import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Segment } from "../../../src/expressions/core/ast.ts";
import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import { parseJsonPath } from "../../../src/expressions/syntax/jsonpath/jsonpath.ts";
import { json } from "../random.ts";
import { printJsonPath } from "./print.ts";
import { strictPaths, tolerantPaths } from "./random.ts";
import { evaluate, parse, root } from "./read.ts";

const print = (segments: readonly Segment[]) => printJsonPath(segments, root);

describe("printing in RFC 9535's syntax", () => {
  test.each([
    ["$.", "$"],
    ["$ .a ['b'] [ 'c d' , 0 ]", "$.a.b['c d', 0]"],
    ["$.vegetables.[?(@.like)]", "$.vegetables[?@.like && @.like != false && @.like != null]"],
    ["$.a[?(!@.b)]", "$.a[?!(@.b && @.b != false && @.b != null)]"],
    ["$.flip-coin", "$['flip-coin']"],
    ["$..a[1:2,*]", "$..a[1:2, *]"],
    ["$[?@.a == 'x' && (@.b || @.c < 1.5)]", "$[?@.a == 'x' && (@.b && @.b != false && @.b != null || @.c < 1.5)]"],
    ["$[(@.length-1)].last().index(3)", "$[-1][-1][3]"],
    ["$[?@.a.length() === 1]", "$[?length(@.a) == 1]"],
    ["$[?@.a in ['x', 1] || @.b nin [null]]", "$[?@.a == 'x' || @.a == 1 || !(@.b == null)]"],
    ['$[?!match(@.a,"it\'s")]', "$[?!match(@.a, 'it\\'s')]"],
    ["$[?count(@ ..a)==value($[0])]", "$[?count(@..a) == value($[0])]"],
    ["$[?@.*]", "$[?@[?@ != false && @ != null]]"],
    ["$[?!@.* && !@]", "$[?!@[?@ != false && @ != null] && !(@ != false && @ != null)]"],
    ["$[?@[?@.a == 1].b]", "$[?@[?@.a == 1 && @.b && @.b != false && @.b != null]]"],
    ["$[?@..a]", "$[?@.a && @.a != false && @.a != null || @..[?@.a && @.a != false && @.a != null]]"],
    ["$[?(@.a === -0) && (1 == 1e2 && (@.b == 1 || @.c == 1))]", "$[?@.a == 0 && 1 == 100 && (@.b == 1 || @.c == 1)]"],
  ])("%s prints as %s", (text, expected) => {
    expect(print(parse(text).segments)).toBe(expected);
    expect(print(parse(expected, true).segments)).toBe(expected);
  });

  test.each(["$[?@[0:1]]", "$[?@['a', 'b']]", "$[?@[1:].a]"])("%s, which tests truth, cannot be printed", (text) => {
    expect(print(parse(text).segments)).toBeUndefined();
  });

  test("lone surrogates cannot be printed", () => {
    expect(print([{ descend: false, selectors: [{ kind: "name", name: "\ud800" }] }])).toBeUndefined();
  });
});

describe("random paths", () => {
  test("of RFC 9535 round-trip", () => {
    let read = 0;
    const agrees = fc.property(strictPaths, json, (text, data) => {
      const path = parseJsonPath(text, root, { strict: true });
      if (isParseError(path)) return;
      read++;
      const printed = print(path.segments)!;
      const again = parse(printed, true);
      expect(again.segments).toEqual(path.segments);
      expect(print(again.segments)).toBe(printed);
      expect(evaluate(again, data)).toEqual(evaluate(path, data));
    });
    fc.assert(agrees, { seed: 13, numRuns: 5_000 });
    expect(read).toBeGreaterThan(3_000);
  });

  test("of other dialects print as equivalent paths of RFC 9535", () => {
    const count = { read: 0, printed: 0 };
    const agrees = fc.property(tolerantPaths, json, (text, data) => {
      const path = parseJsonPath(text, root);
      if (isParseError(path)) return;
      const hasFunction = path.query.kind !== "query" || path.query.source.kind !== "variable";
      if (hasFunction && !path.isRoot) return;
      count.read++;
      const printed = print(path.segments);
      if (printed === undefined) return;
      count.printed++;
      const again = parse(printed, true);
      expect(print(again.segments)).toBe(printed);
      expect(evaluate(again, data)).toEqual(evaluate(path, data));
    });
    fc.assert(agrees, { seed: 17, numRuns: 5_000 });
    expect(count.read).toBeGreaterThan(3_000);
    expect(count.printed).toBeGreaterThan(count.read * 0.8);
  });
});
