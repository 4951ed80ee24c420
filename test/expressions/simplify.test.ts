import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canFail, effectsOf, freeVariables, outputs } from "../../src/expressions/analysis/effects.ts";
import { substitute } from "../../src/expressions/analysis/substitute.ts";
import type { Expression } from "../../src/expressions/core/ast.ts";
import {
  and,
  binary,
  bind,
  call,
  collect,
  comma,
  conditional,
  firstOr,
  identity,
  literal,
  member,
  object,
  or,
  pathsOf,
  pipe,
  query,
  reduce,
  variable,
} from "../../src/expressions/core/build.ts";
import { equalExpressions } from "../../src/expressions/core/equal.ts";
import { printExpression } from "../../src/expressions/core/print.ts";
import { evaluate } from "../../src/expressions/interpreter/evaluate.ts";
import { EvaluationError } from "../../src/expressions/library/failure.ts";
import { simplify } from "../../src/expressions/simplify/simplify.ts";
import type { Json } from "../../src/json.ts";
import { cpuTime } from "../cpu.ts";
import { expression, json, names } from "./random.ts";

const data = variable("data");
const x = variable("x");

const inCondition = (operator: string, to: Json): Expression =>
  call(
    "compareInCondition",
    query(data, [{ descend: false, selectors: [{ kind: "name", name: "a" }] }]),
    literal(operator),
    literal(to),
  );

interface Outcome {
  readonly outputs: readonly Json[];
  readonly failed: boolean;
}

/** The outputs up to an error. Which of two errors comes first is not part of the semantics. */
function outcome(expression: Expression, input: Json, variables: ReadonlyMap<string, Json>): Outcome {
  const found: Json[] = [];
  try {
    for (const value of evaluate(expression, { input, variables })) found.push(value);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return { outputs: found, failed: true };
  }
  return { outputs: found, failed: false };
}

const values = fc.tuple(json, json, json).map((given) => new Map(names.map((name, i) => [name, given[i]!] as const)));

const part = (source: Expression): Expression => ({ kind: "access", source, key: literal(0), optional: false });

