import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Fault } from "./examine.ts";
import type { Job, Report } from "./job.ts";

/** The limits of one stage of one case. */
export interface Limits {
  /** CPU time, or elapsed time where `/proc` is unavailable. */
  readonly seconds: number;
  readonly megabytes: number;
}

/** The results of a job. */
export interface Watched {
  readonly reports: readonly Report[];
  /** CPU seconds. */
  readonly seconds: number;
}

/**
 * Runs a job in child processes. A case whose process crashes or is killed is a finding, and a new process continues
 * after it. A case that exceeded memory after others runs again alone; one killed while shrinking is kept unshrunk.
 */
export async function watched(
  job: Omit<Job, "progress" | "results">,
  folder: string,
  limits: Limits,
  heard: (report: Report) => void = () => undefined,
): Promise<Watched> {
  mkdirSync(folder, { recursive: true });
  const reports: Report[] = [];
  let seconds = 0;
  let whole = "";
  for (let left = job.names; left.length > 0; ) {
    const now = left[0] === whole ? { ...job, names: [whole], trials: 0 } : { ...job, names: left };
    const { done, stopped, spent, said } = await worked(now, folder, limits);
    seconds += spent;
    if (stopped?.stage.startsWith("shrink")) whole = stopped.name;
    else if (stopped && (stopped.fault.kind !== "memory" || stopped.name === left[0])) done.push(faulty(stopped));
    for (const report of done) heard(report);
    reports.push(...done);
    if (done.length === 0 && !stopped) throw new Error(`The worker did nothing: ${said}`);
    if (done.length > 0) left = left.slice(left.indexOf(done.at(-1)!.name) + 1);
  }
  return { reports, seconds };
}

interface Worked {
  readonly done: Report[];
  readonly stopped: { readonly name: string; readonly stage: string; readonly fault: Fault } | undefined;
  readonly spent: number;
  readonly said: string;
}

async function worked(job: Omit<Job, "progress" | "results">, folder: string, limits: Limits): Promise<Worked> {
  const files = { progress: join(folder, "progress.txt"), results: join(folder, "results.jsonl") };
  rmSync(files.results, { force: true });
  writeFileSync(files.progress, "\nstart");
  writeFileSync(join(folder, "job.json"), JSON.stringify({ ...job, ...files }));
  const { fault, seconds, said } = await ending(join(folder, "job.json"), files.progress, limits);
  const { done, spent } = read(files.results);
  const [name = "", stage = ""] = readFileSync(files.progress, "utf8").split("\n");
  const isStopped = fault && name !== "" && !done.some((report) => report.name === name);
  return { done, stopped: isStopped ? { name, stage, fault } : undefined, spent: Math.max(spent, seconds), said };
}

const faulty = ({ name, stage, fault }: NonNullable<Worked["stopped"]>): Report =>
  reportOf(name, { ...fault, on: stage.split(":")[0]!, message: `${stage}: ${fault.message}` });

const reportOf = (name: string, fault: Fault): Report => ({
  name,
  scenarios: 0,
  status: [],
  accepted: [],
  codes: [],
  kinds: [],
  fields: [],
  faults: [fault],
});

function read(path: string): { readonly done: Report[]; readonly spent: number } {
  const lines = existsSync(path)
    ? readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line.endsWith("}"))
    : [];
  const all = lines.map((line) => JSON.parse(line) as Report | { readonly seconds: number });
  return {
    done: all.flatMap((line) => ("name" in line ? [line] : [])),
    spent: all.reduce((sum, line) => ("seconds" in line ? sum + line.seconds : sum), 0),
  };
}

interface Ending {
  readonly fault: Fault | undefined;
  readonly seconds: number;
  readonly said: string;
}

function ending(job: string, progress: string, limits: Limits): Promise<Ending> {
  // A heap flag would override the limits of the worker threads that the process starts.
  const worker = spawn(
    process.execPath,
    ["--no-warnings", "--expose-gc", join(import.meta.dirname, "worker.ts"), job],
    {
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let said = "";
  worker.stderr.on("data", (text: Buffer) => {
    said = (said + text.toString()).slice(-4000);
  });
  const watch = watchOver(worker, progress, limits);
  return new Promise((resolve) => {
    worker.on("close", (status) => {
      watch.stop();
      const kind = watch.killedFor() ?? (said.includes("heap out of memory") ? "memory" : "crash");
      const message =
        kind === "crash" ? said.trim().split("\n").slice(0, 8).join("\n") : `more than ${limitOf(kind, limits)}`;
      const fault: Fault | undefined = status === 0 ? undefined : { on: "", kind, message, differences: [] };
      resolve({ fault, seconds: watch.seconds(), said });
    });
  });
}

const limitOf = (kind: "hang" | "memory", { seconds, megabytes }: Limits): string =>
  kind === "hang" ? `${seconds} seconds of CPU time` : `${megabytes} MB`;

/** Kills a process that exceeds its time or memory in one stage. */
function watchOver(worker: ChildProcess, progress: string, limits: Limits) {
  let stage = "";
  let begun = 0;
  let seconds = 0;
  let killedFor: "hang" | "memory" | undefined;
  const began = performance.now();
  const timer = setInterval(() => {
    const usage = usageOf(worker.pid!);
    seconds = usage?.seconds ?? (performance.now() - began) / 1000;
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
