import type { Expression } from "../../../src/expressions/ast.ts";
import { object, variable } from "../../../src/expressions/build.ts";
import { simplify } from "../../../src/expressions/simplify.ts";
import { substitute } from "../../../src/expressions/substitute.ts";
import { childrenOf } from "../../../src/expressions/walk.ts";

/** Names of what Step Functions itself provides, as variables of expressions. No variable of a workflow has a quote in its name. */
export const provided = {
  input: "input'",
  result: "result'",
  errorOrigin: "error origin'",
  errorName: "error name'",
  errorMessage: "error message'",
  errorData: "error data'",
  element: "element'",
  index: "index'",
  uuid: "uuid'",
  now: "now'",
  run: "run'",
} as const;

/** What the variables of a scope are worth at one point, as expressions over what is there when a state is entered. */
export interface Symbols {
  readonly values: ReadonlyMap<string, Expression>;
}

/** An expression over variables, as one over what is there. */
export function resolve(expression: Expression, { values }: Symbols): Expression {
  return simplify(substitute(expression, values));
}

/** The symbols after variables have been given new values, all computed from the old ones. */
export function assign(symbols: Symbols, values: readonly { readonly variable: string; readonly value: Expression }[]): Symbols {
  const next = new Map(symbols.values);
  for (const { variable: name, value } of values) next.set(name, resolve(value, symbols));
  return { values: next };
}

/** The symbols with one variable standing for an expression that is there. */
export function withValue({ values }: Symbols, name: string | undefined, value: Expression): Symbols {
  return name === undefined ? { values } : { values: new Map([...values, [name, value]]) };
}

/** Whether an expression just is what is provided under a name. */
export const isProvided = (expression: Expression | undefined, name: string): boolean => expression?.kind === "variable" && expression.name === name;

/** The error in a catcher, as an object of its members; without data these are null. */
export const caughtError: Expression = object([
  ["origin", variable(provided.errorOrigin)],
  ["name", variable(provided.errorName)],
  ["message", variable(provided.errorMessage)],
  ["data", variable(provided.errorData)],
]);

/** The document as a state is entered with it. */
export const inputDocument: Expression = variable(provided.input);

const weights = new WeakMap<Expression, { readonly size: number; readonly depth: number }>();

/** How much an expression holds: what is folded into one field must stay readable, and far under the depth that Step Functions allows. */
export function isLarge(expression: Expression): boolean {
  const { size, depth } = weightOf(expression);
  return size > 200 || depth > 30;
}

function weightOf(expression: Expression): { readonly size: number; readonly depth: number } {
  const known = weights.get(expression);
  if (known) return known;
  let size = 1;
  let depth = 0;
  for (const child of childrenOf(expression)) {
    const weight = weightOf(child.expression);
    size += weight.size;
    depth = Math.max(depth, weight.depth);
  }
  const weight = { size, depth: depth + 1 };
  weights.set(expression, weight);
  return weight;
}