describe("simplify", () => {
  const shown = (expression: Expression) => printExpression(simplify(expression));
  const flag = call("truthy", member(data, "a"));
  const record = object([["a", member(data, "x")]]);

  test.each<[string, Expression, string]>([
    ["computes constants", binary("+", literal("a"), call("text", literal(1))), '"a1"'],
    ["computes paths in constants", firstOr(member(literal({ a: { b: 1 } }), "a", "b"), literal(null)), "1"],
    ["knows what paths do not find in constants", firstOr(member(literal({}), "a"), x), "$x"],
    ["leaves failing constants", binary("/", literal(1), literal(0)), "1 / 0"],
    ["takes decided branches", conditional(literal(0), x, data), "$x"],
    [
      "turns a choice between true and false into its condition",
      conditional(call("not", flag), literal(false), literal(true)),
      "truthy($data.a)",
    ],
    ["leaves out equal branches", conditional(flag, x, x), "$x"],
    ["true and", and(literal(true), flag), "truthy($data.a)"],
    ["and false", and(flag, literal(false)), "false"],
    ["or false", or(flag, literal(false)), "truthy($data.a)"],
    [
      "a comparison that says less than the one before it",
      or(binary("!=", x, literal("A")), binary("==", x, literal("B"))),
      '$x != "A"',
    ],
    [
      "a comparison that says less than the one behind it",
      and(binary("!=", x, literal("A")), binary("==", x, literal("B"))),
      '$x == "B"',
    ],
    ["two values at once", and(binary("==", x, literal("A")), binary("==", x, literal("B"))), "false"],
    ["a difference from one of two", or(binary("!=", x, literal("A")), binary("!=", x, literal("B"))), "true"],
    [
      "says of what may be missing no more than that it is there, if it differs from one of two",
      or(inCondition("!=", "A"), inCondition("!=", "B")),
      "exists($data.a)",
    ],
    [
      "what is missing does not differ from null either",
      or(inCondition("!=", null), inCondition("!=", "B")),
      "exists($data.a)",
    ],
    [
      "null or not null, which a missing value is as well",
      or(inCondition("!=", null), inCondition("==", null)),
      "true",
    ],
    ["a comparison and its contrary at once", and(inCondition("!=", "A"), inCondition("==", "A")), "false"],
    ["a comparison or its contrary", or(inCondition("!=", "A"), inCondition("==", "A")), "exists($data.a)"],
    [
      "comparisons of what may be missing",
      or(inCondition("!=", "A"), inCondition("==", "B")),
      'compareInCondition($data.a, "!=", "A")',
    ],
    [
      "a value that is not null",
      or(inCondition("!=", null), inCondition("==", "B")),
      'compareInCondition($data.a, "!=", null)',
    ],
    [
      "keeps null apart from a difference, which is false for what is missing",
      or(inCondition("==", null), inCondition("!=", "B")),
      'compareInCondition($data.a, "==", null) or compareInCondition($data.a, "!=", "B")',
    ],
    ["does not take a value for a condition", and(literal(true), x), "true and $x"],
    ["not not", call("not", call("not", flag)), "truthy($data.a)"],
    ["names for names", bind("y", x, binary("+", variable("y"), variable("y"))), "$x + $x"],
    [
      "names for what is used once",
      bind("y", collect(member(data, "a")), object([["k", variable("y")]])),
      "{ k: [$data.a] }",
    ],
    [
      "keeps names for what is used twice",
      bind("y", collect(x), comma(variable("y"), variable("y"))),
      "[$x] as $y | $y, $y",
    ],
    ["keeps names for what may fail", bind("y", call("merge", x, data), literal(1)), "merge($x, $data) as $y | 1"],
    [
      "keeps names for what would be computed again and again",
      bind("y", collect(x), pipe(comma(x, data), variable("y"))),
      "[$x] as $y | $x, $data | $y",
    ],
    ["joins paths", member(member(data, "a"), "b", "c"), "$data.a.b.c"],
    [
      "looks into objects just made",
      member(
        object([
          ["a", x],
          ["b", data],
        ]),
        "b",
        "c",
      ),
      "$data.c",
    ],
    [
      "does not lose members that yield nothing",
      member(
        object([
          ["a", member(x, "q")],
          ["b", data],
        ]),
        "b",
      ),
      "{ a: $x.q, b: $data }.b",
    ],
    ["merging {}", call("merge", object([["k", x]]), literal({})), "{ k: $x }"],
    ["merging into {}", call("merge", literal({}), x), "$x"],
    ["does not hide that merging may fail", call("merge", x, literal({})), "merge($x, {})"],
    ["absorbing what is known", call("mergeResult", data, object([["k", x]]), literal("r")), "merge($data, { k: $x })"],
    ["absorbing what is no object", call("mergeResult", data, collect(x), literal("r")), "merge($data, { r: [$x] })"],
    ["absorbing nothing", call("mergeResult", data, literal(null), literal("r")), "$data"],
    ["placing at the root", call("place", data, literal([]), x), "$x"],
    ["first of what is sure", firstOr(firstOr(member(data, "a"), literal(1)), literal(2)), "first($data.a, 1)"],
    ["first needs nothing after what is sure", call("first", comma(member(data, "a"), x, data)), "first($data.a, $x)"],
    ["exists of what is sure", call("exists", record), "exists({ a: $data.x })"],
    [
      "truth of a condition",
      call("truthy", call("compareInCondition", x, literal("=="), data)),
      'compareInCondition($x, "==", $data)',
    ],
    [
      "keeps names for what is taken apart, and for its parts: inside of a path these are steps",
      pathsOf(bind("whole", identity, bind("z", part(variable("whole")), identity))),
      "path(. as $whole | $whole[0] as $z | .)",
    ],
    ["the same of constants", pathsOf(bind("z", part(literal(null)), identity)), "path(null[0] as $z | .)"],
    ["pipes without use", pipe(x, pipe(identity, member(identity, "a"))), "$x.a"],
  ])("%s", (_, given, expected) => {
    expect(shown(given)).toBe(expected);
  });

  test("a bound name that would capture a free one is renamed", () => {
    const given = bind("y", x, bind("x", call("error", variable("y")), comma(variable("x"), variable("y"))));
    expect(shown(given)).toBe("error($x) as $x_2 | $x_2, $x");
  });

  test("returns the same object if nothing changes", () => {
    const given = call("merge", data, member(x, "a"));
    expect(simplify(given)).toBe(given);
  });

  test("preserves all outputs and failure", () => {
    fc.assert(
      fc.property(expression, json, values, (given, input, variables) => {
        expect(outcome(simplify(given), input, variables)).toEqual(outcome(given, input, variables));
      }),
      { seed: 5, numRuns: 10_000 },
    );
  });

  test("is linear in the size of the expression", () => {
    let given: Expression = data;
    for (let i = 0; i < 400; i++)
      given = bind(
        `v${i}`,
        call("mergeResult", given, x, literal("k")),
        comma(...Array.from({ length: 50 }, () => variable(`v${i}`))),
      );
    const start = cpuTime();
    simplify(given);
    simplify(
      collect(comma(...Array.from({ length: 50_000 }, (_, i) => firstOr(member(data, `m${i}`), literal(null))))),
    );
    expect(cpuTime() - start).toBeLessThan(3_000);
  });
});

