import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "../../../targets/typescript/runtime/engine.ts";
import { runInMemory } from "../../../targets/typescript/runtime/memory.ts";
import { openEngine } from "../../../targets/typescript/runtime/sqlite.ts";
import type { Row } from "../row.ts";
import { surroundings } from "./memory.ts";
import { median, seconds } from "./times.ts";
import { each, functions, workflows } from "./workflows.ts";

const times = 9;
const width = 1000;
const durable = 10_000;

/** A step for each of many items: in memory against a pool of workers that does nothing else, and on a store, at a width against all at once. */
export async function fanOut(): Promise<readonly Row[]> {
  return [...(await inMemory()), await onStore()];
}

async function inMemory(): Promise<readonly Row[]> {
  const [few, many] = [10_000, 50_000];
  const rates = { few: [] as number[], many: [] as number[], pool: [] as number[] };
  const atOnce = { own: [] as number[], pool: [] as number[] };
  for (let i = 0; i < times; i++) {
    const run = (count: number) => runInMemory(each, { ...functions, later }, surroundings, { count, width });
    rates.few.push(await itemTime(few, run));
    rates.many.push(await itemTime(many, run));
    rates.pool.push(await itemTime(few, (count) => pool(count, later)));
    atOnce.own.push(await itemTime(few, (count) => runInMemory(each, functions, surroundings, { count, width })));
    atOnce.pool.push(await itemTime(few, (count) => pool(count, functions.later)));
  }
  const [item, itemOfMany, pooled] = [median(rates.few), median(rates.many), median(rates.pool)];
  const parts = {
    "µs an item": item,
    "µs in a pool": pooled,
    "µs an item that is there at once": median(atOnce.own),
    "µs of such in a pool": median(atOnce.pool),
  };
  return [
    { name: `an item of ${few} in memory to a pool`, value: item / pooled, limit: 8, unit: "×", parts },
    {
      name: `an item of ${many} to one of ${few}`,
      value: itemOfMany / item,
      limit: 1.3,
      unit: "×",
      parts: { "µs an item": itemOfMany },
    },
  ];
}

/** Answers in a later turn of the loop of events, as everything does that waits for something. */
const later = (n: number): Promise<number> => new Promise((resolve) => setImmediate(() => resolve(n + 1)));

/** Microseconds for each of so many items. */
const itemTime = async (count: number, work: (count: number) => Promise<unknown>): Promise<number> =>
  ((await seconds(() => work(count))) / count) * 1e6;

/** What people write by hand: workers that take the next item, each of which can be cut off and has its failure noted. */
async function pool(count: number, call: (n: number) => Promise<number>): Promise<readonly number[]> {
  const results = new Array<number>(count);
  const controller = new AbortController();
  let next = 0;
  const worker = async () => {
    while (next < count && !controller.signal.aborted) {
      const index = next++;
      results[index] = await call(index);
    }
  };
  await Promise.all(Array.from({ length: width }, () => worker().catch((error: unknown) => controller.abort(error))));
  controller.signal.throwIfAborted();
  return results;
}

async function onStore(): Promise<Row> {
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
      rates.wide.push(durable / (await seconds(() => run(engine, {}))));
      rates.narrow.push(durable / (await seconds(() => run(engine, { width }))));
    }
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true });
  }
  const [narrow, wide] = [median(rates.narrow), median(rates.wide)];
  return {
    name: `durable, ${width} of ${durable} items at once to all`,
    value: narrow / wide,
    limit: 0.8,
    isLeast: true,
    unit: "×",
    parts: { narrow, wide },
  };
}

async function run(engine: Engine, more: { readonly width?: number }): Promise<void> {
  const { id } = await engine.start("each", { count: durable, ...more });
  await engine.ended(id);
}
