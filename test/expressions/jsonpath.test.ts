import { describe, expect, test } from "vitest";
import { query, variable } from "../../src/expressions/core/build.ts";
import { evaluateAll } from "../../src/expressions/interpreter/evaluate.ts";
import { isParseError } from "../../src/expressions/syntax/cursor.ts";
import { type JsonPath, parseJsonPath } from "../../src/expressions/syntax/jsonpath/jsonpath.ts";
import type { Json } from "../../src/json.ts";
import { evaluate, parse, root } from "./jsonpath/read.ts";

const store: Json = {
  vegetables: [{ name: "potato", like: true }, { name: "broccoli", like: false, "exit-code": 1 }, { name: "carrot" }],
  user: { title: "MANAGER", name: { title: "Ms" } },
  limit: 1,
};

describe("the lenient dialect", () => {
  test.each<[string, readonly Json[]]>([
    ["$", [store]],
    ["$.", [store]],
    [" $.limit ", [1]],
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
  ])("properties of %s", (text, { definite, chain, lastName }) => {
    const path = parse(text);
    expect({ definite: path.definite, chain: path.chain, lastName: path.lastName }).toEqual({
      definite,
      chain,
      lastName,
    });
  });

  test.each([
    ["$.a[?@ == $.b]", [2]],
    ["$.a[?length($.a) == @]", [2]],
    ["$.a[-1]", [2]],
  ])("any source can be the root: %s", (text, expected) => {
    const source = query(variable("data"), [{ descend: false, selectors: [{ kind: "name", name: "inner" }] }]);
    const path = parseJsonPath(text, source);
    const data: Json = { inner: { a: [1, 2], b: 2 } };
    if (isParseError(path)) throw new Error(path.message);
    const found = evaluateAll(path.query, { input: null, variables: new Map([["data", data]]) });
    expect(found).toEqual(expected);
  });
});

describe("errors", () => {
  test.each([
    ["it was heads", "syntax", 0, 1, "A path begins with `$`, not with `i`."],
    ["", "syntax", 0, 0, "A path begins with `$`, not with the end of the expression."],
    ["$.a b", "syntax", 4, 5, "The path ends before `b`."],
    ["$.a..", "syntax", 3, 5, "A name, `*` or `[` is missing after `..`."],
    ["$.a.#", "syntax", 3, 4, "A name or `*` is missing between `.` and `#`."],
    ["$[", "syntax", 1, 2, "This `[` is not closed."],
    ["$[abc]", "syntax", 2, 3, "`a` is not allowed in `[ ]`."],
    ["$['a", "syntax", 2, 4, "This string is not terminated."],
    ["$[01]", "syntax", 2, 4, "`01` is not an index."],
    ["$[1", "syntax", 3, 3, "`]` is missing before the end of the expression."],
    ["$['\\x']", "syntax", 3, 5, "Unknown escape in a string."],
    ["$[(@.length+1)]", "unsupported", 2, 3, "Script expressions in paths are not supported."],
    ["$.a.sums()", "unsupported", 4, 8, "The function `sums` in paths is not supported."],
    ["$.limit.", "syntax", 7, 8, "A name or `*` is missing between `.` and the end of the expression."],
    ["$[?size(@.a) == 1]", "unsupported", 3, 7, "The function `size` is not supported in paths."],
    ["$['a'](1)", "unsupported", 6, 7, "Functions in paths are not supported here."],
    ["$[?@.a == 01]", "syntax", 10, 12, "`01` is not a valid JSON number."],
    ["$[?@.a == True]", "syntax", 10, 14, "`True` is neither a path nor a value."],
    ["$[]", "syntax", 2, 3, "A name in quotes, an index, a slice, `*` or a filter is missing before `]`."],
    ["$['\ud800']", "syntax", 3, 4, "This string contains a lone surrogate."],
    ["$['\\ud800']", "syntax", 3, 9, "This escape is a lone surrogate."],
    ["$[?@.a someof ['x']]", "unsupported", 7, 13, "The operator `someof` is not supported in filters."],
    ["$[?@.a == b]", "syntax", 10, 11, "`b` is neither a path nor a value."],
    ["$[?@.a[*] == 1]", "syntax", 3, 9, "This path can select several values, so it cannot be compared."],
    ["$[?true]", "syntax", 3, 7, "A value alone is not a condition."],
    ["$[?!@.a == 1]", "syntax", 3, 4, "`!` before a comparison requires parentheses."],
    ["$[?(@.a]", "syntax", 7, 8, "`)` is missing before `]`."],
    ["$\u202e", "syntax", 1, 2, "The path ends before `\u202e`."],
  ])("%j", (text, category, from, to, message) => {
    expect(parseJsonPath(text, root)).toMatchObject({ category, from, to, message });
  });
});
