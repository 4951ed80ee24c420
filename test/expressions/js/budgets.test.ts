import { describe, expect, test } from "vitest";
import { evaluateAll } from "../../../src/expressions/interpreter/evaluate.ts";
import { EvaluationError } from "../../../src/expressions/library/failure.ts";
import type { Json } from "../../../src/json.ts";
import { cpuTime } from "../../cpu.ts";
import { core, type Outcome, run } from "./running.ts";

function evaluated(program: string, input: Json): Outcome {
  try {
    return { outputs: evaluateAll(core(program), { input, variables: new Map() }) };
  } catch (error) {
    if (error instanceof EvaluationError) return { failed: error.value };
    throw error;
  }
}

const engines = [
  ["evaluated", evaluated],
  ["as JavaScript", (program: string, input: Json) => run(core(program), input)],
] as const;

const limit = (message: string): Outcome => ({ failed: { name: "LimitError", message } });
const steps = limit("An expression takes too many steps.");
const memory = limit("An expression needs too much memory.");
const large = limit("A value is too large.");
const array = limit("An array is too long.");

describe.each(engines)("endless programs and excessive memory are stopped: %s", { timeout: 20_000 }, (_, give) => {
  test.each<[string, Outcome]>([
    ["[repeat(1)]", steps],
    ["[range(1e9)]", steps],
    ["last(range(1e9))", steps],
    ["reduce range(1e9) as $i (0; . + $i)", steps],
    ["[range(1e5) as $a | range(1e5) | select(. < 0)]", steps],
    ["0 | until(. < 0; . + 1)", steps],
    ["[0 | while(true; . + 1)]", steps],
    ["0 | [recurse(. + 1)]", steps],
    ["def f: f; f", steps],
    ["def f: ., (. + 1 | f); [0 | f]", steps],
    ["[combinations(40)]", limit("There are too many combinations.")],
    ["reduce range(40) as $i ([1]; . + .) | length", array],
    ['reduce range(60) as $i ("x"; . + .) | length', memory],
    ["def f: if . == 0 then 0 else 1 + (. - 1 | f) end; 1000000 | f", memory],
  ])("%s", (program, expected) => {
    expect(give(program, [0, 1])).toEqual(expected);
  });

  test.each([
    "$all == $same",
    "$all < $same",
    "[$all, $same] | unique",
    "$all | flatten",
    "[$all | tostream]",
    "$all | contains($same)",
    "[$all] - [$same]",
    "reduce range(60) as $i (1; {a: ., b: .}) | . * .",
  ])("values with heavily shared parts are too large: %s", (program) => {
    const grown = "reduce range(60) as $i (1; [., .])";
    expect(give(`(${grown}) as $all | (${grown}) as $same | ${program}`, null)).toEqual(large);
  });

  test.each(["try [repeat(1)] catch 1", "([repeat(1)])? // 1", "[.[] | try error catch repeat(1)]"])(
    "limits cannot be caught: %s",
    (program) => {
      expect(give(program, [0])).toEqual(steps);
    },
  );

  test.each<[string, Json, Json]>([
    ["[limit(3; repeat(1))]", null, [1, 1, 1]],
    ["first(range(1e9))", null, 0],
    ["0 | until(. >= 100000; . + 1)", null, 100_000],
    ["def f: if . == 0 then 0 else . - 1 | f end; 100000 | f", null, 0],
    ["def r: ., (. + 1 | if . < 20000 then r else empty end); [0 | r] | length", null, 20_000],
    ["[recurse(if . < 20000 then . + 1 else empty end)] | length", 0, 20_001],
    ['reduce range(20000) as $i ({}; .["k\\($i)"] = $i) | length', null, 20_000],
    ["reduce range(50000) as $i ([]; . + [$i]) | length", null, 50_000],
    ["reduce range(20000) as $i ({}; . + {($i | tostring): $i}) | length", null, 20_000],
  ])("%s has an end, and takes a time that grows with it", (program, input, expected) => {
    const start = cpuTime();
    expect(give(program, input)).toEqual({ outputs: [expected] });
    expect(cpuTime() - start).toBeLessThan(5000);
  });
});

test("the evaluator does not limit tail calls with value parameters", () => {
  expect(evaluated("def f($n): if $n == 0 then 0 else f($n - 1) end; f(20000)", null)).toEqual({ outputs: [0] });
});

test("a value with heavily shared parts is too large to print", () => {
  expect(evaluated("reduce range(40) as $i (1; [., .])", null)).toEqual(limit("A value is too large."));
});

test("in-place changes never affect shared values", () => {
  for (const [, give] of engines) {
    expect(give("reduce (1, 2) as $i ({a: [0]}; .a += [$i]) | .a", null)).toEqual({ outputs: [[0, 1, 2]] });
    expect(give("[foreach (1, 2, 3) as $i ([]; . + [$i])]", null)).toEqual({ outputs: [[[1], [1, 2], [1, 2, 3]]] });
    expect(give("[.[] as $x | reduce (1, 2) as $i ($x; . + [$i])]", [[0], [5]])).toEqual({
      outputs: [
        [
          [0, 1, 2],
          [5, 1, 2],
        ],
      ],
    });
    expect(give("reduce (1, 2) as $i ([[0]]; . + [.[0] + [$i]])", null)).toEqual({
      outputs: [[[0], [0, 1], [0, 2]]],
    });
    expect(give('reduce ("a", "b") as $k ({}; .[$k] = . ) | tojson', null)).toEqual({
      outputs: ['{"a":{},"b":{"a":{}}}'],
    });
  }
});
