import { createLoader } from "../../../targets/typescript/load.ts";
import type { Engine, EngineOptions } from "../../../targets/typescript/runtime/engine.ts";
import { functions, workflows } from "../durable/workflows.ts";
import { median } from "../measure.ts";

/** A task: `runs` concurrent runs of `steps` steps each. */
export interface HostTask {
  readonly task: keyof TaskFactories;
  /** The folder of the runtime. */
  readonly runtime: string;
  readonly store: string;
  /** Distinguishes the runs of different processes. */
  readonly name: string;
  readonly runs: number;
  readonly steps: number;
}

/** A warmed-up process. */
export interface PreparedTask {
  act(): Promise<{ readonly event?: number } | undefined>;
  close(): Promise<unknown> | unknown;
}

/** Prepares a process. */
export type TaskFactory = (request: HostTask) => Promise<PreparedTask>;

/** The tasks by name. */
export type TaskFactories = { readonly [name in "engine" | "byHand" | "wait" | "events"]: TaskFactory };

interface TaskExtent {
  /** Runs before the measurement. */
  readonly before: number;
  /** The number of events to deliver. */
  readonly events: number;
}

/** The tasks on a host, as an emitted program and hand-written. */
export const tasksOn = (
  module: "dbos.js" | "restate.js",
  { before, events }: TaskExtent,
  byHand: TaskFactory,
): TaskFactories => ({
  byHand,

  async engine(request) {
    const { name, runs, steps } = request;
    const engine = await openHost(module, request);
    const one = async (id: string, count: number) => {
      await engine.start("sequence", count, { id });
      await engine.ended(id);
    };
    await concurrently(runs === 0 ? 0 : before, (i) => one(`${name}-before-${i}`, 5));
    return {
      async act() {
        await concurrently(runs, (i) => one(`${name}-${i}`, steps));
        return undefined;
      },
      close: () => engine.close(0),
    };
  },

  async wait(request) {
    const engine = await openHost(module, request);
    const start = (i: number) => engine.start("waiting", `who-${i}`, { id: `run-${i}` });
    return {
      async act() {
        for (let i = 0; i < request.runs; i += 500)
          await concurrently(Math.min(500, request.runs - i), (k) => start(i + k));
        while ((await engine.list({ status: "running", limit: 1 })).runs.length > 0) await rest(100);
        return undefined;
      },
      close: () => engine.close(0),
    };
  },

  async events(request) {
    let stepped: (time: number) => void = () => undefined;
    const engine = await openHost(module, request, (n) => {
      stepped(performance.now());
      return n + 1;
    });
    return {
      async act() {
        const times: number[] = [];
        for (let i = 0; i < Math.min(events, request.runs); i++) {
          const who = `who-${(i * 7919) % request.runs}`;
          const step = new Promise<number>((resolve) => {
            stepped = resolve;
          });
          const begin = performance.now();
          await engine.deliver({ specversion: "1.0", id: `e${i}`, source: "bench", type: "go", who });
          times.push((await step) - begin);
        }
        return { event: median(times) };
      },
      close: () => engine.close(0),
    };
  },
});

/** Performs an action concurrently. */
export const concurrently = (count: number, act: (i: number) => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: count }, (_, i) => act(i)));

const rest = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

function openHost(module: string, { runtime, store }: HostTask, next = functions.next): Promise<Engine> {
  const { openEngine } = createLoader(runtime)(module) as { openEngine(options: EngineOptions): Promise<Engine> };
  const benchmarkFunctions = { ...functions, next };
  return openEngine({ store, workflows, functions: benchmarkFunctions, send: () => undefined, log: () => undefined });
}
