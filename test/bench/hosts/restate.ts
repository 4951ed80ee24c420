import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type RestateServer, startRestate } from "../../hosts/restate-server.ts";
import { runtimeFolder } from "../../hosts/runtime-folder.ts";
import { median } from "../measure.ts";
import type { BenchmarkRow } from "../row.ts";
import type { HostTask } from "./emitted.ts";
import type { ProcessMeasurement } from "./index.ts";

type RestateMeasurement = Omit<ProcessMeasurement, "cpu">;

/** Emitted programs on Restate, compared with hand-written ones. */
export async function restateRows(): Promise<readonly BenchmarkRow[]> {
  const server = await startRestate();
  try {
    return [
      ...(await byHandRows(server, "one run", 1, 1000)),
      ...(await byHandRows(server, "1,000 runs", 1000, 5)),
      ...(await waiting(server)),
    ];
  } finally {
    await server.stop();
  }
}

async function byHandRows(
  server: RestateServer,
  name: string,
  runs: number,
  steps: number,
): Promise<readonly BenchmarkRow[]> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let i = 0; i < 5; i++) {
    for (const [task, times] of [["engine", ours] as const, ["byHand", theirs] as const]) {
      const measured = await inProcess(await server.address(), { task, name: `${task}${runs}-${i}`, runs, steps });
      times.push((measured.seconds / (runs * steps)) * 1000);
    }
  }
  const [emitted, byHand] = [median(ours), median(theirs)];
  const parts = { "ms per step": emitted, "by hand": byHand, "steps/s": 1000 / emitted };
  return [{ name: `restate / by hand on Restate, ${name}`, value: emitted / byHand, limit: 1.3, unit: "×", parts }];
}

async function waiting(server: RestateServer): Promise<readonly BenchmarkRow[]> {
  const [store, runs] = [await server.address(), Number(process.env["N"] ?? 10_000)];
  const work = { name: "waiting", runs, steps: 0 };
  const fill = await inProcess(store, { task: "wait", ...work });
  const measured = await inProcess(store, { task: "events", ...work });
  const empty = await inProcess(await server.address(), { ...work, task: "engine", runs: 0 });
  const parts = { "start, s": fill.seconds };
  return [
    { name: "restate, open a new program", value: empty.open, limit: 3000, unit: "ms", parts: {} },
    { name: `restate, open with ${runs} runs waiting`, value: measured.open, limit: 3000, unit: "ms", parts },
    { name: `restate, memory with ${runs} runs waiting`, value: measured.memory, limit: 400, unit: "MiB", parts: {} },
    { name: `restate, event in to next step of ${runs}`, value: measured.event!, limit: 100, unit: "ms", parts: {} },
  ];
}

/** Starts the task once the process is open. */
async function inProcess(store: string, work: Omit<HostTask, "runtime" | "store">): Promise<RestateMeasurement> {
  const request: HostTask = { runtime: runtimeFolder(), store, ...work };
  const start = performance.now();
  const args = ["--no-warnings", join(import.meta.dirname, "restate-child.ts"), JSON.stringify(request)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const open = performance.now() - start;
  child.stdin.write("go\n");
  const { value } = (await lines.next()) as { readonly value?: string };
  if (value === undefined) throw new Error("A process exited without a result.");
  await ended;
  return { ...(JSON.parse(value) as Omit<RestateMeasurement, "open">), open };
}
