import type { Expression } from "../core/ast.ts";
import type { Builtin, Comparison } from "./builtin.ts";
import { dialectFunctions } from "./dialect.ts";
import { jqFunctions } from "./jq.ts";
import { forms, operators } from "./operators.ts";

export type { Builtin, CallOutcome, Closure, Comparison, Outputs } from "./builtin.ts";

/** The builtin of that name and arity. */
export const builtinOf = (name: string, arity: number): Builtin | undefined => builtins.get(`${name}/${arity}`);

/** The operator and operands of a comparison builtin. */
export const comparisonOf = (expression: Expression): Comparison | undefined =>
  expression.kind === "call"
    ? builtinOf(expression.name, expression.args.length)?.comparison?.(expression.args)
    : undefined;

/** The condition that an expression negates. */
export const negatedCondition = (expression: Expression): Expression | undefined =>
  expression.kind === "call"
    ? builtinOf(expression.name, expression.args.length)?.negated?.(expression.args)
    : undefined;

/** All builtins, by `name/arity`. */
export const builtins: ReadonlyMap<string, Builtin> = new Map(
  [...operators, ...forms, ...jqFunctions, ...dialectFunctions].map((builtin) => [
    `${builtin.name}/${builtin.arity}`,
    builtin,
  ]),
);
