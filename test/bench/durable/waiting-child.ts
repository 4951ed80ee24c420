// Opens a store in a separate process to measure its memory, and prints the results as JSON.

import { openEngine } from "../../../targets/typescript/runtime/sqlite/engine.ts";
import { median } from "../measure.ts";
import type { StoreMeasurement } from "./waiting.ts";
import { workflows } from "./workflows.ts";

const [store = "", count = "0"] = process.argv.slice(2);
let stepped: (time: number) => void = () => undefined;
const functions = {
  next(n: number) {
    stepped(performance.now());
    return n + 1;
  },
  later: async (n: number) => n + 1,
};
const start = performance.now();
const engine = openEngine({ store, workflows, functions, send: () => undefined, log: () => undefined });
const open = performance.now() - start;
const times: number[] = [];
for (let i = 0; i < 500; i++) {
  const who = `who-${(i * 7919) % Number(count)}`;
  const step = new Promise<number>((resolve) => {
    stepped = resolve;
  });
  const begin = performance.now();
  await engine.deliver({ specversion: "1.0", id: `e${i}`, source: "bench", type: "go", who });
  times.push((await step) - begin);
}
const memory = process.resourceUsage().maxRSS / 1024;
await engine.close();
process.stdout.write(JSON.stringify({ open, memory, event: median(times) } satisfies StoreMeasurement));
