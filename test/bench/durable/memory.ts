import { runInMemory } from "../../../targets/typescript/runtime/memory.ts";
import { median, type Row, seconds } from "./row.ts";
import { fiveSteps, functions } from "./workflows.ts";

const rounds = 200_000;

/** Steps in memory: a loop of five. */
export async function inMemory(): Promise<Row> {
  const surroundings = {
    runId: "run",
    now: Date.now,
    sleep: () => Promise.resolve(),
    listen: () => () => undefined,
    send: () => undefined,
  };
  const rates: number[] = [];
  for (let i = 0; i < 5; i++) rates.push((5 * rounds) / (await seconds(() => runInMemory(fiveSteps, functions, surroundings, { rounds }))));
  return { name: "in memory, a loop of five steps", value: median(rates), limit: 2_000_000, unit: "steps/s", parts: {} };
}
