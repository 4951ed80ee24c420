import { loaderOf } from "../../../targets/typescript/load.ts";
import type { Engine, EngineOptions } from "../../../targets/typescript/runtime/engine.ts";
import { median } from "../durable/times.ts";
import { functions, workflows } from "../durable/workflows.ts";

/** What a process is to do: so many runs at once, each of so many steps. */
export interface Asked {
  readonly task: keyof Tasks;
  /** Where the runtime is. */
  readonly place: string;
  readonly store: string;
  /** Distinguishes the runs of a process from those of others. */
  readonly name: string;
  readonly runs: number;
  readonly steps: number;
}

/** A process that is ready to begin: what programs do many times they have done before. */
export interface Ready {
  act(): Promise<{ readonly event?: number } | undefined>;
  close(): Promise<unknown> | unknown;
}

/** Gets a process ready. */
export type Task = (asked: Asked) => Promise<Ready>;

/** What processes do, by name. */
export type Tasks = { readonly [name in "engine" | "byHand" | "wait" | "events"]: Task };

/** How much of a host is measured, as far as that is not asked for. */
interface Extent {
  /** So many runs a process has done before it is measured. */
  readonly before: number;
  /** So many events are brought. */
  readonly events: number;
}

/** What processes do on a host: as an emitted program with the engine in a module of the runtime, and as one that is written by hand on the same. */
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

/** Does something so many times at once. */
export const several = (count: number, act: (i: number) => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: count }, (_, i) => act(i)));

const rest = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

function opened(module: string, { place, store }: Asked, next = functions.next): Promise<Engine> {
  const { openEngine } = loaderOf(place)(module) as { openEngine(options: EngineOptions): Promise<Engine> };
  const given = { ...functions, next };
  return openEngine({ store, workflows, functions: given, send: () => undefined, log: () => undefined });
}
