import { parentPort } from "node:worker_threads";
import type { Expression } from "../expressions/core/ast.ts";
import { evaluate } from "../expressions/evaluate/evaluate.ts";
import { EvaluationError } from "../expressions/evaluate/failure.ts";
import type { Json } from "../json.ts";
import type { Computed } from "./computer.ts";

/** What the thread is asked: an expression, and what to evaluate it for. */
export interface Question {
  readonly expression: Expression;
  readonly input: Json;
}

parentPort?.on("message", (question: Question) => parentPort?.postMessage(answer(question)));

function answer({ expression, input }: Question): Computed {
  try {
    for (const value of evaluate(expression, { input, variables: new Map() })) return { value };
    return { thrown: { name: "ComputesFailed", message: "The `computes` gives no value." } };
  } catch (error) {
    if (error instanceof EvaluationError) return { thrown: error.value };
    throw error;
  }
}
