import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mayBeInfinite, toFiniteValues } from "../../src/expressions/analysis/finite-values.ts";
import type { Expression } from "../../src/expressions/core/ast.ts";
import { pipe } from "../../src/expressions/core/build.ts";
import { printExpression } from "../../src/expressions/core/print.ts";
import { evaluateAll } from "../../src/expressions/interpreter/evaluate.ts";
import { EvaluationError } from "../../src/expressions/library/failure.ts";
import type { Json } from "../../src/json.ts";
import { cpuTime } from "../cpu.ts";
import { core } from "./js/running.ts";
import { jqExpression, names } from "./random.ts";
import { input as jqInput, program } from "./random-jq.ts";

const seed = 20_261_126;

const extremes: readonly Json[] = [0, 1, -1, 1e308, -1e308, Number.MAX_VALUE, 5e-324, "nan", "1e400", null, "a"];
const extreme: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(...extremes),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "o", "items"), tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const input = fc.oneof(extreme, jqInput);

const unusualNumbers = core("[.. | numbers | isnan or isinfinite] | any");

function outcomeOf(expression: Expression, dot: Json, variables: ReadonlyMap<string, Json>): unknown {
  try {
    return evaluateAll(expression, { input: dot, variables });
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return "failed";
  }
}

function expectFinite(expression: Expression, dot: Json, variables: ReadonlyMap<string, Json> = new Map()): void {
  const finite = toFiniteValues(expression);
  const found = outcomeOf(pipe(finite, unusualNumbers), dot, variables);
  if (found !== "failed") expect(found).not.toContain(true);
  expect(outcomeOf(finite, dot, variables)).toEqual(outcomeOf(expression, dot, variables));
}

test("converted expressions have the outputs that JSON carries", () => {
  fc.assert(
    fc.property(program, input, (text, dot) => expectFinite(core(text), dot)),
    { seed, numRuns: 3_000 },
  );
  fc.assert(
    fc.property(jqExpression, input, fc.tuple(input, input, input), (expression, dot, values) =>
      expectFinite(expression, dot, new Map(names.map((name, i) => [name, values[i]!]))),
    ),
    { seed, numRuns: 3_000 },
  );
}, 60_000);

describe("only what may compute such numbers is converted", () => {
  test.each([
    [".a", false],
    [".a + 1", false],
    [".a - 1", false],
    ["1 + (.items | length)", false],
    [".a + .b", true],
    [".a * 2", true],
    [".a * 0.5", false],
    [".a / 2", false],
    [".a / 0.5", true],
    [".a % 2", false],
    [".a * 2 > 5", false],
    [".a * 2 | tostring", false],
    ['"total: \\(.a * .b)"', false],
    ["nan", true],
    ["1e400", true],
    ['"1e400" | tonumber', true],
    [".text | fromjson", true],
    ["[.items[] | .price * .count] | add", true],
    ["[.items[] | .name]", false],
    ['.items | map(select(.price * 2 > 3) | .name) | join(", ")', false],
    ["def f: if . > 9 then . else (. * 2 | f) end; .a | f", true],
  ])("%s: %s", (text, isConverted) => {
    expect(mayBeInfinite(core(text))).toBe(isConverted);
  });

  test.each([
    ["{a: (.x * 2), b: .y}", "{ a: finite(.x * 2), b: .y }"],
    [".total = .price * .count", "finite(.price * .count) as $value | .total |= $value"],
    [".total += .price * .count", "(.price * .count) as $value | .total |= finite(. + $value)"],
    ["if .a then .b * 2 else .c end", "if .a then finite(.b * 2) else .c end"],
    ["[.items[] | .price * .count]", "[.items[] | finite(.price * .count)]"],
    [".a * 2 | . + 1", ".a * 2 | finite(. + 1)"],
  ])("%s is converted to %s", (text, converted) => {
    expect(printExpression(toFiniteValues(core(text))).replaceAll('"', "")).toBe(converted);
  });
});

test("long programs take little time", () => {
  const steps = Array.from({ length: 100 }, (_, i) => `.a${i} = .b${i} * .c${i}`);
  const bindings = Array.from({ length: 100 }, (_, i) => `.b${i} * .c${i} as $v${i}`);
  const sums = Array.from({ length: 200 }, (_, i) => `.b${i}`);
  for (const text of [steps.join(" | "), `${bindings.join(" | ")} | {a: $v0, b: ($v1 + $v99)}`, sums.join(" + ")]) {
    const expression = core(text);
    const started = cpuTime();
    toFiniteValues(expression);
    expect(cpuTime() - started).toBeLessThan(1_000);
  }
});
