import type { Expression } from "../core/ast.ts";
import type { Builtin, Comparison } from "./builtin.ts";
import { dialectFunctions } from "./dialect.ts";
import { jqFunctions } from "./jq.ts";

export type { Builtin, Closure, Comparison, Outcome, Outputs } from "./builtin.ts";

/** The function of that name and number of arguments. */
export const builtinOf = (name: string, arity: number): Builtin | undefined => builtins.get(`${name}/${arity}`);

/** What a call of a function that compares is, where its operator is written out. */
export const comparisonIn = (expression: Expression): Comparison | undefined =>
  expression.kind === "call"
    ? builtinOf(expression.name, expression.args.length)?.compares?.(expression.args)
    : undefined;

/** What a condition is the opposite of, where it is that of another. */
export const negatedBy = (expression: Expression): Expression | undefined =>
  expression.kind === "call"
    ? builtinOf(expression.name, expression.args.length)?.negates?.(expression.args)
    : undefined;

/** All functions of the core, by `name/arity`. */
export const builtins: ReadonlyMap<string, Builtin> = new Map(
  [...jqFunctions, ...dialectFunctions].map((builtin) => [`${builtin.name}/${builtin.arity}`, builtin]),
);
