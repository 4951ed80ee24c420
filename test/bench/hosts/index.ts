import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type PostgresServer, startPostgres } from "../../hosts/postgres.ts";
import { runtimeFolder } from "../../hosts/runtime-folder.ts";
import { median } from "../measure.ts";
import type { BenchmarkRow } from "../row.ts";
import type { HostTask } from "./emitted.ts";
import { lambdaRows } from "./lambda.ts";

/** The measurement of one process. */
export interface ProcessMeasurement {
  readonly seconds: number;
  readonly cpu: number;
  /** MiB. */
  readonly memory: number;
  readonly event?: number;
  /** Milliseconds until the engine was open. */
  readonly open: number;
}

/** Programs on hosts with several machines. */
export const hostRows = async (): Promise<readonly BenchmarkRow[]> => [...(await dbosRows()), ...(await lambdaRows())];

/**
 * Emitted programs on DBOS, with a PostgreSQL that syncs to disk, compared with hand-written ones and across several
 * processes.
 */
async function dbosRows(): Promise<readonly BenchmarkRow[]> {
  const server = await startPostgres({ isSynced: true });
  try {
    return [
      ...(await byHandRows(server, "one run", 1, 400)),
      ...(await byHandRows(server, "1,000 runs", 1000, 5)),
      ...(await severalProcesses(server)),
      ...(await waiting(server)),
    ];
  } finally {
    await server.stop();
  }
}

async function byHandRows(
  server: PostgresServer,
  name: string,
  runs: number,
  steps: number,
): Promise<readonly BenchmarkRow[]> {
  const work = { runs, steps };
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let i = 0; i < 5; i++) {
    for (const [task, times] of [["engine", ours] as const, ["byHand", theirs] as const]) {
      const [measured] = await processes(await server.createDatabase(), 1, { task, ...work });
      times.push((measured!.seconds / (runs * steps)) * 1000);
    }
  }
  const [emitted, byHand] = [median(ours), median(theirs)];
  const parts = { "ms per step": emitted, "by hand": byHand, "steps/s": 1000 / emitted };
  return [{ name: `dbos / by hand on DBOS, ${name}`, value: emitted / byHand, limit: 1.3, unit: "×", parts }];
}

async function severalProcesses(server: PostgresServer): Promise<readonly BenchmarkRow[]> {
  const [runs, steps] = [800, 5];
  const results: { readonly task: string; readonly count: number; readonly cpu: number; readonly rate: number }[] = [];
  for (let i = 0; i < 5; i++) {
    for (const count of [1, 2, 4]) {
      for (const task of count === 4 ? (["engine"] as const) : (["engine", "byHand"] as const)) {
        const all = await processes(await server.createDatabase(), count, { task, runs: runs / count, steps });
        const cpu = (all.reduce((sum, each) => sum + each.cpu, 0) / (runs * steps)) * 1000;
        results.push({ task, count, cpu, rate: (runs * steps) / Math.max(...all.map((each) => each.seconds)) });
      }
    }
  }
  const costOf = (task: string, count: number) => {
    const all = results.filter((each) => each.task === task && each.count === count);
    return { cpu: median(all.map(({ cpu }) => cpu)), rate: median(all.map(({ rate }) => rate)) };
  };
  const one = costOf("engine", 1);
  const byHand = costOf("byHand", 2).cpu / costOf("byHand", 1).cpu;
  return [2, 4].map((count) => {
    const { cpu, rate } = costOf("engine", count);
    const parts = { "ms per step": cpu, "one process": one.cpu, "steps/s": rate, "one process, steps/s": one.rate };
    const name = `dbos, CPU time per step, ${count} processes / one`;
    const comparison = count === 2 ? { "by hand, two / one": byHand } : {};
    return {
      name,
      value: cpu / one.cpu,
      limit: count === 2 ? 1.2 : 1.6,
      unit: "×",
      parts: { ...parts, ...comparison },
    };
  });
}

async function waiting(server: PostgresServer): Promise<readonly BenchmarkRow[]> {
  const [store, runs] = [await server.createDatabase(), 10_000];
  const [fill] = await processes(store, 1, { task: "wait", runs, steps: 0 });
  const [measured] = await processes(store, 1, { task: "events", runs, steps: 0 });
  const [empty] = await processes(await server.createDatabase(), 1, { task: "engine", runs: 0, steps: 0 });
  const parts = { "start, s": fill!.seconds };
  return [
    { name: "dbos, open a new database", value: empty!.open, limit: 3000, unit: "ms", parts: {} },
    { name: `dbos, open with ${runs} runs waiting`, value: measured!.open, limit: 3000, unit: "ms", parts },
    { name: `dbos, memory with ${runs} runs waiting`, value: measured!.memory, limit: 700, unit: "MiB", parts: {} },
    { name: "dbos, event in to next step", value: measured!.event!, limit: 20, unit: "ms", parts: {} },
  ];
}

type TaskSize = Pick<HostTask, "task" | "runs" | "steps">;

/** Starts the task in all processes once all are open. */
async function processes(store: string, count: number, work: TaskSize): Promise<readonly ProcessMeasurement[]> {
  const begun: { readonly child: ChildProcess; readonly lines: AsyncIterator<string>; readonly open: number }[] = [];
  for (let i = 0; i < count; i++) {
    const request: HostTask = { runtime: runtimeFolder(), store, name: `p${i}`, ...work };
    const start = performance.now();
    const child = spawn(
      process.execPath,
      ["--no-warnings", join(import.meta.dirname, "child.ts"), JSON.stringify(request)],
      { stdio: ["pipe", "pipe", "inherit"] },
    );
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    await lines.next();
    begun.push({ child, lines, open: performance.now() - start });
  }
  const measurements = begun.map(async ({ child, lines, open }) => {
    child.stdin!.write("go\n");
    const { value } = (await lines.next()) as { readonly value?: string };
    if (value === undefined) throw new Error("A process exited without a result.");
    const ended = new Promise((resolve) => child.once("exit", resolve));
    return { ...(JSON.parse(value) as Omit<ProcessMeasurement, "open">), open, ended };
  });
  const all = await Promise.all(measurements);
  await Promise.all(all.map(({ ended }) => ended));
  return all;
}
