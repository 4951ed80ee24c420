import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readJq } from "../../../../src/expressions/syntax/jq/lower.ts";
import type { Json } from "../../../../src/json.ts";
import { unsupportedParts } from "../../../../targets/asl/jsonata/print.ts";
import { loadOracle } from "../../../expressions/jq/oracle.ts";
import { input, program, wideProgram } from "../../../expressions/random-jq.ts";
import { haveSources, realPrograms } from "../../../expressions/real-programs.ts";
import { agreesWithJq, isLimit, judge, printed, readProgram } from "./compared-with-core.ts";

const oracle = await loadOracle();

/** A program's JSONata after the helper definitions. */
function shownProgram(text: string): string {
  const { expression, why } = readProgram(text);
  if (!expression) throw new Error(why);
  const code = printed(expression);
  if (typeof code !== "string") throw code;
  return code.slice(code.lastIndexOf(" }; $") < 0 ? 0 : code.lastIndexOf("}; ") + 3).replace(/\)$/, "");
}

describe.each([
  ["programs over paths, construction, arithmetic and the usual functions", program, 300],
  ["programs with more of jq", wideProgram, 200],
])("%s", (_, programs, count) => {
  const cases = fc.sample(fc.tuple(programs, input), { seed: 20_261, numRuns: count });

  test("give the same result or error message as the core", { timeout: 30_000 }, async () => {
    let limited = 0;
    for (const [text, value] of cases) {
      const verdict = await judge(text, value);
      if (verdict.kind !== "run") throw new Error(`${text} is ${verdict.kind}.`);
      if (isLimit(verdict.jsonata)) limited += 1;
      else expect(verdict.jsonata, `${text} for ${JSON.stringify(value)}`).toBe(verdict.core);
    }
    expect(limited).toBeLessThan(count / 50);
  });

  test("give the same result as jq, or fail like it", { timeout: 30_000 }, async () => {
    for (const [text, value] of cases.filter((_, i) => i % 5 === 0)) {
      const verdict = await judge(text, value, true);
      if (verdict.kind !== "run" || isLimit(verdict.jsonata)) continue;
      expect(await agreesWithJq(oracle, text, value, verdict.jsonata), `${text} for ${JSON.stringify(value)}`).not.toBe(
        false,
      );
    }
  });
});

test.skipIf(!haveSources)("all jq of the examples is printed (skipped where ../shared is missing)", () => {
  const programs = realPrograms();
  expect(programs.length).toBeGreaterThan(50);
  expect(programs.filter((text) => typeof printed(readProgram(text).expression!) !== "string")).toEqual([]);
});

describe("programs read as JSONata", () => {
  test.each([
    [".", "$states.input"],
    [".order", '$memberOf($states.input, "order")'],
    [".order.id", '$memberAt($states.input, ["order", "id"])'],
    [".posts[0].body", '$memberOf($itemAt($memberOf($states.input, "posts"), 0), "body")'],
    [".a // 1", '$value := $memberOf($states.input, "a"); $value in [null, false] ? 1 : $value'],
    [".body | length > 160", '$lengthOf($memberOf($states.input, "body")) > 160'],
    ['"a\\(.b)c"', '"a" & $asText($memberOf($states.input, "b")) & "c"'],
    [
      ".sum += $value",
      '$value2 := $memberOf($states.input, "sum"); $withMember($states.input, "sum", $add($value2, $value))',
    ],
    [".a.b = 1", '$value := $memberAt($states.input, ["a", "b"]); $setAt($states.input, ["a", "b"], 1)'],
    ["map_values(. * 2)", "$mapItems($states.input, function($item) { $multiply($item, 2) })"],
    [".a?", '$found := $tryMemberOf($states.input, "a"); $unbox($type($found) = "function" ? () : {"value": $found})'],
    ['if .a == "x" then 1 else 2 end', '$memberOf($states.input, "a") = "x" ? 1 : 2'],
  ])("%s", (text, expected) => expect(shownProgram(text)).toBe(expected));
});

describe("values that JSONata would flatten or omit", () => {
  const programs = [
    ".",
    "[.]",
    "[.[]?]",
    ".[0]?",
    "{a: .}",
    "map(.)?",
    "[.[]? | .[]?]",
    "first(.[]?)",
    "[.[]?] | add",
    "add?",
    "tojson",
    "[..]",
  ];
  const more = [
    "to_entries?",
    "reverse?",
    "sort?",
    "unique?",
    "group_by(.)?",
    "min?",
    "flatten?",
    "length?",
    "[.[]? | utf8bytelength?]",
    ".[1:]?",
    "[limit(1; .[]?)]",
    "last(.[]?)",
    '[.[]? | select(type == "array") | . as $v | try ([1] | .[$v] += 1) catch "no"]',
    '[.[]? | select(type == "array") | . as $v | try ([1, 2] | (.[0], .[$v]) |= 3) catch "no"]',
  ];
  const values: readonly Json[] = [
    null,
    [],
    [[]],
    [[[]]],
    [null],
    [[1]],
    [[1], [2]],
    {},
    { a: [] },
    { a: [[1]] },
    [{}],
    "",
    [[], []],
    { a: null },
  ];
  test.each([...programs, ...more])("%s", async (text) => {
    for (const value of values) {
      const verdict = await judge(text, value);
      expect(verdict.kind).toBe("run");
      if (verdict.kind === "run") expect(verdict.jsonata, JSON.stringify(value)).toBe(verdict.core);
    }
  });
});

