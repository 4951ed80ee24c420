import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorOf } from "../../src/expressions/core/failure.ts";
import { evaluate } from "../../src/expressions/interpreter/evaluate.ts";
import { EvaluationError } from "../../src/expressions/library/failure.ts";
import { fromJson } from "../../src/expressions/library/json-reader.ts";
import { toJson } from "../../src/expressions/library/json-text.ts";
import { readJq } from "../../src/expressions/syntax/jq/lower.ts";
import { cpuTime } from "../cpu.ts";
import { loadOracle } from "./jq/oracle.ts";
import { core, isLimited, run } from "./js/running.ts";

const oracle = await loadOracle();

/**
 * The interpreter's outputs as lines of JSON, and its error message; undefined for unsupported programs and unknown
 * behavior.
 */
function ours(program: string, input: string): string | undefined {
  const read = readJq(program);
  if (!("expression" in read)) return undefined;
  const lines: string[] = [];
  try {
    for (const value of evaluate(read.expression, { input: fromJson(input), variables: new Map() }))
      lines.push(toJson(value));
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    if (error.isLimit) return undefined;
    lines.push(`error: ${error.message}`);
  }
  return lines.join("\n");
}

/** The outputs of the compiled program in the same form. */
function compiled(program: string, input: string): string | undefined {
  const outcome = run(core(program), fromJson(input));
  if ("refused" in outcome) return undefined;
  if ("outputs" in outcome) return outcome.outputs.map((value) => toJson(value)).join("\n");
  return isLimited(outcome) || !("failed" in outcome) ? undefined : `error: ${errorOf(outcome.failed).message}`;
}

const theirs = (program: string, input: string): string =>
  oracle
    .run(program, input)
    .trim()
    .replace(/jq: error \(at \/dev\/stdin:\d+\): /, "error: ");

describe("values that keep a path and values that lose it", () => {
  test.each([
    ["null", "path(null), path(.a | null)"],
    ["null", "path(1 | .a?)"],
    ["null", "path(-1[2:4])"],
    ["null", "path(-(1 | .[0]))"],
    ['{"a":1}', "path(-.a)"],
    ["null", "[path((1 | .a)?)]"],
    ["true", "path(true), path(false)"],
    ["[1]", "path(. as $x | $x | .[0])"],
    ["null", "path(.a + null)"],
    ["null", "path(reduce 1 as $x (.; .a))"],
    ["null", "path(reduce .a as $x (.; .))"],
    ['{"a":{"b":1}}', "path(foreach (.a, 1) as $x (.; .))"],
    ["null", "path(foreach (1, 2) as $x (.; .a; .b))"],
    ['{"a":1}', "path(foreach .a as $x (1; .b))"],
    ['{"a":1,"b":2}', "path(last(.a, .b))"],
    ["null", "path(last(.))"],
    ['{"a":"x"}', 'path(.a | tostring, ltrimstr("y"))'],
    ['{"a":1}', "path(.a | tostring)"],
    ['{"a":"x"}', "path([.a] | .[0])"],
    ['{"a":"x"}', "path((.a and .b) | .c)"],
    ['{"a":true}', "path(.a or .b)"],
    ['{"a":{}}', "path(.a or .b | .c)"],
    ["null", "path(try error(null) catch .)"],
    ["null", 'path(try error("x") catch .)'],
    ["null", 'path(1 | getpath(["b"]))'],
    ["null", "path([1] | getpath([0]))"],
    ["null", "[path(1 | select(.a))]"],
    ["[1,nan]", ".[] |= 1"],
    ["2", "path(foreach . as $v (2; .; .))"],
    ["2", "path(reduce . as $v (2; .))"],
    ["2", "path(reduce (.,.) as $v (.; if $v then 2 else . end))"],
    ["null", "2 | path(2)"],
    ["2", "path(2 | getpath([]))"],
    ['"x"', 'path(reduce 1 as $v ("x"; .))'],
  ])("%s | %s", (input, program) => {
    const expected = theirs(program, input);
    expect(ours(program, input)).toBe(expected);
    const whole = theirs(`[${program}]`, input);
    expect(compiled(`[${program}]`, input) ?? whole).toBe(whole);
  });
});

