import { EvaluationError, type Expression, evaluate } from "../expressions/index.ts";
import type { Json } from "../json.ts";

/** The result of an evaluation. */
export type Computed = { readonly value: Json } | { readonly thrown: Json };

/** Evaluates an expression to its first output or its error. */
export function computeFirst(expression: Expression, input: Json): Computed {
  try {
    for (const value of evaluate(expression, { input, variables: new Map() })) return { value };
    return { thrown: { name: "ComputesFailed", message: "The `computes` gives no value." } };
  } catch (error) {
    if (error instanceof EvaluationError) return { thrown: error.value };
    throw error;
  }
}
