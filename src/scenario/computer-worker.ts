import { parentPort } from "node:worker_threads";
import type { Expression } from "../expressions/index.ts";
import type { Json } from "../json.ts";
import { computeFirst } from "./compute.ts";

/** A request to the thread: an expression and its input. */
export interface Question {
  readonly expression: Expression;
  readonly input: Json;
}

parentPort?.on("message", ({ expression, input }: Question) =>
  parentPort?.postMessage(computeFirst(expression, input)),
);
