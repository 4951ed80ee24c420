import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runtimeFiles } from "../../../targets/typescript/runtime-files.ts";
import { median } from "../measure.ts";
import type { BenchmarkRow } from "../row.ts";

const processes = 5;

/** The entry point of an emitted program with the workflow `waiting`. */
const main = `import { enableCompileCache } from "node:module";

enableCompileCache();
const { defineWorkflow, main, openEngine } = await import("./runtime.js");
const waiting = defineWorkflow({
  id: "waiting",
  version: "1",
  name: "waiting",
  anyInput: true,
  events: { go: { type: "go", correlation: (event) => event["who"] } },
  waits: { Wait: { alternatives: [{ all: [["go"]] }] } },
  correlation: (input) => input,
  async run(flow, { next }) {
    await flow.receive("Wait");
    return flow.step("Next", () => next(0));
  },
});
const functions = { next: (n) => n + 1 };
process.exitCode = await main({ workflows: [waiting], functions, open: openEngine, location: import.meta.url });
`;

/** Measures how soon a new process that serves a store responds, and its memory where available. */
export async function serving(store: string, name: string): Promise<readonly BenchmarkRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  try {
    for (const { path, text } of runtimeFiles()) writeFileSync(join(folder, path), text);
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "main.ts"), main);
    const measured: Awaited<ReturnType<typeof measureProcess>>[] = [];
    for (let i = 0; i <= processes; i++) measured.push(await measureProcess(folder, store));
    const [answer, memory] = (["answer", "memory"] as const).map((of) =>
      median(measured.slice(1).map((each) => each[of])),
    );
    return [
      { name: `first answer after spawn, ${name}`, value: answer!, limit: 1000, unit: "ms", parts: {} },
      { name: `memory at the first answer, ${name}`, value: memory!, limit: 110, unit: "MiB", parts: {} },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureProcess(
  folder: string,
  store: string,
): Promise<{ readonly answer: number; readonly memory: number }> {
  const start = performance.now();
  const args = ["--no-warnings", "main.ts", "serve", "--store", store, "--port", "0", "--no-token"];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", (chunk) => {
      log += chunk;
      const url = /"url":"([^"]*)"/.exec(log)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once("close", () => reject(new Error(log)));
  });
  await (await fetch(`${url}/runs?limit=1`)).text();
  const answer = performance.now() - start;
  const memory = memoryOf(child.pid!);
  const closed = once(child, "close");
  child.kill("SIGTERM");
  await closed;
  return { answer, memory };
}

/** The resident memory of a process in MiB; 0 without `/proc`. */
function memoryOf(pid: number): number {
  try {
    return Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
