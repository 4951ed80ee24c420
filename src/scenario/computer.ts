import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Expression } from "../expressions/index.ts";
import { scriptModule } from "../ir/scripts.ts";
import type { Workflow } from "../ir/workflow.ts";
import type { Json } from "../json.ts";
import { runInWorker, type ScriptWorker, type WorkerResult } from "../worker.ts";
import type { Computed } from "./compute.ts";

/** Evaluates computed results in worker threads, so that endless evaluations can be stopped. */
export interface Computer {
  /** Evaluates an expression to its first output or its error. Rejects after a minute. */
  compute(expression: Expression, input: Json): Promise<Computed>;
  /** Calls a function whose source is part of a workflow. */
  run(workflow: Workflow, name: string, argument: Json): WorkerResult;
  close(): Promise<void>;
}

/** The number of threads with functions of definitions that are kept, for the most recently used workflows. */
const mostThreads = 2;

/** Creates a computer that starts its threads on first use. */
export function createComputer(): Computer {
  let worker: Worker | undefined;
  const threads = new Map<Workflow, ScriptWorker>();
  return {
    async compute(expression, input) {
      worker ??= new Worker(
        new URL(import.meta.url.endsWith(".ts") ? "./computer-worker.ts" : "./computer-worker.cjs", import.meta.url),
      );
      worker.postMessage({ expression, input });
      const stop = AbortSignal.timeout(60_000);
      try {
        const [computed] = (await once(worker, "message", { signal: stop })) as [Computed];
        return computed;
      } catch (error) {
        await worker.terminate();
        worker = undefined;
        throw stop.aborted ? new Error("A `computes` of a scenario took more than a minute.") : error;
      }
    },
    run(workflow, name, argument) {
      const { text, names } = scriptModule(workflow.functions);
      const thread = threads.get(workflow) ?? runInWorker(text);
      threads.delete(workflow);
      for (const [other, idle] of [...threads].slice(0, 1 - mostThreads)) {
        idle.close();
        threads.delete(other);
      }
      threads.set(workflow, thread);
      return thread.call(names.get(name)!, argument);
    },
    async close() {
      for (const thread of threads.values()) thread.close();
      await worker?.terminate();
    },
  };
}
