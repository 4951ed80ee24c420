import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { runInMemory } from "../../../targets/typescript/runtime/memory.ts";
import type { openEngine } from "../../../targets/typescript/runtime/sqlite/engine.ts";
import type { AnyWorkflow } from "../../../targets/typescript/runtime/workflow.ts";
import { median, seconds } from "../measure.ts";
import type { BenchmarkRow } from "../row.ts";
import { idleEnvironment } from "./memory.ts";
import { bareCommits } from "./sync.ts";

const library = new URL("../../../dist/index.js", import.meta.url).href;
const times = 5;
const [inMemory, durable] = [100_000, 2000];

/** A loop of five calls that counts to `max`. */
const countingTo = (max: number): string => `id: five
name: Five
version: '1.0'
functions: [{ name: next, resource: next }]
states:
${["A", "B", "C", "D", "E"].map((name, i, names) => stateOf(name, names[i + 1] ?? "More", i === 0)).join("\n")}
- name: More
  type: switch
  dataConditions: [{ path: $.n, operator: lessthan, value: '${max}', transition: { nextState: A } }]
  default: { nextState: Done }
- { name: Done, type: inject, data: { done: true }, end: { kind: default } }
`;

const stateOf = (name: string, next: string, isFirst: boolean): string =>
  `- { name: ${name}, type: operation, ${isFirst ? "start: { kind: default }, " : ""}actions: [{ functionRef: { refName: next, parameters: { n: $.n } } }], transition: { nextState: ${next} } }`;

const functions = { next: async ({ n }: { readonly n: number }) => ({ n: n + 1 }) };

interface EmittedRuntime {
  readonly runInMemory: typeof runInMemory;
  readonly openEngine: typeof openEngine;
}

interface LoadedProgram {
  readonly runtime: EmittedRuntime;
  readonly workflow: AnyWorkflow;
}

/**
 * An emitted program with asynchronous functions: in memory against a plain loop, on a store against bare commits.
 * Requires `dist`.
 */
export async function emittedRows(): Promise<readonly BenchmarkRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  try {
    const program = await programIn(join(folder, "memory"), inMemory);
    return [await memoryRow(program), await storeRow(await programIn(join(folder, "store"), durable), folder)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function programIn(folder: string, max: number): Promise<LoadedProgram> {
  const { compile } = (await import(library)) as typeof import("../../../src/index.ts");
  const { files } = await compile({
    sources: [{ path: "five.yaml", text: countingTo(max) }],
    target: "typescript",
  });
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const load = (file: string) => import(pathToFileURL(join(folder, file)).href);
  const { five } = (await load("five.ts")) as { readonly five: AnyWorkflow };
  return { runtime: (await load("runtime.js")) as EmittedRuntime, workflow: five };
}

async function memoryRow({ runtime, workflow }: LoadedProgram): Promise<BenchmarkRow> {
  const rates = { own: [] as number[], plain: [] as number[] };
  for (let i = 0; i < times; i++) {
    rates.plain.push(inMemory / (await seconds(plainLoop)));
    const run = () => runtime.runInMemory(workflow as never, functions as never, idleEnvironment, { n: 0 } as never);
    rates.own.push(inMemory / (await seconds(run)));
  }
  const [own, plain] = [median(rates.own), median(rates.plain)];
  return {
    name: "an emitted program in memory, asynchronous functions",
    value: own,
    limit: 1_000_000,
    isLeast: true,
    unit: "steps/s",
    parts: { "calls/s of a plain loop": plain },
  };
}

async function plainLoop(): Promise<void> {
  let data = { n: 0 };
  while (data.n < inMemory) data = { ...data, ...(await functions.next({ n: data.n })) };
}

async function storeRow({ runtime, workflow }: LoadedProgram, folder: string): Promise<BenchmarkRow> {
  const bare = bareCommits(join(folder, "bare.db"));
  const store = join(folder, "runs.db");
  const settings = { store, workflows: [workflow], functions, send: () => undefined, log: () => undefined };
  const engine = runtime.openEngine(settings);
  const rates = { bare: [] as number[], own: [] as number[] };
  try {
    for (let i = 0; i < times; i++) {
      rates.bare.push(durable / (await seconds(() => bare(durable))));
      const run = async () => engine.ended((await engine.start("five", { n: 0 })).id);
      rates.own.push(durable / (await seconds(run)));
    }
  } finally {
    await engine.close();
  }
  return {
    name: "an emitted program on a store, a loop with rounds, to bare commits",
    value: median(rates.own.map((rate, i) => rate / rates.bare[i]!)),
    limit: 0.6,
    isLeast: true,
    unit: "×",
    parts: { bare: median(rates.bare), own: median(rates.own) },
  };
}
