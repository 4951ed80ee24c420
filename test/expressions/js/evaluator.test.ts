import fc from "fast-check";
import { expect, test } from "vitest";
import type { Expression } from "../../../src/expressions/core/ast.ts";
import { evaluateAll } from "../../../src/expressions/interpreter/evaluate.ts";
import { EvaluationError } from "../../../src/expressions/library/failure.ts";
import { toJson } from "../../../src/expressions/library/json-text.ts";
import type { Json } from "../../../src/json.ts";
import { expression, json, names } from "../random.ts";
import { run } from "./running.ts";

/** The result of the reference interpreter. */
function evaluated(tree: Expression, input: Json, variables: readonly Json[]): string {
  try {
    return toJson(evaluateAll(tree, { input, variables: new Map(names.map((name, i) => [name, variables[i]!])) }));
  } catch (error) {
    if (error instanceof EvaluationError) return `fails with ${toJson(error.value)}`;
    throw error;
  }
}

test("any core expression, including dialect functions and JSONPath, matches the reference interpreter", {
  timeout: 60_000,
}, () => {
  const inputs = fc.tuple(expression, json, fc.tuple(json, json, json));
  fc.assert(
    fc.property(inputs, ([tree, input, variables]) => {
      const outcome = run(tree, input, variables, names);
      const got =
        "outputs" in outcome
          ? toJson(outcome.outputs)
          : "failed" in outcome
            ? `fails with ${toJson(outcome.failed)}`
            : outcome;
      expect(got).toBe(evaluated(tree, input, variables));
    }),
    { seed: 20_240_611, numRuns: 1500 },
  );
});