describe("numbers are printed like jq's", () => {
  const numbers = [
    0,
    1,
    -1.5,
    1e15,
    1e16,
    1e17,
    1.5e17,
    123456789012345680000,
    1e21,
    -1e300,
    1e-4,
    1e-5,
    1.25e-5,
    1e-7,
    5e-324,
    1 / 3,
    0.1 + 0.2,
  ];
  test.each(numbers)("%d", async (number) => {
    const verdict = await judge("[.[] | tojson, tostring]", [number]);
    expect(verdict.kind === "run" && verdict.jsonata).toBe(verdict.kind === "run" && verdict.core);
  });
});

test.each<[string, Json]>([
  ["[foreach ([1], [2]) as $i (0; $i)]", null],
  ["[foreach (1, 2) as $v (0; . + $v)]", null],
  ["[foreach 1 as $v (0; . + $v; ., [.])]", null],
  ["del(.[0, 2, -1])", [1, 2, 3]],
  ["del(.[-1], .[2])", [1, 2, 3]],
  ["del(.[-1].a, .[2].b, .[0])", [1, 2, { a: 1, b: 2, c: 3 }]],
  ["del(.a.b, .a, .c[0, 1].d)", { a: { b: 1 }, c: [{ d: 1 }, { d: 2, e: 3 }, { d: 4 }] }],
  ['delpaths([[], ["a", "b"]])', { a: 1 }],
  ['delpaths([["a", "b"]])', { a: 1 }],
  ['delpaths([["a"], ["a", "b"], ["c"]])', { a: { b: 1 }, c: null, d: [] }],
  ["[nth(1.5; .[])]", [1, 2, 3]],
  ["[skip(1.5; .[]), skip(2; .[]), skip(0; .[])]", [1, 2, 3]],
  ["[limit(1.5; .[])]", [1, 2, 3]],
  ["map(-.) | tojson", [0, 1, -1]],
])("%s gives what jq gives for %j", async (text, value) => {
  const verdict = await judge(text, value);
  if (verdict.kind !== "run") throw new Error(`${text} is ${verdict.kind}.`);
  expect(verdict.jsonata).toBe(verdict.core);
  expect(await agreesWithJq(oracle, text, value, verdict.jsonata)).toBe(true);
});

test.each([
  ["y", 2147483647],
  ["y", 1e308],
  ["é🙂", 357913942],
])("a string that would have 2 GiB is not a string: %s", async (text, count) => {
  const verdict = await judge(".text * .count", { text, count });
  if (verdict.kind !== "run") throw new Error(verdict.kind);
  expect(verdict.jsonata).toBe(verdict.core);
  expect(verdict.core).toContain("Repeat string result too long");
});

test("a member named `__proto__` is kept", async () => {
  const value = JSON.parse('{"__proto__": {"a": 1}, "b": {"c": 2}}') as Json;
  for (const text of [
    ".",
    ".b",
    "keys",
    "to_entries",
    ".b = 1",
    ".b.c = 1",
    ". + {b: 1}",
    "del(.b)",
    "with_entries(.)",
    "map_values(1)",
    "{(keys[0]): 1}",
    ". * {b: {d: 3}}",
    'setpath([keys[0], "a"]; 2)',
    "[paths]",
    "tojson",
  ]) {
    const verdict = await judge(text, value);
    if (verdict.kind !== "run") throw new Error(`${text} is ${verdict.kind}.`);
    expect(verdict.jsonata, text).toBe(verdict.core);
  }
});

describe("a long chain stays short", () => {
  test.each(["(if .a then .b else .c end)", "(.a // .b)", "(.a, .b)", "(try .a catch .b)", "(.a += 1)"])(
    "of %s",
    (part) => {
      const text = printed(readProgram(Array(40).fill(part).join(" | ")).expression!);
      expect(String(text).length).toBeLessThan(20_000);
      expect(text).toBeTypeOf("string");
    },
  );
});

describe("unsupported constructs are rejected at their span", () => {
  test.each([
    ["@csv", "the format `@csv`"],
    ["@base64", "the format `@base64`"],
    ["sqrt", "the function `sqrt`"],
    ["pow(.; 2)", "the function `pow`"],
    ['test("\\\\p{Lu}")', "this regular expression"],
    ["[range(.; 3)]", "a range of numbers that may not be integers"],
    ["infinite", "`infinite`"],
    [".a | fromjson", "the function `fromjson`"],
    [".a | log", "the function `log`"],
    ["{__proto__: 1}", "an object with the key `__proto__`"],
    [".__proto__ = 1", "a path through `__proto__`"],
    [".a[1:] = [1]", "a slice as a path"],
    ["[limit(3; repeat(1))]", "`limit` of a stream that may be infinite"],
    ["def f(g): g | f(g); f(.)", "a recursive function with parameters"],
    ['sub("a"; "b")', "the matches of a regular expression"],
    ["[range(infinite)]", "an infinite range"],
    [`${"[".repeat(120)}1 + .a${"]".repeat(120)}`, "an expression this deeply nested"],
    [Array(120).fill(".a").join(" + "), "an expression this deeply nested"],
    [
      `(${Array(30).fill("(if .a then .b else .c end)").join(" | ")}) |= 1`,
      "an expression that grows too large when its parts are inlined",
    ],
    [
      "def a(f): f | f; def b(f): a(a(f)); def c(f): b(b(f)); def d(f): c(c(f)); d(d(.a))",
      "an expression that grows too large when its parts are inlined",
    ],
  ])("%s", (text, construct) => {
    const span = { file: "f", start: { line: 1, column: 1 }, end: { line: 1, column: 2 } } as never;
    const read = readJq(text, { spanAt: () => span });
    if (!("expression" in read)) throw new Error(read[0]!.message);
    const [refusal, ...others] = unsupportedParts(read.expression);
    expect(others).toEqual([]);
    expect(refusal?.construct).toBe(construct);
    expect(refusal?.span).toBe(span);
  });
});
