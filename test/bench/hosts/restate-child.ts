// A process that Restate calls and that tells how fast it is: as an emitted program or one written by hand on Restate. Begins when it is told to on standard
// input, and prints what it finds as JSON.

import { once } from "node:events";
import { createServer } from "node:http2";
import { createEndpointHandler, type WorkflowContext, workflow } from "@restatedev/restate-sdk";
import { loaderOf } from "../../../targets/typescript/load.ts";
import type { openEngine as open } from "../../../targets/typescript/runtime/hosts/restate/index.ts";
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
  close(): Promise<unknown> | unknown;
}

const tasks: { readonly [name in "engine" | "byHand" | "wait" | "events"]: (asked: Asked) => Promise<Ready> } = {
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
    const { origin, searchParams: given } = new URL(store);
    const sequence = workflow({
      name: `sequence-${name}`,
      handlers: {
        async run(ctx: WorkflowContext, count: number) {
          let n = 0;
          for (let i = 0; i < count; i++) {
            const last = n;
            n = await ctx.run("Next", () => functions.next(last));
          }
          return n;
        },
      },
    });
    const handler = createEndpointHandler({ services: [sequence], logger: () => undefined });
    const server = createServer(handler as never).listen(Number(new URL(given.get("service")!).port));
    await once(server, "listening");
    await post(`${origin}/deployments`, { uri: given.get("service") });
    const one = (id: string, count: number) => post(`${given.get("ingress")}/sequence-${name}/${id}/run`, count);
    await several(before, (i) => one(`before-${i}`, 5));
    return {
      async act() {
        await several(runs, (i) => one(`${i}`, steps));
        return undefined;
      },
      close: () => undefined,
    };
  },

  async wait({ place, store, runs }) {
    const engine = await opened(place, store);
    return {
      async act() {
        for (let i = 0; i < runs; i += 500)
          await several(Math.min(500, runs - i), (k) =>
            engine.start("waiting", `who-${i + k}`, { id: `run-${i + k}` }),
          );
        while (engine.list({ status: "running", limit: 1 }).length > 0) await rest(200);
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
        for (let i = 0; i < Math.min(100, runs); i++) {
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
const before = 50;

const several = (count: number, act: (i: number) => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: count }, (_, i) => act(i)));

const rest = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

function opened(place: string, store: string, next = functions.next) {
  const { openEngine } = loaderOf(place)("restate.js") as { readonly openEngine: typeof open };
  const given = { ...functions, next };
  return openEngine({ store, workflows, functions: given, send: () => undefined, log: () => undefined });
}

async function post(url: string, body: unknown): Promise<void> {
  const given = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(url, given);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answers with ${response.status}: ${text}`);
}

const asked = JSON.parse(process.argv[2]!) as Asked;
const { act, close } = await tasks[asked.task](asked);
process.stdout.write("open\n");
await once(process.stdin, "data");
const start = performance.now();
const more = await act();
const memory = process.resourceUsage().maxRSS / 1024;
process.stdout.write(`${JSON.stringify({ seconds: (performance.now() - start) / 1000, memory, ...more })}\n`);
await close();
process.exit(0);
