import { createLoader } from "../../../targets/typescript/load.ts";
import type { Engine, EngineOptions } from "../../../targets/typescript/runtime/engine.ts";
import { median } from "../durable/times.ts";
import { functions, workflows } from "../durable/workflows.ts";

/** A task: `runs` concurrent runs of `steps` steps each. */
export interface Asked {
  readonly task: keyof Tasks;
  /** The folder of the runtime. */
  readonly place: string;
  readonly store: string;
  /** Distinguishes the runs of different processes. */
  readonly name: string;
  readonly runs: number;
  readonly steps: number;
}

/** A warmed-up process. */
export interface Ready {
  act(): Promise<{ readonly event?: number } | undefined>;
  close(): Promise<unknown> | unknown;
}

/** Prepares a process. */
export type Task = (asked: Asked) => Promise<Ready>;

/** The tasks by name. */
export type Tasks = { readonly [name in "engine" | "byHand" | "wait" | "events"]: Task };

interface Extent {
  /** Runs before the measurement. */
  readonly before: number;
  /** The number of events to deliver. */
  readonly events: number;
}

/** The tasks on a host, as an emitted program and hand-written. */
export const tasksOn = (module: "dbos.js" | "restate.js", { before, events }: Extent, byHand: Task): Tasks => ({
  byHand,

  async engine(asked) {
    const { name, runs, steps } = asked;
    const engine = await opened(module, asked);
    const one = async (id: string, count: number) => {
      await engine.start("sequence", count, { id });
      await engine.ended(id);
    };
    await several(runs === 0 ? 0 : before, (i) => one(`${name}-before-${i}`, 5));
    return {
      async act() {
        await several(runs, (i) => one(`${name}-${i}`, steps));
        return undefined;
      },
      close: () => engine.close(0),
    };
  },

  async wait(asked) {
    const engine = await opened(module, asked);
    const start = (i: number) => engine.start("waiting", `who-${i}`, { id: `run-${i}` });
    return {
      async act() {
        for (let i = 0; i < asked.runs; i += 500) await several(Math.min(500, asked.runs - i), (k) => start(i + k));
        while (engine.list({ status: "running", limit: 1 }).length > 0) await rest(100);
        return undefined;
      },
      close: () => engine.close(0),
    };
  },

  async events(asked) {
    let stepped: (time: number) => void = () => undefined;
    const engine = await opened(module, asked, (n) => {
      stepped(performance.now());
      return n + 1;
    });
    return {
      async act() {
        const times: number[] = [];
        for (let i = 0; i < Math.min(events, asked.runs); i++) {
          const who = `who-${(i * 7919) % asked.runs}`;
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
export const several = (count: number, act: (i: number) => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: count }, (_, i) => act(i)));

const rest = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

function opened(module: string, { place, store }: Asked, next = functions.next): Promise<Engine> {
  const { openEngine } = createLoader(place)(module) as { openEngine(options: EngineOptions): Promise<Engine> };
  const given = { ...functions, next };
  return openEngine({ store, workflows, functions: given, send: () => undefined, log: () => undefined });
}
