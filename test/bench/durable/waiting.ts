import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { openEngine } from "../../../targets/typescript/runtime/sqlite/engine.ts";
import type { BenchmarkRow } from "../row.ts";
import { serving } from "./serving.ts";
import { functions, workflows } from "./workflows.ts";

const count = 100_000;

/** The results of the child process. */
export interface StoreMeasurement {
  readonly open: number;
  readonly memory: number;
  readonly event: number;
}

/** Opening time, memory and event latency of a store with many waiting runs. */
export async function waitingRows(): Promise<readonly BenchmarkRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const store = join(folder, "runs.db");
  try {
    await fill(store);
    const served = await serving(store, `${count} runs waiting`);
    const child = spawnSync(process.execPath, [bundledChild(folder), store, `${count}`], { encoding: "utf8" });
    if (child.status !== 0) throw new Error(child.stderr);
    const { open, memory, event } = JSON.parse(child.stdout) as StoreMeasurement;
    return [
      { name: `open with ${count} runs waiting`, value: open, limit: 50, unit: "ms", parts: {} },
      { name: `memory with ${count} runs waiting`, value: memory, limit: 110, unit: "MiB", parts: {} },
      { name: `event in to next step, ${count} runs waiting`, value: event, limit: 2, unit: "ms", parts: {} },
      ...served,
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The child process as one file of JavaScript: programs do not load the compiler of TypeScript either. */
function bundledChild(folder: string): string {
  const outfile = join(folder, "child.mjs");
  const entryPoints = [join(import.meta.dirname, "waiting-child.ts")];
  buildSync({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", logLevel: "error" });
  return outfile;
}

async function fill(store: string): Promise<void> {
  const engine = openEngine({ store, workflows, functions, send: () => undefined, log: () => undefined });
  for (let i = 0; i < count; i += 1000) {
    await Promise.all(
      Array.from({ length: 1000 }, (_, k) => engine.start("waiting", `who-${i + k}`, { id: `run-${i + k}` })),
    );
  }
  while ((await engine.list({ status: "running", limit: 1 })).runs.length > 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
  await engine.close();
}
