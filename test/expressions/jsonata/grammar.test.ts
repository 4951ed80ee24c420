import jsonata from "jsonata";
import { describe, expect, test } from "vitest";
import { isParseError, parseJsonata } from "../../../src/expressions/index.ts";
import { hasSuite, readSuite } from "./suite.ts";

/** "ok", or the code of the error. */
function ours(text: string): string {
  const parsed = parseJsonata(text);
  if (!isParseError(parsed)) return "ok";
  // The package has no codes for what the constructor of regular expressions refuses.
  return parsed.code === "S0303" || parsed.code === "S0403" ? "SyntaxError" : (parsed.code ?? parsed.category);
}

function theirs(text: string): string {
  try {
    jsonata(text);
    return "ok";
  } catch (error) {
    return error instanceof SyntaxError ? "SyntaxError" : (error as { readonly code: string }).code;
  }
}

/** Of each construct, and of each error. */
const programs = [
  ...["a.b.c", "a[0]", "a[-1].b[c = 1]", "a[]", "a.b[][0]", "*.a", "**.a", "`a b`.c", '"a".b', "$", "$$.a", "$x.y"],
  ...["Account.Order@$o.Product@$p[$o.x = $p.x]", "a#$i[$i < 2]", "a.b.%.c", "a.b.c.%.%.d", "a[%.b = 1]", "(a.b).%"],
  ...["a^(b)", "a^(<b, >c)", "a{b: c}", "a.b{c: $sum(d)}", "{}", '{"a": 1, "b": [1..3]}', "[]", "[1, 2..$n, 3]"],
  ...["1 + 2 * 3 - 4 / 5 % 6", 'a & "b"', "a = b and c != d or e in f", "a < b", "a >= b", "-a", "--1", "-a.b", "- 5"],
  ...["a ? b : c", "a ? b", "a ?: b", "a ?? b ?? c", "a ~> $f", "$f ~> $g ~> $h", "a ~> |b|{}|", "a ~> |b|{}, 'c'|"],
  ...["($x := 1; $y := $x; $x + $y)", "($x := $y := 1)", "()", "(1;)", "function($x){ $x }", "λ($x, $y)<n-n:n>{ $x }"],
  ...["$f(1, ?)", "$f(?)", "$f()", "$map(a, function($v, $i){ $v })", "a.$f(b)", "$match(a, /[/]+(b)\\/c/im)"],
  ...[
    "/* a */ 1",
    "a/* b */.c",
    "and and or or in",
    "and.or",
    "'a\\u0041\\n'",
    "1e3",
    "0.5",
    "true",
    "null",
    "a /b/ c",
  ],
  ...["function($f)<f<n:n>a<s>(sn)j?x+:b>{ $f }", "$x[] := 1", "function[]($x){ 1 }", "a@$b.c@$d.%", "(/a/)", "[/a/]"],
  ...[
    "",
    " ",
    "a b",
    "(a",
    "[1, 2",
    "{a: 1",
    "{a}",
    "a[",
    "a.",
    "1 +",
    "'a",
    '"a\\q"',
    '"\\u12x4"',
    "`a",
    "/* a",
    "1e999",
  ],
  ...[
    "a ! b",
    "a ~ b",
    "= 1",
    "function(a){ 1 }",
    "function($a",
    "1 := 2",
    "a.1",
    "a.true",
    "1.a",
    "a@b",
    "a#1",
    "a[0]@$b",
  ],
  ...[
    "a^(b)@$c",
    "%",
    "a.%.%",
    "$x.%",
    "$x{a: b}[0]",
    "a{b: c}{d: e}",
    "$match(a, //)",
    "$match(a, /b",
    "$match(a, /(/)",
  ],
  ...[
    "$match(a, /b/ii)",
    "function($x)<n<n>>{ 1 }",
    "function($x)<(a<n>)>{ 1 }",
    "function($x)<s+++>{ 1 }",
    "a..b",
    "[1..2..3]",
  ],
  ...[
    "a ** b",
    "|a|b",
    "f(?",
    "f(? 1)",
    "@",
    "^(a)",
    "a^b",
    "a^()",
    "a ? : b",
    "a ?",
    "(a; b",
    "$f(,)",
    "a[;]",
    "\\",
    "a[](b)/c",
  ],
];

test("constructs and errors are those of the package", () => {
  const disagreements = programs.filter((text) => ours(text) !== theirs(text));
  expect(disagreements).toEqual([]);
  expect(new Set(programs.map(ours)).size).toBeGreaterThan(22);
});

