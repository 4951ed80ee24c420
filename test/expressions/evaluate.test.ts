import fc from "fast-check";
import { raw, json as runJq } from "jq-wasm";
import { describe, expect, test } from "vitest";
import type { Expression, Segment } from "../../src/expressions/core/ast.ts";
import {
  and,
  binary,
  bind,
  call,
  collect,
  comma,
  conditional,
  identity,
  literal,
  member,
  object,
  or,
  pipe,
  query,
  reduce,
  variable,
} from "../../src/expressions/core/build.ts";
import { errorOf } from "../../src/expressions/core/failure.ts";
import { isBinary, isLogic } from "../../src/expressions/core/views.ts";
import { evaluate, evaluateAll, evaluateOne, maxDepth } from "../../src/expressions/interpreter/evaluate.ts";
import { EvaluationError } from "../../src/expressions/library/failure.ts";
import type { Json } from "../../src/json.ts";
import { jqExpression, json } from "./random.ts";

const data: Json = { order: { id: 7, items: [{ n: 1 }, { n: 2 }] }, __proto__x: 1 };
const scope = { input: null, variables: new Map<string, Json>([["data", data]]) };
const all = (expression: Expression) => evaluateAll(expression, scope);
const numbers = (...values: readonly number[]) => comma(...values.map(literal));

