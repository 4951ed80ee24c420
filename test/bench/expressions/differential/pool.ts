import { Worker } from "node:worker_threads";
import type { Job, Report } from "./job.ts";
import type { Disagreement, Judgement } from "./judge.ts";

/** Receives the events of a run. */
export interface Listener {
  readonly judged: (job: Job, judgements: readonly Judgement[]) => void;
  /** A disagreement as found, and its smallest form. */
  readonly shrunk: (first: Disagreement, smallest: Disagreement) => void;
  /** A program was abandoned because it, or jq, did not terminate. */
  readonly stuck: (job: Job, index: number) => void;
}

const outOfMemory = "ERR_WORKER_OUT_OF_MEMORY";

/** Milliseconds without a message after which a thread is terminated. */
const silence = 10_000;

/** Runs all jobs on the given number of threads. Rejects if a thread crashes. */
export async function runJobs(jobs: readonly Job[], threads: number, listener: Listener): Promise<void> {
  const open = [...jobs];
  const next = () => open.shift();
  await Promise.all(Array.from({ length: Math.min(threads, jobs.length) }, () => work(next, listener)));
}

/** Runs jobs on one thread, replacing it if it hangs. */
async function work(next: () => Job | undefined, listener: Listener): Promise<void> {
  for (let job = next(), worker = startWorker(); ; ) {
    if (!job) {
      await worker.terminate();
      return;
    }
    const rest = await doJob(worker, job, listener);
    if (rest) {
      await worker.terminate();
      worker = startWorker();
    }
    job = rest ?? next();
  }
}

const startWorker = (): Worker =>
  new Worker(new URL("./worker.ts", import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: 1024 } });

/** Returns the rest of the job if the thread hangs. */
function doJob(worker: Worker, job: Job, listener: Listener): Promise<Job | undefined> {
  return new Promise((resolve, reject) => {
    let last = job.from - 1;
    let shrinking: Extract<Report, { readonly smallest: Disagreement }> | undefined;
    const settle = (settled: () => void) => {
      clearTimeout(alarm);
      worker.removeAllListeners("error").removeAllListeners("message");
      settled();
    };
    const giveUp = () => {
      if (shrinking) listener.shrunk(shrinking.first, shrinking.smallest);
      else listener.stuck(job, last + 1);
      settle(() => resolve({ ...job, from: last + (shrinking ? 1 : 2) }));
    };
    const alarm = setTimeout(giveUp, silence);
    worker.on("error", (error) =>
      (error as { code?: string }).code === outOfMemory ? giveUp() : settle(() => reject(error)),
    );
    worker.on("message", (report: Report) => {
      alarm.refresh();
      shrinking = report.kind === "shrinking" ? report : undefined;
      if (report.kind === "judged") last = report.index;
      if (report.kind === "judged") listener.judged(job, report.judgements);
      if (report.kind === "shrunk") listener.shrunk(report.first, report.smallest);
      if (report.kind === "done") settle(() => resolve(undefined));
    });
    worker.postMessage(job);
  });
}
