import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Expression, Segment } from "../../src/expressions/ast.ts";
import { and, call, identity, literal, or, query, variable } from "../../src/expressions/build.ts";
import { evaluateAll } from "../../src/expressions/evaluate.ts";
import { isFault } from "../../src/expressions/fault.ts";
import { printJsonPath } from "../../src/expressions/jsonpath/print.ts";
import { type JsonPath, parseJsonPath } from "../../src/expressions/jsonpath.ts";
import { equalJson, type Json } from "../../src/json.ts";
import { json, segments } from "./random.ts";

const root = variable("data");
const evaluate = (path: JsonPath, data: Json) => evaluateAll(path.query, { input: null, variables: new Map([["data", data]]) });

function parse(text: string, strict = false, source: Expression = root): JsonPath {
  const path = parseJsonPath(text, source, { strict });
  if (isFault(path)) throw new Error(`${text}: ${path.message}`);
  return path;
}

const store: Json = {
  vegetables: [{ name: "potato", like: true }, { name: "broccoli", like: false, "exit-code": 1 }, { name: "carrot" }],
  user: { title: "MANAGER", name: { title: "Ms" } },
  limit: 1,
};

describe("the tolerant dialect", () => {
  test.each<[string, readonly Json[]]>([
    ["$", [store]],
    ["$.", [store]],
    [" $.limit ", [1]],
    ["$.limit.", [1]],
    ["$.vegetables.[0].name", ["potato"]],
    ["$.vegetables[-1].name", ["carrot"]],
    ["$.vegetables.[?(@.like)].name", ["potato"]],
    ["$.vegetables[?(!@.like)].name", ["broccoli", "carrot"]],
    ["$.vegetables[?(@.like == false)].name", ["broccoli"]],
    ["$.vegetables[?(@.exit-code == $.limit)].name", ["broccoli"]],
    ["$.vegetables[?(@['name'] >= 'c' || @.like)].name", ["potato", "carrot"]],
    ["$.vegetables[?@.name == 'potato' && (@.like == true)].name", ["potato"]],
    ["$..title", ["MANAGER", "Ms"]],
    ["$..name.title", ["Ms"]],
    ["$['user','limit']", [(store as { user: Json }).user, 1]],
    ["$.vegetables[0:2].name", ["potato", "broccoli"]],
    ["$.vegetables[::-1].name", ["carrot", "broccoli", "potato"]],
    ["$.user.*", ["MANAGER", { title: "Ms" }]],
    ["$.constructor", []],
    ["$.limit.toString", []],
  ])("%s", (text, expected) => {
    expect(evaluate(parse(text), store)).toEqual(expected);
  });

  test.each<[string, Pick<JsonPath, "definite" | "chain" | "lastName">]>([
    ["$", { definite: true, chain: [], lastName: undefined }],
    ["$.a['b c'].d-e", { definite: true, chain: ["a", "b c", "d-e"], lastName: "d-e" }],
    ["$.a.b[0]", { definite: true, chain: undefined, lastName: "b" }],
    ["$.a[*]", { definite: false, chain: undefined, lastName: "a" }],
    ["$..a", { definite: false, chain: undefined, lastName: "a" }],
    ["$[0]", { definite: true, chain: undefined, lastName: undefined }],
    ["$['a','b']", { definite: false, chain: undefined, lastName: undefined }],
    ["$.a[?@.b]", { definite: false, chain: undefined, lastName: "a" }],
  ])("what %s is", (text, { definite, chain, lastName }) => {
    const path = parse(text);
    expect({ definite: path.definite, chain: path.chain, lastName: path.lastName }).toEqual({ definite, chain, lastName });
  });

  test("the root in a filter is the source, whatever that is", () => {
    const source = query(variable("data"), [{ descend: false, selectors: [{ kind: "name", name: "inner" }] }]);
    expect(evaluate(parse("$.a[?@ == $.b]", false, source), { inner: { a: [1, 2], b: 2 } })).toEqual([2]);
  });
});