test.skipIf(!hasSuite)("every program of JSONata's suite has the same result (skipped without ../shared)", () => {
  const suite = readSuite();
  expect(suite).toHaveLength(1625);
  expect(suite.map(({ id, expr }) => [id, ours(expr)])).toEqual(suite.map(({ id, expr }) => [id, theirs(expr)]));
});

const fragments = [
  ...[
    ".",
    "[",
    "]",
    "[]",
    "{",
    "}",
    "(",
    ")",
    "@$v",
    "#$i",
    "%",
    "%.",
    "?",
    "?:",
    "??",
    ":",
    ":=",
    "..",
    "*",
    "**",
    "^(",
  ],
  ...[
    "^",
    "~>",
    "|",
    "/a/",
    "/",
    '"x"',
    "'",
    "`a`",
    "-",
    "1",
    "true",
    "$",
    "$$",
    "$x",
    "function",
    "λ",
    "function($x){",
  ],
  ...[
    "<n:n>",
    "<s-(sn)?:x>",
    "<a<n>>",
    "<(a<n>)>",
    "<s++>",
    "<n<s>>",
    " and ",
    " or ",
    " in ",
    ",",
    ";",
    "!=",
    "!",
    "~",
  ],
  ...["\\", "/*c*/", "/*", "a", "b", '{"a":b}', "[%.a]", "[0]", "0.5", "1e999", "=", "<", ">=", "&", "null", "(%.a)"],
];

test("mutants of programs are accepted or refused with the same code", () => {
  const random = numbersFrom(42);
  const pick = <T>(items: readonly T[]): T => items[random(items.length)]!;
  const codes = new Map<string, number>();
  for (let count = 0; count < 5000; count++) {
    let text = pick(programs);
    for (let change = random(4); change >= 0; change--) {
      const at = random(text.length + 1);
      const rest = random(3) === 0 ? text.slice(at + 1 + random(3)) : text.slice(at);
      text = text.slice(0, at) + (random(3) === 0 ? pick(programs).slice(random(6)) : pick(fragments)) + rest;
    }
    expect([text, ours(text)]).toEqual([text, theirs(text)]);
    codes.set(ours(text), (codes.get(ours(text)) ?? 0) + 1);
  }
  expect(codes.get("ok")).toBeGreaterThan(250);
  expect(codes.size).toBeGreaterThan(20);
});

/** A linear congruential generator. */
function numbersFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % limit;
  };
}

describe("spans", () => {
  test.each([
    ["a.[b", 4, 4],
    ["1 + $f(2 3)", 9, 10],
    ["a.b.1.c", 4, 5],
    ["abc@$x[0]@$y", 0, 12],
    ["'a\\qb'", 2, 4],
    ["x + name := 1", 0, 8],
    ["[a, function(b){1}]", 13, 14],
    ["a{b: c}{d: e}", 0, 13],
    ["$x.b.(c.%.%.%.%)", 0, 2],
    ["a /* b", 2, 4],
    ["$match(a, /[/)", 10, 14],
    ["a ~> !b", 5, 6],
  ])("the error in %s", (text, from, to) => {
    expect(parseJsonata(text)).toMatchObject({ category: "syntax", from, to });
  });

  test("each node has the range of its source", () => {
    expect(parseJsonata(" a.b[c = $x] ")).toMatchObject({
      kind: "map",
      start: 1,
      end: 12,
      right: { kind: "filter", start: 3, end: 12, predicate: { kind: "operation", operator: "=", start: 5, end: 11 } },
    });
  });
});

describe("limits", () => {
  test.each([
    ["nested brackets", "(".repeat(100_000)],
    ["nested functions", "function(){".repeat(100_000)],
    ["negations", "-".repeat(100_000)],
    ["long chains", `a${".a".repeat(100_000)}`],
    ["long sums", `1${" + 1".repeat(100_000)}`],
    ["copies of operands", `${"(".repeat(40)}a${" ?? b)".repeat(40)}`],
    ["long text", `"${"a".repeat(1_000_000)}"`],
  ])("%s", (_, text) => {
    expect(parseJsonata(text)).toMatchObject({ category: "limit" });
  });

  test("long arrays and strings are not nested", () => {
    expect(ours(`[${"1, ".repeat(10_000)}1]`)).toBe("ok");
    expect(ours(`"${"\\n".repeat(10_000)}" /*${" ".repeat(100_000)}*/`)).toBe("ok");
  });
});
