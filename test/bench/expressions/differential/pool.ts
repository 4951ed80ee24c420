import { Worker } from "node:worker_threads";
import type { DifferentialJob, WorkerMessage } from "./job.ts";
import type { Disagreement, ProgramJudgment } from "./judge.ts";

/** Receives the events of a run. */
export interface DifferentialListener {
  readonly judged: (job: DifferentialJob, judgements: readonly ProgramJudgment[]) => void;
  /** A disagreement as found, and its smallest form. */
  readonly shrunk: (first: Disagreement, smallest: Disagreement) => void;
  /** A program was abandoned because it, or jq, did not terminate. */
  readonly stuck: (job: DifferentialJob, index: number) => void;
}

const outOfMemory = "ERR_WORKER_OUT_OF_MEMORY";

/** Milliseconds without a message after which a thread is terminated. */
const maxSilence = 10_000;

/** Runs all jobs on the given number of threads. Rejects if a thread crashes. */
export async function runJobs(
  jobs: readonly DifferentialJob[],
  threads: number,
  listener: DifferentialListener,
): Promise<void> {
  const open = [...jobs];
  const next = () => open.shift();
  await Promise.all(Array.from({ length: Math.min(threads, jobs.length) }, () => runThread(next, listener)));
}

/** Runs jobs on one thread, replacing it if it hangs. */
async function runThread(next: () => DifferentialJob | undefined, listener: DifferentialListener): Promise<void> {
  for (let job = next(), worker = startWorker(); ; ) {
    if (!job) {
      await worker.terminate();
      return;
    }
    const rest = await runJob(worker, job, listener);
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
function runJob(
  worker: Worker,
  job: DifferentialJob,
  listener: DifferentialListener,
): Promise<DifferentialJob | undefined> {
  return new Promise((resolve, reject) => {
    let last = job.from - 1;
    let shrinking: Extract<WorkerMessage, { readonly smallest: Disagreement }> | undefined;
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
    const alarm = setTimeout(giveUp, maxSilence);
    worker.on("error", (error) =>
      (error as { code?: string }).code === outOfMemory ? giveUp() : settle(() => reject(error)),
    );
    worker.on("message", (report: WorkerMessage) => {
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