describe("faults", () => {
  test.each([
    ["it was heads", "syntax", 0, 1, "A path begins with `$`, not with `i`."],
    ["", "syntax", 0, 0, "A path begins with `$`, not with the end of the text."],
    ["$.a b", "syntax", 4, 5, "The path ends before `b`."],
    ["$.a..", "syntax", 3, 5, "A name, `*` or `[` is missing after `..`."],
    ["$.a.#", "syntax", 3, 4, "After `.` a name or `*` is missing before `#`."],
    ["$[", "syntax", 1, 2, "The `[` that begins here is not closed."],
    ["$[abc]", "syntax", 2, 3, "`a` begins nothing that can stand in `[ ]`."],
    ["$['a", "syntax", 2, 4, "The text that begins here is not closed."],
    ["$[01]", "syntax", 2, 4, "`01` is not an index."],
    ["$[1", "syntax", 3, 3, "`]` is missing before the end of the text."],
    ["$['\\x']", "syntax", 3, 5, "This escape has no meaning in a text."],
    ["$[(@.length-1)]", "unsupported", 2, 3, "Script expressions in paths are not supported."],
    ["$.a.length()", "unsupported", 4, 11, "Functions in paths are not supported."],
    ["$[?length(@.a) == 1]", "unsupported", 3, 9, "The function `length` is not supported in paths."],
    ["$[?@.a =~ /x/]", "unsupported", 7, 9, "The operator `=~` is not supported in filters."],
    ["$[?@.a in ['x']]", "unsupported", 7, 9, "The operator `in` is not supported in filters."],
    ["$[?@.a == b]", "syntax", 10, 11, "`b` is neither a path nor a value."],
    ["$[?@.a[*] == 1]", "syntax", 3, 9, "This path can select several values, so it cannot be compared."],
    ["$[?true]", "syntax", 3, 7, "A value alone is not a condition."],
    ["$[?!@.a == 1]", "syntax", 3, 4, "`!` stands before a comparison without parentheses."],
    ["$[?(@.a]", "syntax", 7, 8, "`)` is missing before `]`."],
    ["$\u202e", "syntax", 1, 2, "The path ends before `\u202e`."],
  ])("%j", (text, fault, from, to, message) => {
    expect(parseJsonPath(text, root)).toMatchObject({ fault, from, to, message });
  });

  test("nesting and length are bounded", () => {
    expect(parse(`$${"[?@".repeat(100)}.a${"]".repeat(100)}`).definite).toBe(false);
    expect(parseJsonPath(`$${"[?@".repeat(101)}${"]".repeat(101)}`, root)).toMatchObject({ fault: "limit" });
    expect(parseJsonPath(`$[?${"(".repeat(100_000)}`, root)).toMatchObject({ fault: "limit" });
    expect(parseJsonPath(`$${".a".repeat(500_000)}`, root)).toMatchObject({ fault: "limit" });
  });

  test.each([
    ["a long chain", `$${".a".repeat(499_000)}`],
    ["a long conjunction", `$[?${"@.a&&".repeat(190_000)}@.a]`],
    ["a long name", `$.${"a".repeat(990_000)}`],
    ["a long text", `$['${"\\n".repeat(490_000)}']`],
    ["many selectors", `$[${"0,".repeat(490_000)}0]`],
    ["many spaces", `$${" ".repeat(990_000)}.a`],
  ])("%s is read in linear time", (_, text) => {
    const start = performance.now();
    expect(isFault(parseJsonPath(text, root))).toBe(false);
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  test("no text makes the parser throw, and every place lies in the text", () => {
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
          if (isFault(path)) expect([path.from >= 0, path.from <= path.to, path.to <= text.length]).toEqual([true, true, true]);
        },
      ),
      { seed: 7, numRuns: 20_000 },
    );
  });
});

