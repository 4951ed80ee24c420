import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  Engine,
  EngineOptions,
  LogEntry,
  RunDetail,
  RunFilter,
} from "../../../../../targets/typescript/runtime/engine.ts";
import type { CloudEvent } from "../../../../../targets/typescript/runtime/events.ts";
import type { Json } from "../../../../../targets/typescript/runtime/json.ts";
import { engineOn, type Hooks } from "../../../../../targets/typescript/runtime/sqlite/engine.ts";
import type { AnyWorkflow, Workflow } from "../../../../../targets/typescript/runtime/workflow.ts";

/** A temporary folder with a store and its engines; all are removed on leaving. */
export interface Place {
  readonly store: string;
  readonly log: LogEntry[];
  readonly sent: CloudEvent[];
  open(workflows: readonly AnyWorkflow[], functions: unknown, more?: Partial<EngineOptions>, hooks?: Hooks): Engine;
  leave(): Promise<void>;
}

export function place(): Place {
  const folder = mkdtempSync(join(tmpdir(), "store-"));
  const store = join(folder, "runs.db");
  const log: LogEntry[] = [];
  const sent: CloudEvent[] = [];
  const engines: Engine[] = [];
  return {
    store,
    log,
    sent,
    open(workflows, functions, more = {}, hooks = {}) {
      const engine = engineOn(
        {
          store,
          workflows,
          functions,
          send: (event) => void sent.push(event),
          log: (entry) => log.push(entry),
          ...more,
        },
        hooks,
      );
      engines.push(engine);
      return engine;
    },
    async leave() {
      await Promise.all(engines.map((engine) => engine.close()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A workflow with the given body. */
export const workflowOf = (
  run: Workflow<Record<string, (...args: never[]) => Json | Promise<Json>>, never>["run"],
  more: Partial<AnyWorkflow> = {},
): AnyWorkflow => ({ id: "W", version: "1", name: "W", anyInput: true, run, ...more }) as AnyWorkflow;

/** An event of a type, with further attributes. */
export const event = (id: string, type: string, more: { readonly [name: string]: Json } = {}): CloudEvent => ({
  specversion: "1.0",
  id,
  source: "test",
  type,
  ...more,
});

/** The details of runs, newest first. */
export async function detailsOf(engine: Engine, filter: RunFilter = {}): Promise<readonly RunDetail[]> {
  const { runs } = await engine.list({ limit: 1000, ...filter });
  return Promise.all(runs.map(async ({ id }) => (await engine.show(id))!));
}

/** Waits until a condition holds; fails after a while. */
export async function until(holds: () => boolean | Promise<boolean>, milliseconds = 5000): Promise<void> {
  const end = performance.now() + milliseconds;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error("It has not come to that.");
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
