import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { BuildJob, BuildReport } from "./build-report.ts";
import { CommandError, type ExitStatus } from "./terminal.ts";
import type { ScenarioJob, TestRun } from "./test-run.ts";

/** A piece of work that another thread can do, and its result. */
interface JobTypes {
  readonly build: { readonly job: BuildJob; readonly value: BuildReport };
  readonly scenarios: { readonly job: ScenarioJob; readonly value: TestRun };
}

/** The kinds of jobs. */
export type JobKind = keyof JobTypes;

/** A job of a kind. */
export type Job<Kind extends JobKind = JobKind> = JobTypes[Kind]["job"];

/** The value of a job of a kind. */
export type JobValue<Kind extends JobKind = JobKind> = JobTypes[Kind]["value"];

/** The result of a job, or the message of a command error. */
export type JobResult<Kind extends JobKind = JobKind> =
  | { readonly kind: "done"; readonly value: JobValue<Kind> }
  | { readonly kind: "failed"; readonly message: string; readonly status: ExitStatus };

/** The number of threads without `--jobs`. */
export const defaultJobs = (): number => Math.min(8, availableParallelism());

/** Work that this thread begins, and shares with others if it takes long. */
export interface SharedWork<Kind extends JobKind, Item> {
  readonly items: readonly Item[];
  /** The number of threads. */
  readonly jobs: number;
  perform(item: Item): Promise<JobValue<Kind>>;
  /** Undefined for an item that only this thread can do. */
  jobOf(item: Item): Job<Kind> | undefined;
  onProgress?(done: number, total: number): void;
  /** Whether to stop after a result. */
  endsWith?(value: JobValue<Kind>): boolean;
}

/** The time, in milliseconds, that this thread works alone, and that the rest must take to be shared. */
const soloMs = 300;
const sharedMs = 2_000;

/** Does all work; returns the results in the order of the items. */
export async function shareWork<Kind extends JobKind, Item>(
  work: SharedWork<Kind, Item>,
): Promise<readonly JobValue<Kind>[]> {
  const { items, jobs, onProgress } = work;
  const results: JobValue<Kind>[] = [];
  const start = performance.now();
  let count = 0;
  const performHere = async (index: number): Promise<void> => {
    results[index] = await work.perform(items[index]!);
    count += 1;
    onProgress?.(count, items.length);
  };
  let next = 0;
  for (; next < items.length; next += 1) {
    if (jobs > 1 && isWorthSharing(performance.now() - start, next, items.length)) break;
    await performHere(next);
    if (work.endsWith?.(results[next]!)) return results;
  }
  const rest = items.slice(next).map((item, i) => ({ index: next + i, job: work.jobOf(item) }));
  const shared = rest.flatMap(({ index, job }) => (job ? [{ index, job }] : []));
  for (const { index, job } of rest) if (!job) await performHere(index);
  const values = await runJobs<Kind>(
    shared.map(({ job }) => job),
    jobs,
    () => {
      count += 1;
      onProgress?.(count, items.length);
    },
  );
  for (const [i, { index }] of shared.entries()) results[index] = values[i]!;
  return results;
}

/** Starting a worker takes time, too. */
const isWorthSharing = (elapsedMs: number, done: number, total: number): boolean =>
  total - done > 1 && elapsedMs > soloMs && (elapsedMs / done) * (total - done) > sharedMs;

/** Runs jobs on up to `size` threads; returns their results in order. The first error stops all. */
export async function runJobs<Kind extends JobKind>(
  jobs: readonly Job<Kind>[],
  size: number,
  onDone: () => void,
): Promise<readonly JobValue<Kind>[]> {
  const results: JobValue<Kind>[] = [];
  const workers = Array.from({ length: Math.min(size, jobs.length) }, createWorker);
  let next = 0;
  const runNext = async (worker: Worker): Promise<void> => {
    for (let i = next++; i < jobs.length; i = next++) {
      worker.postMessage(jobs[i]);
      const [result] = (await once(worker, "message")) as [JobResult<Kind>];
      if (result.kind === "failed") throw new CommandError(result.message, result.status);
      results[i] = result.value;
      onDone();
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