describe("each node has jq's semantics", () => {
  const cases: readonly (readonly [string, Expression, readonly Json[]])[] = [
    ["a member chain", member(variable("data"), "order", "id"), [7]],
    ["a missing member yields nothing", member(variable("data"), "order", "none", "id"), []],
    ["a member of what is no object yields nothing", member(literal("text"), "length"), []],
    ["an inherited property is no member", member(variable("data"), "constructor"), []],
    ["array construction collects", collect(numbers(1, 2)), [[1, 2]]],
    ["array construction of nothing", collect(undefined), [[]]],
    ["the right operand varies slowest", binary("+", numbers(1, 2), numbers(10, 20)), [11, 12, 21, 22]],
    [
      "the first member varies slowest",
      object([
        ["a", numbers(1, 2)],
        ["b", numbers(3, 4)],
      ]),
      [
        { a: 1, b: 3 },
        { a: 1, b: 4 },
        { a: 2, b: 3 },
        { a: 2, b: 4 },
      ],
    ],
    [
      "of equal keys the last wins",
      object([
        ["a", literal(1)],
        ["a", literal(2)],
      ]),
      [{ a: 2 }],
    ],
    ["let keeps the input", pipe(literal(5), bind("x", numbers(1, 2), comma(variable("x"), identity))), [1, 5, 2, 5]],
    ["an inner name hides an outer one", bind("data", literal(1), variable("data")), [1]],
    [
      "if takes each output of its condition",
      conditional(comma(literal(true), literal(null)), literal("yes"), literal("no")),
      ["yes", "no"],
    ],
    [
      "and stops at false",
      and(comma(literal(1), literal(null)), comma(literal(true), literal(false))),
      [true, false, false],
    ],
    ["or stops at true", or(comma(literal(0), literal(false)), literal(null)), [true, false]],
    ["reduce folds", reduce(numbers(1, 2, 3), "x", literal(0), binary("+", identity, variable("x"))), [6]],
    ["reduce with an empty update is null", reduce(numbers(1), "x", literal(0), comma()), [null]],
    ["null is the neutral element of +", binary("+", literal(null), literal(1)), [1]],
    ["% truncates", binary("%", literal(-5.9), literal(3)), [-2]],
  ];
  test.each(cases)("%s", (_, expression, expected) => {
    expect(all(expression)).toEqual(expected);
  });

  test("a key named __proto__ is a member like any other", () => {
    const made = all(object([["__proto__", literal({ polluted: true })]]))[0] as object;
    expect(Object.keys(made)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
    expect(all(member(literal(made as Json), "__proto__", "polluted"))).toEqual([true]);
  });
});

describe("failing", () => {
  const failure = (expression: Expression): Json => {
    try {
      all(expression);
    } catch (error) {
      if (error instanceof EvaluationError) return error.value;
      throw error;
    }
    return "no failure";
  };

  test("error fails with its value", () => {
    expect(failure(call("error", literal({ name: "Denied", message: "No." })))).toEqual({
      name: "Denied",
      message: "No.",
    });
  });

  test("operators name the types that they reject", () => {
    expect(failure(binary("+", literal(1), literal("a")))).toBe('number (1) and string ("a") cannot be added');
    expect(failure(binary("/", literal(1), literal(0)))).toBe(
      "number (1) and number (0) cannot be divided because the divisor is zero",
    );
  });

  test("outputs before an error count, and unused outputs do not fail", () => {
    const outputs = evaluate(comma(literal(1), call("error", literal("late"))), scope);
    expect(outputs.next()).toEqual({ done: false, value: 1 });
    expect(() => outputs.next()).toThrow(EvaluationError);
    expect(all(call("first", comma(literal(1), call("error", literal("late")))))).toEqual([1]);
  });

  test("too deep an expression is a limit, not a stack overflow", () => {
    let deep: Expression = literal(1);
    for (let i = 0; i < 100_000; i++) deep = call("not", deep);
    expect(errorOf(failure(deep))).toEqual({ name: "LimitError", message: "An expression is nested too deeply." });
    expect(errorOf(failure(binary("*", literal("ab"), literal(1e9))))).toEqual({
      name: "LimitError",
      message: "A repeated string is too long.",
    });
  });

  test.each([
    ["calls", (inner: Expression) => call("mergeResult", inner, literal(null), literal("k"))],
    ["streams", (inner: Expression) => call("first", comma(inner, inner))],
    ["pipes with many outputs", (inner: Expression) => call("first", pipe(comma(identity, identity), inner))],
    [
      "filters",
      (condition: Expression) =>
        call("exists", query(literal([1]), [{ descend: false, selectors: [{ kind: "filter", condition }] }])),
    ],
  ])("the maximum depth fits on the stack: %s", (_, wrap) => {
    let deep: Expression = literal(true);
    for (let i = 0; i < maxDepth / 2 - 2; i++) deep = wrap(deep);
    expect(all(deep)).toEqual([true]);
  });

  test("a bug is not an evaluation error", () => {
    expect(() => all(variable("unknown"))).toThrow("Variable without a value: unknown");
    expect(() => all(call("unknown"))).toThrow("Unknown function: unknown/0");
    expect(() => evaluateOne(comma(literal(1), literal(2)), scope)).toThrow("Expected one output, got 2.");
    expect(() => evaluateOne(comma(), scope)).toThrow("Expected one output, got 0.");
  });
});

test("agrees with jq 1.8 on random expressions", { timeout: 60_000 }, async () => {
  await runJq(null, ".");
  await fc.assert(
    fc.asyncProperty(jqExpression, json, json, json, async (expression, input, x, y) => {
      const ours = outcome(expression, input, { data: input, x, y });
      const bindings = Object.entries({ data: input, x, y, hidden: true }).map(
        ([name, value]) => `${JSON.stringify(value)} as $${name} | `,
      );
      const theirs = await raw(JSON.stringify(input), `${bindings.join("")}${jq(expression)}`, ["-c"]);
      expect(`${ours.outputs.map((value) => JSON.stringify(value)).join("\n")} ${ours.failed}`).toBe(
        `${(theirs.stdout ?? "").replace(/-0(?![.\d])/g, "0")} ${theirs.exitCode === 5}`,
      );
    }),
    { seed: 20200601, numRuns: 1_500 },
  );
});

function outcome(expression: Expression, input: Json, variables: { readonly [name: string]: Json }) {
  const outputs: Json[] = [];
  try {
    for (const value of evaluate(expression, { input, variables: new Map(Object.entries(variables)) }))
      outputs.push(value);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    return { outputs, failed: true };
  }
  return { outputs, failed: false };
}

const jqLiteral = (value: Json): string => `(if $hidden then ${JSON.stringify(value)} else null end)`;

/** Prints an expression as a jq program, for nodes that jq has. */
function jq(expression: Expression): string {
  switch (expression.kind) {
    case "literal":
      return jqLiteral(expression.value);
    case "identity":
      return ".";
    case "variable":
      return `$${expression.name}`;
    case "query":
      return `(${jq(expression.source)}${expression.segments.map(jqMember).join("")})`;
    case "object":
      return `{${expression.entries.map(({ key, value }) => `(if $hidden then ${jq(key)} else null end): (${jq(value)})`).join(", ")}}`;
    case "array":
      return `[${expression.items ? jq(expression.items) : ""}]`;
    case "comma":
      return `(${expression.items.map(jq).join(", ") || "empty"})`;
    case "pipe":
      return `(${jq(expression.left)} | ${jq(expression.right)})`;
    case "let":
      return `((${jq(expression.value)}) as $${expression.name} | ${jq(expression.body)})`;
    case "if":
      return `(if ${jq(expression.condition)} then ${jq(expression.then)} else ${jq(expression.otherwise)} end)`;
    case "fold":
      return `(reduce (${jq(expression.source)}) as $${expression.name} (${jq(expression.initial)}; ${jq(expression.update)}))`;
    case "call":
      if (isBinary(expression) || isLogic(expression))
        return `(${expression.args.map(jq).join(` ${expression.name} `)})`;
      return expression.name === "not"
        ? `(${expression.args.map(jq)} | not)`
        : jqCall(expression.name, expression.args.map(jq).join("; "));
    default:
      throw new Error(`Random expressions have no ${expression.kind}.`);
  }
}

function jqCall(name: string, argument: string): string {
  if (name === "text") return `(${argument} | tostring)`;
  return name === "type" ? `(${argument} | type)` : `${name}(${argument})`;
}

function jqMember(segment: Segment): string {
  const [selector] = segment.selectors;
  const name = selector?.kind === "name" ? JSON.stringify(selector.name) : "null";
  return ` | (if type == "object" and has(${name}) then .[${name}] else empty end)`;
}
