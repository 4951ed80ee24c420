import { DBOS } from "@dbos-inc/dbos-sdk";
import { loaderOf } from "../../../targets/typescript/load.ts";
import type { openEngine as open } from "../../../targets/typescript/runtime/hosts/dbos/index.ts";
import { median } from "../durable/times.ts";
import { functions, workflows } from "../durable/workflows.ts";

/** What a process is to do: so many runs at once, each of so many steps. */
export interface Asked {
  readonly task: keyof typeof tasks;
  /** Where the runtime is. */
  readonly place: string;
  readonly store: string;
  /** Distinguishes the runs of a process from those of others. */
  readonly name: string;
  readonly runs: number;
  readonly steps: number;
}

/** A process that is ready to begin: what programs do many times they have done before. */
interface Ready {
  act(): Promise<{ readonly event?: number } | undefined>;
  close(): Promise<unknown>;
}

/** What processes do, by name. */
export const tasks: { readonly [name in "engine" | "byHand" | "wait" | "events"]: (asked: Asked) => Promise<Ready> } = {
  async engine({ place, store, name, runs, steps }) {
    const engine = await opened(place, store);
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

  async byHand({ store, name, runs, steps }) {
    const run = DBOS.registerWorkflow(
      async (count: number) => {
        let n = 0;
        for (let i = 0; i < count; i++) {
          const before = n;
          n = await DBOS.runStep(async () => functions.next(before), { name: "Next" });
        }
        return n;
      },
      { name: "sequence" },
    );
    DBOS.setConfig({ name: "bench", systemDatabaseUrl: store, executorID: name, logger: silent });
    await DBOS.launch();
    const one = async (workflowID: string, count: number) =>
      (await DBOS.startWorkflow(run, { workflowID })(count)).getResult();
    await several(before, (i) => one(`${name}-before-${i}`, 5));
    return {
      async act() {
        await several(runs, (i) => one(`${name}-${i}`, steps));
        return undefined;
      },
      close: () => DBOS.shutdown(),
    };
  },

  async wait({ place, store, runs }) {
    const engine = await opened(place, store);
    return {
      async act() {
        for (let i = 0; i < runs; i += 500) {
          await Promise.all(
            Array.from({ length: 500 }, (_, k) => engine.start("waiting", `who-${i + k}`, { id: `run-${i + k}` })),
          );
        }
        while (engine.list({ status: "running", limit: 1 }).length > 0) await rest(50);
        return undefined;
      },
      close: () => engine.close(0),
    };
  },

  async events({ place, store, runs }) {
    let stepped: (time: number) => void = () => undefined;
    const engine = await opened(place, store, (n) => {
      stepped(performance.now());
      return n + 1;
    });
    return {
      async act() {
        const times: number[] = [];
        for (let i = 0; i < 200; i++) {
          const who = `who-${(i * 7919) % runs}`;
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
};

/** So many runs each process has done before it is measured. */
const before = 500;

const several = (count: number, act: (i: number) => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: count }, (_, i) => act(i)));

const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

function opened(place: string, store: string, next = functions.next) {
  const { openEngine } = loaderOf(place)("dbos.js") as { readonly openEngine: typeof open };
  const given = { ...functions, next };
  return openEngine({ store, workflows, functions: given, send: () => undefined, log: () => undefined });
}

const rest = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
