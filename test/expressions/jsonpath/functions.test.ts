import { describe, expect, test } from "vitest";
import { effectsOf } from "../../../src/expressions/analysis/effects.ts";
import { printExpression } from "../../../src/expressions/core/print.ts";
import { evaluateOne } from "../../../src/expressions/interpreter/evaluate.ts";
import { parseCondition } from "../../../src/expressions/syntax/condition/conditions.ts";
import { isParseError } from "../../../src/expressions/syntax/cursor.ts";
import { parseJsonPath } from "../../../src/expressions/syntax/jsonpath/jsonpath.ts";
import type { Json } from "../../../src/json.ts";
import { errorIn, evaluate, parse, root } from "./read.ts";

const selected = (text: string, data: Json, strict = true) => evaluate(parse(text, strict), data);

describe("functions of RFC 9535", () => {
  test.each<[string, Json, readonly Json[]]>([
    [
      "$[?length(@) == 2]",
      ["ab", "😀é", "a", [1, 2], { a: 1, b: 2 }, 2, null, "\ud800x"],
      ["ab", "😀é", [1, 2], { a: 1, b: 2 }, "\ud800x"],
    ],
    ["$[?length(@.a) == length(@.b)]", [{ a: 1 }, { a: "x", b: [1] }, { b: [] }], [{ a: 1 }, { a: "x", b: [1] }]],
    ["$[?length('') == 0]", [1], [1]],
    ["$[?count(@..*) == 2]", [[[1]], [1, 2], [], 2], [[[1]], [1, 2]]],
    ["$[?count(@['a', 'a']) == 2]", [{ a: 1 }, { b: 1 }], [{ a: 1 }]],
    ["$[?value(@.*) == null]", [[null], [null, null], [], null], [[null]]],
    ["$[?value(@.a) == @.a]", [{ a: 1 }, {}], [{ a: 1 }, {}]],
    ["$[?length(value($[0]..a)) == length(@)]", [{ a: "xy" }, "ab", [1]], ["ab"]],
    ["$[?match(@, 'a.c')]", ["abc", "abcd", "a\nc", "a😀c"], ["abc", "a😀c"]],
    ["$[?search(@, 'b|^c')]", ["abc", "c", "ac"], ["abc", "c"]],
    [
      "$[?match(@.a, @.b)]",
      [{ a: "x", b: "[w-z]" }, { a: "x", b: "[z-w]" }, { a: "x" }, { a: 1, b: "1" }],
      [{ a: "x", b: "[w-z]" }],
    ],
    ["$[? ! match( @ ,\t'a' ) && length( @ )==1]", ["a", "b", "cc"], ["b"]],
    ["$[?search(@, '\\\\d')]", ["d", "1", "\\d"], []],
  ])("%s of %j", (text, data, expected) => {
    expect(selected(text, data)).toEqual(expected);
  });

  test.each([
    ["$[?length(@.a)]", "length(@.a)", "This function returns a value, which is not a condition."],
    ["$[?!count(@.*)]", "count(@.*)", "This function returns a value, which is not a condition."],
    ["$[?match(@, 'a') == true]", "match(@, 'a')", "This function returns a condition, which cannot be compared."],
    ["$[?1 == search(@, 'a')]", "search(@, 'a')", "This function returns a condition, which cannot be compared."],
    ["$[?length(@.*) == 1]", "@.*", "`length` takes one value, and this path can select several."],
    [
      "$[?length(match(@, 'a')) == 1]",
      "match(@, 'a')",
      "`length` takes a value, and this function returns a condition.",
    ],
    ["$[?count('a') == 1]", "'a'", "`count` takes a path."],
    ["$[?value(length(@)) == 1]", "length(@)", "`value` takes a path."],
    ["$[?match(@) == 1]", "match(@)", "`match` takes 2 arguments, and one is given."],
    ["$[?length() == 1]", "length()", "`length` takes one argument, and none is given."],
    ["$[?length(@,) == 1]", ")", "A path beginning with `@` or `$`, or a value, is missing before `)`."],
    ["$[?length(@ == 1) == 1]", "==", "Arguments are paths or values, not conditions with `==`."],
    ["$[?length(@]", "]", "`)` is missing before `]`."],
    ["$[?lenght(@) == 1]", "lenght", "The function `lenght` is not supported in paths."],
    ["$[?Length(@) == 1]", "Length", "The function `Length` is not supported in paths."],
    ["$[?length (@) == 1]", " ", "A space is not allowed between `length` and `(`."],
    ["$.length(@)", "length(", "Functions are allowed only in filters."],
    ["$[?@.length() == 1]", "(", "Functions take paths as arguments: `length(@.name)`."],
    [`$[?match(@, '${"a".repeat(10_001)}')]`, `'${"a".repeat(10_001)}'`, "This pattern is too large."],
  ])("%s", (text, words, message) => {
    expect(errorIn(text)).toEqual([words, message]);
  });

  test.each([
    ["length(@.a) == 1", "nodeLength(.a)", { outputs: "optional", type: "number", canFail: false }],
    ["count(@.*) == 1", "nodeCount(.[*])", { outputs: "one", type: "number", canFail: false }],
    ["value(@.*) == 1", "nodeValue(.[*])", { outputs: "optional", type: undefined, canFail: false }],
    ["match(@, 'a')", 'nodeMatches(., "a")', { outputs: "one", type: "boolean", canFail: false }],
    ["search(@, $.b)", "nodeSearches(., $data.b)", { outputs: "one", type: "boolean", canFail: false }],
  ])("effects of %s", (text, printed, facts) => {
    const [selector] = parse(`$[?${text}]`, true).segments[0]!.selectors;
    const condition = selector?.kind === "filter" ? selector.condition : root;
    const found = condition.kind === "call" && condition.name === "comparesNodes" ? condition.args[0]! : condition;
    expect(printExpression(found)).toBe(printed);
    expect(effectsOf(found)).toMatchObject(facts);
  });

  test("a pattern from the data that is too large is a limit", () => {
    expect(() => selected("$[?match(@, $[0])]", ["(".repeat(1_001)])).toThrow("A pattern is too large.");
  });

  test("arguments nested deeply", () => {
    const nested = (depth: number) => `$[?${"length(".repeat(depth)}@${")".repeat(depth)} == 1]`;
    expect(selected(nested(99), ["a"])).toEqual([]);
    expect(parseJsonPath(nested(10_000), root)).toMatchObject({ category: "limit" });
  });
});