describe("printing", () => {
  const path = segments.map((list) => query(identity, list));
  const comparable = fc.oneof(
    fc.constantFrom<Json>("it's", 'say "hi"\n', 0, -1.5, true, null).map(literal),
    fc.constantFrom("a", "b c").map((name) => query(identity, [{ descend: false, selectors: [{ kind: "name", name }] }])),
    fc.constant(query(root, [{ descend: false, selectors: [{ kind: "index", index: -1 }] }])),
  );
  const { condition } = fc.letrec<{ condition: Expression }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3 },
      path.map((test) => call("exists", test)),
      fc
        .tuple(comparable, fc.constantFrom("==", "<=", ">"), comparable)
        .map(([left, sign, right]) => call("comparesNodes", left, literal(sign), right)),
      tie("condition").map((inner) => call("not", inner)),
      fc.tuple(tie("condition"), tie("condition")).map(([left, right]) => and(left, right)),
      fc.tuple(tie("condition"), tie("condition")).map(([left, right]) => or(left, right)),
    ),
  }));
  const filtered = fc.tuple(segments, condition, segments).map(([before, filter, after]): readonly Segment[] => [
    ...before,
    {
      descend: false,
      selectors: [
        { kind: "filter", condition: filter },
        { kind: "name", name: "it's \u2028" },
      ],
    },
    ...after,
  ]);

  test("what is printed is RFC 9535 and reads as the same path", () => {
    fc.assert(
      fc.property(fc.oneof(segments, filtered), json, (list, data) => {
        const printed = printJsonPath(list, root)!;
        const again = parse(printed, true);
        expect(printJsonPath(again.segments, root)).toBe(printed);
        expect(evaluate(again, data)).toEqual(evaluateAll(query(root, list), { input: null, variables: new Map([["data", data]]) }));
      }),
      { seed: 11, numRuns: 2_000 },
    );
  });

  test.each([
    ["$.", "$"],
    ["$.vegetables.[?(@.like)]", "$.vegetables[?@.like && @.like != false && @.like != null]"],
    ["$.a[?(!@.b)]", "$.a[?!(@.b && @.b != false && @.b != null)]"],
    ["$.flip-coin", "$['flip-coin']"],
    ["$..a[1:2,*]", "$..a[1:2, *]"],
    ["$[?@.a == 'x' && (@.b || @.c < 1.5)]", "$[?@.a == 'x' && (@.b && @.b != false && @.b != null || @.c < 1.5)]"],
  ])("%s becomes %s", (text, expected) => {
    const path = parse(text);
    expect(printJsonPath(path.segments, root)).toBe(expected);
    expect(evaluate(parse(expected, true), store)).toEqual(evaluate(path, store));
  });

  test("what has no exact form is not printed", () => {
    expect(printJsonPath(parse("$[?@..a]").segments, root)).toBeUndefined();
  });
});

interface Case {
  readonly name: string;
  readonly selector: string;
  readonly document?: Json;
  readonly result?: Json;
  readonly results?: readonly Json[];
  readonly invalid_selector?: boolean;
}

const suite = fileURLToPath(new URL("../../../shared/cases/jsonpath/cts.json", import.meta.url));

describe.skipIf(!existsSync(suite))("RFC 9535's compliance suite (skipped where ../shared is not there)", () => {
  const cases: readonly Case[] = existsSync(suite) ? JSON.parse(readFileSync(suite, "utf8")).tests : [];

  test("no path is read wrongly; only functions are not covered", () => {
    const count = { right: 0, refused: 0, functions: 0 };
    for (const example of cases) {
      const path = parseJsonPath(example.selector, root, { strict: true });
      if (isFault(path)) {
        if (example.invalid_selector) count.refused++;
        else expect([example.name, path.message]).toEqual([example.name, expect.stringMatching(/function/i)]);
        if (!example.invalid_selector) count.functions++;
        continue;
      }
      expect([example.name, example.invalid_selector]).toEqual([example.name, undefined]);
      const result = evaluate(path, example.document!);
      expect([example.name, (example.results ?? [example.result!]).some((expected) => equalJson(expected, result))]).toEqual([
        example.name,
        true,
      ]);
      count.right++;
    }
    expect(count).toEqual({ right: 373, refused: 247, functions: 83 });
  });
});
