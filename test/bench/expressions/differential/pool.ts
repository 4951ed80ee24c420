import { Worker } from "node:worker_threads";
import type { Job, Report } from "./job.ts";
import type { Disagreement, Judgement } from "./judge.ts";

/** Who is told what happens in a run. */
export interface Listener {
  readonly judged: (job: Job, judgements: readonly Judgement[]) => void;
  /** The disagreement of a program that was told first, and the smallest that was made of it. */
  readonly shrunk: (first: Disagreement, smallest: Disagreement) => void;
  /** A program was given up: it ran, or jq did, without an end in sight. */
  readonly stuck: (job: Job, index: number) => void;
}

const outOfMemory = "ERR_WORKER_OUT_OF_MEMORY";

/** The milliseconds after which a thread that says nothing is ended. */
const silence = 10_000;

/** Does all jobs in so many threads. Rejects when a thread breaks down. */
export async function runJobs(jobs: readonly Job[], threads: number, listener: Listener): Promise<void> {
  const open = [...jobs];
  const next = () => open.shift();
  await Promise.all(Array.from({ length: Math.min(threads, jobs.length) }, () => work(next, listener)));
}

/** A thread, and those that take its place, until no job is left. */
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

/** Gives what is left of a job when its thread got stuck. */
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