const shop: Json = {
  items: [
    { name: "ab", tags: ["x", "y"], price: 10 },
    { name: "c", tags: [], price: "10" },
    { name: null, tags: ["x"], price: 8 },
  ],
  total: 3,
  numbers: [3, 1, 2, "x"],
};

describe("extensions of other dialects", () => {
  test.each<[string, readonly Json[]]>([
    ["$.items[?@.name.size() == 2 && @.tags .length() == 2].price", [10]],
    ["$.items[?@.missing.length() == @.price.size( )].price", [10, 8]],
    ["$.items.first().name", ["ab"]],
    ["$.items.last( ).price", [8]],
    ["$.items.index(1).name", ["c"]],
    ["$.items.index( -1 ).price", [8]],
    ["$.items[(@.length-1)].price", [8]],
    ["$.items[( @.length - 3 )].name", ["ab"]],
    ["$.items[(@.length-4)]", []],
    ["$.items[?(@.tags.length() > 1)].name", ["ab"]],
    ["$.items[?(@.tags[(@.length-1)] == 'x')].price", [8]],
    ["$.items[?(length(@.name) == 1)].price", ["10"]],
    ["$.items[?($.items.length() == $.total && @.price === 10)].name", ["ab"]],
    ["$.items[?(@.price !== 10)].price", ["10", 8]],
    ["$.items[?(@.price in [10, 'a', null])].name", ["ab"]],
    ["$.items[?(@.name in[null,true])].price", [8]],
    ["$.items[?(@.price NIN ['10', 8] && @.name)].name", ["ab"]],
    ["$.items[?(@.length)]", []],
  ])("%s", (text, expected) => {
    expect(selected(text, shop, false)).toEqual(expected);
  });

  test.each<[string, readonly Json[]]>([
    ["$.numbers.length()", [4]],
    ["$.numbers.size()", [4]],
    ["$.numbers.min()", [1]],
    ["$.numbers.max()", [3]],
    ["$.numbers.avg()", [2]],
    ["$.numbers.sum()", [6]],
    ["$.numbers.stddev()", [Math.sqrt(2 / 3)]],
    ["$.sum($.numbers, $.total, 10)", [19]],
    ["$.items[*].price.max()", [10]],
    ["$..price.sum()", [18]],
    ["$..price.length()", [3]],
    ["$..price.last()", [8]],
    ["$..price.index(1)", ["10"]],
    ["$.items.sum()", []],
    ["$.missing.avg()", []],
    ["$.total.max()", []],
    ["$.items[0].keys()", [["name", "tags", "price"]]],
    ["$.numbers.keys()", []],
    ["$.items[0].tags.concat()", ["xy"]],
    ["$.items[0].tags.concat('-', $.total, $.missing)", ["xy-3"]],
    ["$.items[0].tags.append('z', $.total)", [["x", "y", "z", 3]]],
    ["$.total.append(1)", []],
    ["$.items[?@.name =~ /A.*/i].price", [10]],
    ["$.items[?@.name =~ /A.*/].price", []],
    ["$.items[?@.tags =~ /x|z/].name", ["ab", null]],
    ["$.items[?@.tags =~ /a\\/b/].name", []],
    ["$.items[?'y' in @.tags].name", ["ab"]],
    ["$.items[?@.price in $.numbers || @.price in []].name", []],
    ["$.items[?@.tags subsetof ['x', 'z']].name", ["c", null]],
    ["$.items[?@.tags anyof ['y']].name", ["ab"]],
    ["$.items[?@.tags noneof ['y']].name", ["c", null]],
    ["$.items[?@.price noneof ['y']].name", []],
    ["$.items[?@.tags all ['x', 'y']].name", ["ab"]],
    ["$.items[?@.tags contains 'y' || @.name contains 'c'].name", ["ab", "c"]],
    ["$.items[?@.tags size 1].name", [null]],
    ["$.items[?@.name size 2].name", ["ab"]],
    ["$.items[?@.missing size @.other].name", []],
    ["$.items[?@.tags empty true].name", ["c"]],
    ["$.items[?@.tags empty false].name", ["ab", null]],
    ["$.items[?@.missing empty true].name", []],
    ["$.items[?@.tags.length() > 1 && $.numbers.max() == 3].name", ["ab"]],
    ["$.", [shop]],
  ])("%s", (text, expected) => {
    expect(selected(text, shop, false)).toEqual(expected);
  });

  test("functions select one value, and elements are path segments", () => {
    expect(parse("$.a.sum()")).toMatchObject({ definite: true, chain: undefined, isRoot: false });
    expect(parse("$.a.last()")).toMatchObject({ definite: true, chain: undefined, lastName: "a" });
  });

  test.each<[string, boolean]>([
    ["$.items.length() > 2", true],
    ["$.items[0].name.size() == 2 and $.total == $.items.length()", true],
    ["$.total.length() == null", true],
    ["$.length() > 3", false],
    ["$.items.last().price == 8", true],
    ["$.numbers.max() + $.numbers.sum() == 9 and $.numbers.sum() > $.numbers.max()", true],
  ])("the condition %s", (text, expected) => {
    const condition = parseCondition(text, { root });
    if (isParseError(condition)) throw new Error(condition.message);
    expect(evaluateOne(condition, { input: null, variables: new Map([["data", shop]]) })).toBe(expected);
  });

  test.each([
    ["$.a.median()", "median", "The function `median` in paths is not supported."],
    ["$..a.keys()", "keys()", "`keys()` is not supported after a path that can select several values."],
    ["$.a.append()", "append", "Invalid call of `append`."],
    ["$.a.concat(b)", "concat", "Invalid call of `concat`."],
    ["$.a.", ".", "A name or `*` is missing between `.` and the end of the expression."],
    ["$.a.length(1)", "length", "Invalid call of `length`."],
    ["$.a.index()", "index", "Invalid call of `index`."],
    ["$.a.length().b", ".b", "The path ends before `.`."],
    ["$[(@.length)]", "(", "Script expressions in paths are not supported."],
    ["$[(@.length-0)]", "(", "Script expressions in paths are not supported."],
    ["$[(@.length-1+1)]", "(", "Script expressions in paths are not supported."],
    ["$[?@.a =~ 'x']", "'", "A pattern such as `/a.*/i` is missing before `'`."],
    ["$[?@.a =~ /x/ix]", "ix", "The flags `ix` are not supported; `i` is."],
    ["$[?@.a =~ /[z-a]/]", "/[z-a]/", "This character range is reversed."],
    ["$[?@.a <> 1]", "<>", "The operator `<>` is not supported in filters."],
    ["$[?@.a = 1]", "=", "The operator `=` is not supported in filters."],
    ["$[?@.a && @.b or @.c]", "or", "The operator `or` is not supported in filters."],
    ["$[?@.a in @.*]", "@.*", "This path can select several values, so it cannot be compared."],
    ["$[?@.a in [@.b]]", "@", "A string, number, `true`, `false` or `null` is missing before `@`."],
    ["$[?@.* in [1]]", "@.*", "This path can select several values, so it cannot be compared."],
    ["$[?!@.a in [1]]", "!", "`!` before a comparison requires parentheses."],
    ["$[?match(@.a, '\\\\d+')]", "'\\\\d+'", "This is not a valid I-Regexp (RFC 9485)."],
  ])("%s", (text, words, message) => {
    expect(errorIn(text, false)).toEqual([words, message]);
  });

  test.each(["$[(@.length-1)]", "$[?@.a === 1]", "$[?@.a in [1]]", "$.a.first()", "$.", "$.a-b", " $", "$.a.[0]"])(
    "%s is not RFC 9535",
    (text) => {
      expect(errorIn(text, false)).toBeUndefined();
      expect(errorIn(text, true)).toBeDefined();
    },
  );
});
