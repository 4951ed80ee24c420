import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Json, JsonObject } from "../json.ts";

/** Runs the jq programs of `computes` in a thread of their own. */
export interface Jq {
  /** The value that a program gives for an input, or what it threw. Rejects when it takes more than ten seconds. */
  compute(program: string, input: Json): Promise<{ readonly value: Json } | { readonly thrown: Json }>;
  /** What is wrong with a program, if it is none; it is read, and not run. */
  fault(program: string): Promise<string | undefined>;
  close(): Promise<void>;
}

interface Reply {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** Starts the thread when it is first needed. */
export function createJq(): Jq {
  let worker: Worker | undefined;
  const ask = async (program: string, input: Json): Promise<Reply> => {
    worker ??= new Worker(new URL(import.meta.url.endsWith(".ts") ? "./jq-worker.ts" : "./jq-worker.js", import.meta.url));
    worker.postMessage({ program, input });
    const stop = AbortSignal.timeout(10_000);
    try {
      const [reply] = (await once(worker, "message", { signal: stop })) as [Reply];
      return reply;
    } catch (error) {
      await worker.terminate();
      worker = undefined;
      throw stop.aborted ? new Error("A `computes` of a scenario took more than ten seconds.") : error;
    }
  };
  return {
    async compute(program, input) {
      const { stdout, stderr } = await ask(`try {value: (\n${program}\n)} catch {thrown: .}`, input);
      const [line] = stdout.trim().split("\n");
      if (!line) return { thrown: { name: "ComputesFailed", message: stderr.trim() || "The `computes` gives no value." } };
      const answer = JSON.parse(line) as JsonObject;
      return Object.hasOwn(answer, "value") ? { value: answer["value"]! } : { thrown: answer["thrown"]! };
    },
    async fault(program) {
      const { stderr, exitCode } = await ask(`empty as $waybill | ${program}`, null);
      return exitCode === 3 || exitCode === 2
        ? (stderr.split("\n")[0] ?? "").replace(/^jq: error: /, "").replace(/ at <top-level>.*| at <unknown>.*/, "")
        : undefined;
    },
    close: async () => void (await worker?.terminate()),
  };
}
