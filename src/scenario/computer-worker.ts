import { parentPort } from "node:worker_threads";
import { EvaluationError, type Expression, evaluate } from "../expressions/index.ts";
import type { Json } from "../json.ts";
import type { Computed } from "./computer.ts";

/** A request to the thread: an expression and its input. */
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
