import type { Expression } from "../../../../src/expressions/core/ast.ts";
import { collect } from "../../../../src/expressions/core/build.ts";
import { evaluateAll } from "../../../../src/expressions/evaluate/evaluate.ts";
import { EvaluationError, errorOf } from "../../../../src/expressions/evaluate/failure.ts";
import { outputs } from "../../../../src/expressions/facts/facts.ts";
import type { Json, JsonObject } from "../../../../src/json.ts";
import { parseErrorMarker } from "../../../../targets/asl/jsonata/index.ts";
import { StateError } from "../../../../targets/asl/run/environment.ts";
import { createEvaluator } from "../../../../targets/asl/run/evaluator.ts";

/** How variables are written in these tests. */
export const environment = (name: string): string =>
  name === "data" ? "$states.input" : name === "y" ? "$states.result" : name === "id" ? "$uuid()" : `$${name}`;

/** An expression with exactly one output: itself, or all outputs of it. */
export const one = (expression: Expression): Expression =>
  outputs(expression) === "one" ? expression : collect(expression);

/** What became of an expression, as text: its value, or the name and message that it failed with. */
export type Result = string;

/** What the evaluator of the core gives. */
export function expected(expression: Expression, variables: ReadonlyMap<string, Json>): Result {
  try {
    const values = evaluateAll(expression, { input: null, variables });
    return values.map((value) => JSON.stringify(value)).join(" ");
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const { name, message } = errorOf(error.value);
    return `${name}: ${message}`;
  }
}

/** What Step Functions, as it is executed here, gives for the value of a field. */
export async function actual(template: Json, variables: ReadonlyMap<string, Json>): Promise<Result> {
  let calls = 0;
  const evaluator = createEvaluator({ uuid: () => `id-${++calls}` } as Parameters<typeof createEvaluator>[0]);
  const states = JSON.parse(JSON.stringify({ input: variables.get("data"), result: variables.get("y") })) as JsonObject;
  try {
    return JSON.stringify(
      await evaluator.field("Output", template, {
        states,
        variables: { own: new Map(variables), outer: undefined },
        state: "S",
      }),
    );
  } catch (error) {
    if (!(error instanceof StateError)) throw error;
    const marked = parseErrorMarker(error.cause ?? "");
    return marked ? `${marked.name}: ${marked.message}` : `unmarked: ${error.cause}`;
  }
}