test.each([
  ['"bc"', 'path(ltrimstr("b"))'],
  ['"bc"', 'del(rtrimstr("c"))'],
  ["[null]", "path(foreach with_entries(.) as [$z] (.; .; .))"],
  ["[null]", "reduce with_entries(.) as [$z] (.; .) |= 1"],
  ["2", ". as $v | path(if . then 2 else . end | $v)"],
  ["2", ". as $o | path(reduce (.,.) as $v (2; $o))"],
  ["2", "path(try error(2) catch .)"],
  ["2", 'path({a: 2} | getpath(["a"]))'],
  ["{}", "path(. += walk(sort))"],
])("%s | %s is a limit, because jq's behavior is unknown", (input, program) => {
  const read = readJq(program);
  if (!("expression" in read)) throw new Error(`${program} is refused`);
  expect(() => [...evaluate(read.expression, { input: fromJson(input), variables: new Map() })]).toThrow(
    expect.objectContaining({ isLimit: true }),
  );
});

test("a key that is not a string has jq's message", () => {
  for (const program of ["{(.):1}", "{a:1, (.,1):2}", '{("a",[.]): 1}'])
    expect(ours(program, '"x"')).toBe(theirs(program, '"x"'));
});

const { query } = fc.letrec<{ leaf: string; query: string }>((tie) => ({
  leaf: fc.constantFrom(
    ".",
    ".a",
    ".b",
    ".[0]",
    ".[]?",
    "null",
    "1",
    "true",
    '"a"',
    ".a?",
    "empty",
    "[]",
    ".[1:]",
    "..",
    'getpath(["a"])',
  ),
  query: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    tie("leaf"),
    fc
      .tuple(tie("query"), tie("query"), fc.constantFrom("|", ",", "//", "and", "or"))
      .map(([a, b, operator]) => `(${a} ${operator} ${b})`),
    fc.tuple(tie("query"), tie("query"), tie("query")).map(([a, b, c]) => `(reduce ${a} as $x (first(${b}); ${c}))`),
    fc.tuple(tie("query"), tie("query"), tie("query")).map(([a, b, c]) => `(foreach ${a} as $x (${b}; ${c}; ., $x))`),
    fc.tuple(tie("query"), tie("query"), tie("query")).map(([a, b, c]) => `(if ${a} then ${b} else ${c} end)`),
    fc.tuple(tie("query"), tie("query")).map(([a, b]) => `(try error(${a}) catch ${b})`),
    fc.tuple(tie("query"), tie("query")).map(([a, b]) => `(${a} as $x | $x, ${b})`),
    fc.tuple(fc.constantFrom("first", "last", "limit", "skip"), tie("query")).map(([name, a]) => {
      return `${name}(${name === "limit" || name === "skip" ? "1; " : ""}${a})`;
    }),
    tie("query").map((a) => `(${a})?`),
    tie("query").map((a) => `[${a}]`),
    tie("query").map((a) => `(${a} | tostring)`),
  ),
}));

test("random paths agree with jq", { timeout: 120_000 }, () => {
  const inputs = fc.constantFrom(
    "null",
    '{"a":1,"b":[1,2,3]}',
    '[{"a":1,"b":"x"},{"a":2}]',
    '{"a":{"b":2,"c":null},"b":"a"}',
  );
  let compared = 0;
  fc.assert(
    fc.property(query, inputs, fc.constantFrom("path(Q)", "Q |= [.]", "Q |= empty", "del(Q)"), (where, input, use) => {
      const program = use.replace("Q", () => where);
      const given = ours(program, input);
      if (given === undefined) return;
      compared++;
      expect(given).toBe(theirs(program, input));
      const whole = theirs(`[${program}]`, input);
      expect(compiled(`[${program}]`, input) ?? whole).toBe(whole);
    }),
    { seed: 20_240_612, numRuns: 500 },
  );
  expect(compared).toBeGreaterThan(400);
});

test("an update of 100,000 paths takes linear time", () => {
  const time = (count: number) => {
    const input = toJson(Array.from({ length: count }, (_, i) => ({ n: i })));
    const started = cpuTime();
    expect(ours(".[].n |= . + 1 | length", input)).toBe(String(count));
    return cpuTime() - started;
  };
  time(10_000);
  expect(time(100_000)).toBeLessThan(40 * Math.max(time(10_000), 20));
});
