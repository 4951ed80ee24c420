import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "../../../targets/typescript/runtime/engine.ts";
import { runInMemory } from "../../../targets/typescript/runtime/memory.ts";
import { openEngine } from "../../../targets/typescript/runtime/sqlite/engine.ts";
import { median, seconds } from "../measure.ts";
import type { BenchmarkRow } from "../row.ts";
import { idleEnvironment } from "./memory.ts";
import { type BenchmarkFunctions, each, functions, workflows } from "./workflows.ts";

const times = 9;
const width = 1000;
const durable = 10_000;

/** One step per item: in memory against a plain worker pool, on a store with limited against unlimited concurrency. */
export async function fanOutRows(): Promise<readonly BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  for (const [label, call] of itemFunctions) rows.push(await poolRow(label, call));
  return [...rows, await growthRow(), await storeRow()];
}

type ItemFunction = BenchmarkFunctions["later"] | BenchmarkFunctions["next"];

/** A function may respond in a later turn of the event loop, as any I/O does, or at once, with or without a promise. */
const itemFunctions: readonly (readonly [string, ItemFunction])[] = [
  ["in memory", later],
  ["in memory, immediate promise", functions.later],
  ["in memory, immediate result", functions.next],
];

const [few, many] = [10_000, 50_000];
/** The faster pool repeats more often, so that both take long enough to measure. */
const [repeats, poolRepeats] = [4, 24];

async function poolRow(label: string, call: ItemFunction): Promise<BenchmarkRow> {
  const spent = { own: [] as number[], pool: [] as number[] };
  for (let i = 0; i < times; i++) {
    spent.own.push(await itemTime(few, repeats, (count) => run(count, call)));
    spent.pool.push(await itemTime(few, poolRepeats, (count) => pool(count, call)));
  }
  const [item, pooled] = [median(spent.own), median(spent.pool)];
  const parts = { "µs an item": item, "µs in a pool": pooled };
  return { name: `an item of ${few} ${label} to a pool`, value: item / pooled, limit: 8, unit: "×", parts };
}

async function growthRow(): Promise<BenchmarkRow> {
  const spent = { few: [] as number[], many: [] as number[] };
  for (let i = 0; i < times; i++) {
    spent.few.push(await itemTime(few, repeats, (count) => run(count, later)));
    spent.many.push(await itemTime(many, 1, (count) => run(count, later)));
  }
  const [item, itemOfMany] = [median(spent.few), median(spent.many)];
  return {
    name: `an item of ${many} in memory to one of ${few}`,
    value: itemOfMany / item,
    limit: 1.3,
    unit: "×",
    parts: { "µs an item": itemOfMany },
  };
}

const run = (count: number, call: ItemFunction) =>
  runInMemory(each, { ...functions, later: call as BenchmarkFunctions["later"] }, idleEnvironment, { count, width });

function later(n: number): Promise<number> {
  return new Promise((resolve) => setImmediate(() => resolve(n + 1)));
}

/** Returns CPU microseconds per item, including garbage collection. Elapsed time would include other processes. */
async function itemTime(count: number, repeats: number, work: (count: number) => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < repeats; i++) await work(count);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count / repeats;
}

/** A hand-written worker pool, whose first failure stops it. It creates its items, as the workflow does. */
async function pool(count: number, call: ItemFunction): Promise<readonly number[]> {
  const items = Array.from({ length: count }, (_, i) => i);
  const results = new Array<number>(count);
  const controller = new AbortController();
  let next = 0;
  const worker = async () => {
    while (next < count && !controller.signal.aborted) {
      const index = next++;
      results[index] = await call(items[index]!);
    }
  };
  await Promise.all(Array.from({ length: width }, () => worker().catch((error: unknown) => controller.abort(error))));
  controller.signal.throwIfAborted();
  return results;
}

/** Compares elapsed times in adjacent pairs, because commits wait for the disk. */
async function storeRow(): Promise<BenchmarkRow> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const engine = openEngine({
    store: join(folder, "runs.db"),
    workflows,
    functions,
    send: () => undefined,
    log: () => undefined,
  });
  const rates = { narrow: [] as number[], wide: [] as number[] };
  try {
    for (let i = 0; i < times; i++) {
      rates.wide.push(durable / (await seconds(() => endedOn(engine, {}))));
      rates.narrow.push(durable / (await seconds(() => endedOn(engine, { width }))));
    }
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true });
  }
  const value = median(rates.narrow.map((rate, i) => rate / rates.wide[i]!));
  return {
    name: `durable, ${width} of ${durable} items at a time, to all at once`,
    value,
    limit: 0.8,
    isLeast: true,
    unit: "×",
    parts: { narrow: median(rates.narrow), wide: median(rates.wide) },
  };
}

async function endedOn(engine: Engine, more: { readonly width?: number }): Promise<void> {
  const { id } = await engine.start("each", { count: durable, ...more });
  await engine.ended(id);
}
