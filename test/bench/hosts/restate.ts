import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { runtimePlace } from "../../hosts/place.ts";
import { type Restate, startRestate } from "../../hosts/restate-server.ts";
import { median } from "../durable/times.ts";
import type { Row } from "../row.ts";
import type { Asked } from "./emitted.ts";

/** The measurement of one process. */
interface Told {
  readonly seconds: number;
  /** MiB. */
  readonly memory: number;
  readonly event?: number;
  /** Milliseconds until the engine was open. */
  readonly open: number;
}

/** Emitted programs on Restate, compared with hand-written ones. */
export async function restateRows(): Promise<readonly Row[]> {
  const server = await startRestate();
  try {
    return [
      ...(await besideByHand(server, "one run", 1, 1000)),
      ...(await besideByHand(server, "1,000 runs", 1000, 5)),
      ...(await waiting(server)),
    ];
  } finally {
    await server.stop();
  }
}

async function besideByHand(server: Restate, name: string, runs: number, steps: number): Promise<readonly Row[]> {
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let i = 0; i < 5; i++) {
    for (const [task, times] of [["engine", ours] as const, ["byHand", theirs] as const]) {
      const told = await inProcess(await server.address(), { task, name: `${task}${runs}-${i}`, runs, steps });
      times.push((told.seconds / (runs * steps)) * 1000);
    }
  }
  const [emitted, byHand] = [median(ours), median(theirs)];
  const parts = { "ms per step": emitted, "by hand": byHand, "steps/s": 1000 / emitted };
  return [{ name: `restate / by hand on Restate, ${name}`, value: emitted / byHand, limit: 1.3, unit: "×", parts }];
}

async function waiting(server: Restate): Promise<readonly Row[]> {
  const [store, runs] = [await server.address(), Number(process.env["N"] ?? 10_000)];
  const work = { name: "waiting", runs, steps: 0 };
  const fill = await inProcess(store, { task: "wait", ...work });
  const told = await inProcess(store, { task: "events", ...work });
  const empty = await inProcess(await server.address(), { ...work, task: "engine", runs: 0 });
  const parts = { "start, s": fill.seconds };
  return [
    { name: "restate, open a new program", value: empty.open, limit: 3000, unit: "ms", parts: {} },
    { name: `restate, open with ${runs} runs waiting`, value: told.open, limit: 3000, unit: "ms", parts },
    { name: `restate, memory with ${runs} runs waiting`, value: told.memory, limit: 400, unit: "MiB", parts: {} },
    { name: `restate, event in to next step of ${runs}`, value: told.event!, limit: 100, unit: "ms", parts: {} },
  ];
}

/** Starts the task once the process is open. */
async function inProcess(store: string, work: Omit<Asked, "place" | "store">): Promise<Told> {
  const asked: Asked = { place: runtimePlace(), store, ...work };
  const start = performance.now();
  const args = ["--no-warnings", join(import.meta.dirname, "restate-child.ts"), JSON.stringify(asked)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  await lines.next();
  const open = performance.now() - start;
  child.stdin.write("go\n");
  const { value } = (await lines.next()) as { readonly value?: string };
  if (value === undefined) throw new Error("A process has ended without saying what it found.");
  await ended;
  return { ...(JSON.parse(value) as Omit<Told, "open">), open };
}
