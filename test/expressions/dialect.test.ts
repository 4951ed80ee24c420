import { describe, expect, test } from "vitest";
import { substitute } from "../../src/expressions/analysis/substitute.ts";
import { mayThrow } from "../../src/expressions/analysis/types.ts";
import type { Dialect, DialectProgram, Expression } from "../../src/expressions/core/ast.ts";
import { binary, bind, collect, comma, identity, literal, pipe, variable } from "../../src/expressions/core/build.ts";
import { equalExpressions } from "../../src/expressions/core/equal.ts";
import { printExpression } from "../../src/expressions/core/print.ts";
import { canFail, freeVariables, inferType, outputs, simplify } from "../../src/expressions/index.ts";
import { evaluateAll } from "../../src/expressions/interpreter/evaluate.ts";
import { compileJavaScript } from "../../src/expressions/js/index.ts";
import { EvaluationError } from "../../src/expressions/library/failure.ts";
import type { Json } from "../../src/json.ts";
import { anyNumber, nullType, printType, string } from "../../src/types/index.ts";
import { run } from "./js/running.ts";

/** Sums of names and numbers in postfix notation: `a b + 2 +`. */
const postfix: Dialect = {
  name: "postfix",
  outputs: () => "one",
  canFail: (text) => text.includes("fail"),
  type: () => anyNumber,
  *evaluate({ text }, inputs) {
    const stack: number[] = [];
    for (const word of text.split(" ")) {
      if (word === "fail") throw new EvaluationError("failed");
      stack.push(word === "+" ? stack.pop()! + stack.pop()! : Number(inputs.get(word) ?? word));
    }
    yield stack.pop()!;
  },
  lower({ text }, inputs) {
    if (text.includes("fail")) return undefined;
    const stack: Expression[] = [];
    for (const word of text.split(" ")) {
      const [b, a] = word === "+" ? [stack.pop()!, stack.pop()!] : [];
      stack.push(a && b ? binary("+", a, b) : (inputs.get(word) ?? literal(Number(word))));
    }
    return stack.pop();
  },
};

const program = (text: string, inputs: { readonly [name: string]: Expression }): DialectProgram => ({
  kind: "dialect",
  dialect: postfix,
  text,
  inputs: Object.entries(inputs).map(([name, value]) => ({ name, value })),
});

const sum = program("a b + 2 +", { a: variable("x"), b: comma(literal(10), literal(20)) });

const all = (expression: Expression, variables: { readonly [name: string]: Json } = {}, input: Json = null) =>
  evaluateAll(expression, { input, variables: new Map(Object.entries(variables)) });

describe("a program of a dialect", () => {
  test("is evaluated for each combination of its inputs", () => {
    expect(all(sum, { x: 1 })).toEqual([13, 23]);
    expect(all(program("a 1 +", { a: identity }), {}, 4)).toEqual([5]);
  });

  test("is transparent to analysis", () => {
    expect([...freeVariables(sum)]).toEqual(["x"]);
    expect(outputs(sum)).toBe("many");
    expect(outputs(program("1", {}))).toBe("one");
    expect([canFail(sum), canFail(program("fail", {}))]).toEqual([false, true]);
    expect(canFail(program("a", { a: binary("%", variable("x"), literal(0)) }))).toBe(true);
    const environment = { input: nullType, variables: new Map() };
    expect([mayThrow(sum, environment), mayThrow(program("fail", {}), environment)]).toEqual([false, true]);
    // A number that is not finite is stored as null.
    expect(printType(inferType(sum, new Map([["x", string]])))).toBe("null | number");
  });

  test("is opaque to rewriting, which sees its inputs", () => {
    const replaced = substitute(sum, new Map([["x", variable("y")]]));
    expect(printExpression(replaced)).toBe('postfix("a b + 2 +", a: $y, b: (10, 20))');
    expect(printExpression(simplify(program("1 2 +", { a: binary("+", literal(1), literal(2)) })))).toBe(
      'postfix("1 2 +", a: 3)',
    );
    expect(printExpression(simplify(bind("z", literal(7), program("a", { a: variable("z") }))))).toBe(
      'postfix("a", a: 7)',
    );
  });

  test("is equal to one with the same text and equal inputs", () => {
    expect(equalExpressions(program("a", { a: variable("x") }), program("a", { a: variable("x") }))).toBe(true);
    expect(equalExpressions(program("a", { a: variable("x") }), program("a", { a: variable("y") }))).toBe(false);
    expect(equalExpressions(program("1", {}), program("2", {}))).toBe(false);
  });

  test("is printed through an equivalent expression", () => {
    const expression = collect(pipe(variable("x"), program("a 2 +", { a: identity })));
    expect(run(expression, null, [5], ["x"])).toEqual({ outputs: [[7]] });
  });

  test("is refused by printers where it has none", () => {
    expect(compileJavaScript(program("fail", {}))).toMatchObject({
      refused: "An expression of postfix has no form in JavaScript.",
    });
  });
});
