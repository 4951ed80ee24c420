import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { runtimePlace } from "../../hosts/place.ts";
import { type Postgres, startPostgres } from "../../hosts/postgres.ts";
import { median } from "../durable/times.ts";
import type { Row } from "../row.ts";
import type { Asked } from "./emitted.ts";
import { lambdaRows } from "./lambda.ts";

/** The measurement of one process. */
interface Told {
  readonly seconds: number;
  readonly cpu: number;
  /** MiB. */
  readonly memory: number;
  readonly event?: number;
  /** Milliseconds until the engine was open. */
  readonly open: number;
}

/** Programs on hosts with several machines. */
export const hostRows = async (): Promise<readonly Row[]> => [...(await dbosRows()), ...(await lambdaRows())];

/**
 * Emitted programs on DBOS, with a PostgreSQL that syncs to disk, compared with hand-written ones and across several
 * processes.
 */
async function dbosRows(): Promise<readonly Row[]> {
  const server = await startPostgres({ isSynced: true });
  try {
    return [
      ...(await besideByHand(server, "one run", 1, 400)),
      ...(await besideByHand(server, "1,000 runs", 1000, 5)),
      ...(await severalProcesses(server)),
      ...(await waiting(server)),
    ];
  } finally {
    await server.stop();
  }
}

async function besideByHand(server: Postgres, name: string, runs: number, steps: number): Promise<readonly Row[]> {
  const work = { runs, steps };
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let i = 0; i < 5; i++) {
    for (const [task, times] of [["engine", ours] as const, ["byHand", theirs] as const]) {
      const [told] = await processes(await server.database(), 1, { task, ...work });
      times.push((told!.seconds / (runs * steps)) * 1000);
    }
  }
  const [emitted, byHand] = [median(ours), median(theirs)];
  const parts = { "ms per step": emitted, "by hand": byHand, "steps/s": 1000 / emitted };
  return [{ name: `dbos / by hand on DBOS, ${name}`, value: emitted / byHand, limit: 1.3, unit: "×", parts }];
}

async function severalProcesses(server: Postgres): Promise<readonly Row[]> {
  const [runs, steps] = [800, 5];
  const measured: { readonly task: string; readonly count: number; readonly cpu: number; readonly rate: number }[] = [];
  for (let i = 0; i < 5; i++) {
    for (const count of [1, 2, 4]) {
      for (const task of count === 4 ? (["engine"] as const) : (["engine", "byHand"] as const)) {
        const told = await processes(await server.database(), count, { task, runs: runs / count, steps });
        const cpu = (told.reduce((sum, each) => sum + each.cpu, 0) / (runs * steps)) * 1000;
        measured.push({ task, count, cpu, rate: (runs * steps) / Math.max(...told.map((each) => each.seconds)) });
      }
    }
  }
  const costOf = (task: string, count: number) => {
    const all = measured.filter((each) => each.task === task && each.count === count);
    return { cpu: median(all.map(({ cpu }) => cpu)), rate: median(all.map(({ rate }) => rate)) };
  };
  const one = costOf("engine", 1);
  const byHand = costOf("byHand", 2).cpu / costOf("byHand", 1).cpu;
  return [2, 4].map((count) => {
    const { cpu, rate } = costOf("engine", count);
    const parts = { "ms per step": cpu, "by one": one.cpu, "steps/s": rate, "by one, steps/s": one.rate };
    const name = `dbos, processor time per step, ${count} processes / one`;
    const beside = count === 2 ? { "by hand, two / one": byHand } : {};
    return { name, value: cpu / one.cpu, limit: count === 2 ? 1.2 : 1.6, unit: "×", parts: { ...parts, ...beside } };
  });
}

async function waiting(server: Postgres): Promise<readonly Row[]> {
  const [store, runs] = [await server.database(), 10_000];
  const [fill] = await processes(store, 1, { task: "wait", runs, steps: 0 });
  const [told] = await processes(store, 1, { task: "events", runs, steps: 0 });
  const [empty] = await processes(await server.database(), 1, { task: "engine", runs: 0, steps: 0 });
  const parts = { "start, s": fill!.seconds };
  return [
    { name: "dbos, open a new database", value: empty!.open, limit: 3000, unit: "ms", parts: {} },
    { name: `dbos, open with ${runs} runs waiting`, value: told!.open, limit: 3000, unit: "ms", parts },
    { name: `dbos, memory with ${runs} runs waiting`, value: told!.memory, limit: 700, unit: "MiB", parts: {} },
    { name: "dbos, event in to next step", value: told!.event!, limit: 20, unit: "ms", parts: {} },
  ];
}

type Work = Pick<Asked, "task" | "runs" | "steps">;

/** Starts the task in all processes once all are open. */
async function processes(store: string, count: number, work: Work): Promise<readonly Told[]> {
  const begun: { readonly child: ChildProcess; readonly lines: AsyncIterator<string>; readonly open: number }[] = [];
  for (let i = 0; i < count; i++) {
    const asked: Asked = { place: runtimePlace(), store, name: `p${i}`, ...work };
    const start = performance.now();
    const child = spawn(
      process.execPath,
      ["--no-warnings", join(import.meta.dirname, "child.ts"), JSON.stringify(asked)],
      { stdio: ["pipe", "pipe", "inherit"] },
    );
    const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    await lines.next();
    begun.push({ child, lines, open: performance.now() - start });
  }
  const told = begun.map(async ({ child, lines, open }) => {
    child.stdin!.write("go\n");
    const { value } = (await lines.next()) as { readonly value?: string };
    if (value === undefined) throw new Error("A process has ended without saying what it found.");
    const ended = new Promise((resolve) => child.once("exit", resolve));
    return { ...(JSON.parse(value) as Omit<Told, "open">), open, ended };
  });
  const all = await Promise.all(told);
  await Promise.all(all.map(({ ended }) => ended));
  return all;
}
