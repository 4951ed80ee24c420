import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Expression } from "../expressions/index.ts";
import type { Json } from "../json.ts";

/** Evaluates what functions compute in a thread of its own, so that what never ends can be stopped. */
export interface Computer {
  /** The first output of an expression for an input, or what it failed with. Rejects when it takes more than ten seconds. */
  compute(expression: Expression, input: Json): Promise<Computed>;
  close(): Promise<void>;
}

/** What came of an evaluation. */
export type Computed = { readonly value: Json } | { readonly thrown: Json };

/** Starts the thread when it is first needed. */
export function createComputer(): Computer {
  let worker: Worker | undefined;
  return {
    async compute(expression, input) {
      worker ??= new Worker(
        new URL(import.meta.url.endsWith(".ts") ? "./computer-worker.ts" : "./computer-worker.js", import.meta.url),
      );
      worker.postMessage({ expression, input });
      const stop = AbortSignal.timeout(10_000);
      try {
        const [computed] = (await once(worker, "message", { signal: stop })) as [Computed];
        return computed;
      } catch (error) {
        await worker.terminate();
        worker = undefined;
        throw stop.aborted ? new Error("A `computes` of a scenario took more than ten seconds.") : error;
      }
    },
    close: async () => void (await worker?.terminate()),
  };
}
