import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { CommandError, type ExitStatus } from "./terminal.ts";
import type { ScenarioJob, TestRun } from "./test-run.ts";

/** A piece of work for another thread. */
export type Job = ScenarioJob;

/** The result of a job, or the message of a command error. */
export type JobResult =
  | { readonly kind: "done"; readonly value: TestRun }
  | { readonly kind: "failed"; readonly message: string; readonly status: ExitStatus };

/** Runs jobs on up to `size` threads; returns their results in order. The first error stops all. */
export async function runJobs(
  jobs: readonly Job[],
  size: number,
  onDone: (count: number) => void,
): Promise<readonly TestRun[]> {
  const results: TestRun[] = [];
  const workers = Array.from({ length: Math.min(size, jobs.length) }, createWorker);
  let [next, done] = [0, 0];
  const runNext = async (worker: Worker): Promise<void> => {
    for (let i = next++; i < jobs.length; i = next++) {
      worker.postMessage(jobs[i]);
      const [result] = (await once(worker, "message")) as [JobResult];
      if (result.kind === "failed") throw new CommandError(result.message, result.status);
      results[i] = result.value;
      done += 1;
      onDone(done);
    }
  };
  try {
    await Promise.all(workers.map(runNext));
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return results;
}

const createWorker = (): Worker =>
  new Worker(new URL(import.meta.url.endsWith(".ts") ? "./job-worker.ts" : "./job-worker.cjs", import.meta.url));
