import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CaseFailure } from "./examine.ts";
import type { CampaignJob, CaseReport } from "./job.ts";

/** The limits of one stage of one case. */
export interface StageLimits {
  /** CPU time, or elapsed time where `/proc` is unavailable. */
  readonly seconds: number;
  readonly megabytes: number;
}

/** The results of a job. */
export interface JobResult {
  readonly reports: readonly CaseReport[];
  /** CPU seconds. */
  readonly seconds: number;
}

/**
 * Runs a job in child processes. A case whose process crashes or is killed is a finding, and a new process continues
 * after it. A case that exceeded memory after others runs again alone; one killed while shrinking is kept unshrunk.
 */
export async function runJob(
  job: Omit<CampaignJob, "progress" | "results">,
  folder: string,
  limits: StageLimits,
  onReport: (report: CaseReport) => void = () => undefined,
): Promise<JobResult> {
  mkdirSync(folder, { recursive: true });
  const reports: CaseReport[] = [];
  let seconds = 0;
  let whole = "";
  for (let left = job.names; left.length > 0; ) {
    const now = left[0] === whole ? { ...job, names: [whole], trials: 0 } : { ...job, names: left };
    const { done, stopped, spent, stderr } = await runProcess(now, folder, limits);
    seconds += spent;
    if (stopped?.stage.startsWith("shrink")) whole = stopped.name;
    else if (stopped && (stopped.failure.kind !== "memory" || stopped.name === left[0]))
      done.push(failedReport(stopped));
    for (const report of done) onReport(report);
    reports.push(...done);
    if (done.length === 0 && !stopped) throw new Error(`The worker did nothing: ${stderr}`);
    if (done.length > 0) left = left.slice(left.indexOf(done.at(-1)!.name) + 1);
  }
  return { reports, seconds };
}

interface WorkerResult {
  readonly done: CaseReport[];
  readonly stopped: { readonly name: string; readonly stage: string; readonly failure: CaseFailure } | undefined;
  readonly spent: number;
  readonly stderr: string;
}

async function runProcess(
  job: Omit<CampaignJob, "progress" | "results">,
  folder: string,
  limits: StageLimits,
): Promise<WorkerResult> {
  const files = { progress: join(folder, "progress.txt"), results: join(folder, "results.jsonl") };
  rmSync(files.results, { force: true });
  writeFileSync(files.progress, "\nstart");
  writeFileSync(join(folder, "job.json"), JSON.stringify({ ...job, ...files }));
  const { failure, seconds, stderr } = await runWorker(join(folder, "job.json"), files.progress, limits);
  const { done, spent } = read(files.results);
  const [name = "", stage = ""] = readFileSync(files.progress, "utf8").split("\n");
  const isStopped = failure && name !== "" && !done.some((report) => report.name === name);
  return { done, stopped: isStopped ? { name, stage, failure } : undefined, spent: Math.max(spent, seconds), stderr };
}

const failedReport = ({ name, stage, failure }: NonNullable<WorkerResult["stopped"]>): CaseReport =>
  reportOf(name, { ...failure, on: stage.split(":")[0]!, message: `${stage}: ${failure.message}` });

const reportOf = (name: string, failure: CaseFailure): CaseReport => ({
  name,
  scenarios: 0,
  tied: 0,
  status: [],
  accepted: [],
  codes: [],
  kinds: [],
  fields: [],
  failures: [failure],
});

function read(path: string): { readonly done: CaseReport[]; readonly spent: number } {
  const lines = existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line.endsWith("}"))
    : [];
  const all = lines.map((line) => JSON.parse(line) as CaseReport | { readonly seconds: number });
  return {
    done: all.flatMap((line) => ("name" in line ? [line] : [])),
    spent: all.reduce((sum, line) => ("seconds" in line ? sum + line.seconds : sum), 0),
  };
}

interface ProcessExit {
  readonly failure: CaseFailure | undefined;
  readonly seconds: number;
  readonly stderr: string;
}

function runWorker(job: string, progress: string, limits: StageLimits): Promise<ProcessExit> {
  // A heap flag would override the limits of the worker threads that the process starts.
  const worker = spawn(
    process.execPath,
    ["--no-warnings", "--expose-gc", join(import.meta.dirname, "worker.ts"), job],
    {
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let stderr = "";
  worker.stderr.on("data", (text: Buffer) => {
    stderr = (stderr + text.toString()).slice(-4000);
  });
  const watch = watchOver(worker, progress, limits);
  return new Promise((resolve) => {
    worker.on("close", (status) => {
      watch.stop();
      const kind = watch.killedFor() ?? (stderr.includes("heap out of memory") ? "memory" : "crash");
      const message =
        kind === "crash" ? stderr.trim().split("\n").slice(0, 8).join("\n") : `more than ${limitOf(kind, limits)}`;
      const failure: CaseFailure | undefined = status === 0 ? undefined : { on: "", kind, message, differences: [] };
      resolve({ failure, seconds: watch.seconds(), stderr });
    });
  });
}

const limitOf = (kind: "hang" | "memory", { seconds, megabytes }: StageLimits): string =>
  kind === "hang" ? `${seconds} seconds of CPU time` : `${megabytes} MB`;

/** Kills a process that exceeds its time or memory in one stage. */
function watchOver(worker: ChildProcess, progress: string, limits: StageLimits) {
  let stage = "";
  let begun = 0;
  let seconds = 0;
  let killedFor: "hang" | "memory" | undefined;
  const began = performance.now();
  const timer = setInterval(() => {
    const usage = usageOf(worker.pid!);
    // A process that has just ended has no usage any more, and its last one stays.
    seconds = usage?.seconds ?? (hasProc ? seconds : (performance.now() - began) / 1000);
    const now = readFileSync(progress, "utf8");
    if (now !== stage) [stage, begun] = [now, seconds];
    killedFor =
      (usage?.megabytes ?? 0) > limits.megabytes * 1.5
        ? "memory"
        : seconds - begun > limits.seconds
          ? "hang"
          : undefined;
    if (killedFor) worker.kill("SIGKILL");
    if (killedFor) clearInterval(timer);
  }, 200);
  return { stop: () => clearInterval(timer), killedFor: () => killedFor, seconds: () => seconds };
}

const hasProc = existsSync("/proc/self/stat");

/** Reads the CPU time and memory of a process from `/proc`. */
function usageOf(pid: number): { readonly seconds: number; readonly megabytes: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    const [user, system, pages] = [11, 12, 21].map((i) => Number(fields[i]));
    return { seconds: (user! + system!) / 100, megabytes: (pages! * 4096) / 2 ** 20 };
  } catch {
    return undefined;
  }
}
