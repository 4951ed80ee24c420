import { parentPort } from "node:worker_threads";
import { loadJq } from "jq-wasm";

/** What the worker is asked: a program, and what to run it on. */
export interface JqQuestion {
  readonly program: string;
  readonly input: unknown;
}

/** Runs jq programs one at a time, so that one that never ends can be stopped with its thread. */
const jq = await loadJq();
parentPort?.on("message", ({ program, input }: JqQuestion) => {
  const text = input === null ? "null" : typeof input === "string" ? JSON.stringify(input) : (input as object | number | boolean);
  parentPort?.postMessage(jq.raw(text, program, ["-c"]));
});
