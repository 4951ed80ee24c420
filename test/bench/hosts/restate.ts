import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type RestateServer, startRestate } from "../../hosts/restate-server.ts";
import { runtimeFolder } from "../../hosts/runtime-folder.ts";
import { median } from "../measure.ts";
import type { BenchmarkRow } from "../row.ts";
import type { HostTask } from "./emitted.ts";
import type { ProcessMeasurement } from "./index.ts";

/** Emitted programs on Restate, compared with hand-written ones: medians of adjacent pairs, as other processes vary. */
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
  const pairs: { readonly engine: StepCost; readonly byHand: StepCost }[] = [];
  for (let i = 0; i < 5; i++) {
    const costOf = async (task: "engine" | "byHand"): Promise<StepCost> => {
      const measured = await inProcess(await server.address(), { task, name: `${task}${runs}-${i}`, runs, steps });
      return { ms: (measured.seconds / (runs * steps)) * 1000, cpu: (measured.cpu / (runs * steps)) * 1000 };
    };
    pairs.push({ engine: await costOf("engine"), byHand: await costOf("byHand") });
  }
  const of = (value: (pair: (typeof pairs)[number]) => number) => median(pairs.map(value));
  const parts = {
    "ms per step": of(({ engine }) => engine.ms),
    "by hand": of(({ byHand }) => byHand.ms),
    "processor time per step, ms": of(({ engine }) => engine.cpu),
    "processor time by hand": of(({ byHand }) => byHand.cpu),
    "steps/s": 1000 / of(({ engine }) => engine.ms),
  };
  const value = of(({ engine, byHand }) => engine.ms / byHand.ms);
  return [{ name: `restate / by hand on Restate, ${name}`, value, limit: 1.3, unit: "×", parts }];
}

/** The time and the processor time of one step, in milliseconds. */
interface StepCost {
  readonly ms: number;
  readonly cpu: number;
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
async function inProcess(store: string, work: Omit<HostTask, "runtime" | "store">): Promise<ProcessMeasurement> {
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
  return { ...(JSON.parse(value) as Omit<ProcessMeasurement, "open">), open };
}