describe("effects", () => {
  test("hold for evaluated expressions", () => {
    fc.assert(
      fc.property(expression, json, values, (given, input, variables) => {
        const { outputs: found, failed } = outcome(given, input, variables);
        const facts = effectsOf(given);
        if (!facts.canFail) expect(failed).toBe(false);
        if (failed) return;
        if (facts.outputs === "none") expect(found).toHaveLength(0);
        if (facts.outputs === "one") expect(found).toHaveLength(1);
        if (facts.outputs === "optional") expect(found.length).toBeLessThan(2);
        if (facts.type)
          for (const value of found)
            expect(outcome(call("type", literal(value)), null, variables).outputs).toEqual([facts.type]);
        const fewer = new Map([...variables].filter(([name]) => facts.free.has(name)));
        expect(outcome(given, facts.usesInput ? input : "other", fewer).outputs).toEqual(found);
      }),
      { seed: 6, numRuns: 10_000 },
    );
  });

  test("of some expressions", () => {
    expect(outputs(member(data, "a"))).toBe("optional");
    expect(outputs(firstOr(member(data, "a"), literal(null)))).toBe("one");
    expect(outputs(comma())).toBe("none");
    expect(outputs(comma(data, data))).toBe("many");
    expect(canFail(call("merge", object([]), data))).toBe(false);
    expect(canFail(call("merge", data, object([])))).toBe(true);
    expect([...freeVariables(bind("x", data, comma(x, variable("y"))))]).toEqual(["data", "y"]);
  });
});

describe("substitute", () => {
  test("replaces simultaneously, avoids capture and keeps `.`", () => {
    const show = (given: Expression, replacements: Record<string, Expression>) =>
      printExpression(substitute(given, new Map(Object.entries(replacements))));
    expect(show(call("merge", data, x), { data: x, x: data })).toBe("merge($x, $data)");
    expect(show(bind("x", literal(1), comma(x, data)), { data: x })).toBe("1 as $x_2 | $x_2, $x");
    expect(show(pipe(literal(1), data), { data: member(identity, "a") })).toBe(". as $dot | 1 | $dot | .a");
    expect(show(x, { data: literal(1) })).toBe("$x");
  });

  test("is equivalent to binding the variables", () => {
    fc.assert(
      fc.property(expression, expression, expression, json, values, (given, first, second, input, variables) => {
        const [a, b] = [outcome(first, input, variables), outcome(second, input, variables)];
        fc.pre(!a.failed && !b.failed && a.outputs.length === 1 && b.outputs.length === 1);
        const replaced = substitute(
          given,
          new Map([
            ["data", first],
            ["x", second],
          ]),
        );
        const expected = outcome(given, input, new Map([...variables, ["data", a.outputs[0]!], ["x", b.outputs[0]!]]));
        expect(outcome(replaced, input, variables)).toEqual(expected);
      }),
      { seed: 8, numRuns: 5_000 },
    );
  });
});

test("equality is structural and ignores spans", () => {
  const source = { path: "a", text: "$.a" };
  const placed: Expression = { kind: "variable", name: "data", span: { source, start: 0, end: 1 } };
  expect(equalExpressions(placed, data)).toBe(true);
  fc.assert(
    fc.property(expression, expression, (a, b) => {
      expect(equalExpressions(a, structuredClone(a))).toBe(true);
      if (equalExpressions(a, b)) expect(printExpression(a)).toBe(printExpression(b));
    }),
    { seed: 9, numRuns: 2_000 },
  );
});

test("unequal expressions print differently", () => {
  const cases: readonly Expression[] = [
    query(data, [{ descend: false, selectors: [{ kind: "index", index: 0 }] }]),
    member(data, "0"),
    member(data, "a b"),
    query(data, [{ descend: true, selectors: [{ kind: "name", name: "a" }] }]),
    query(identity, [{ descend: false, selectors: [{ kind: "slice", start: 1 }, { kind: "wildcard" }] }]),
    query(data, [
      { descend: false, selectors: [{ kind: "filter", condition: call("truthy", member(identity, "a")) }] },
    ]),
    binary("-", literal(1), binary("-", literal(2), literal(3))),
    binary("-", binary("-", literal(1), literal(2)), literal(3)),
    and(or(x, data), x),
    or(x, and(data, x)),
    collect(pipe(comma(x, data), identity)),
    object([
      ["a-b", comma(x, data)],
      ["c", pipe(x, identity)],
    ]),
    reduce(x, "y", literal(0), comma(identity, x)),
    literal("\u2028\u001b'\""),
  ];
  expect(cases.map(printExpression)).toEqual([
    "$data[0]",
    '$data["0"]',
    '$data["a b"]',
    "$data..a",
    ".[1:, *]",
    "$data[?truthy(.a)]",
    "1 - (2 - 3)",
    "1 - 2 - 3",
    "($x or $data) and $x",
    "$x or $data and $x",
    "[$x, $data | .]",
    '{ "a-b": ($x, $data), c: ($x | .) }',
    "reduce $x as $y (0; ., $x)",
    '"\\u2028\\u001b\'\\""',
  ]);
});
