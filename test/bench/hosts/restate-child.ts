// A process that runs one task on Restate, emitted or hand-written. It starts when standard input receives a line, and
// prints the measurement as JSON.

import { once } from "node:events";
import { createServer } from "node:http2";
import { createEndpointHandler, type WorkflowContext, workflow } from "@restatedev/restate-sdk";
import { functions } from "../durable/workflows.ts";
import { concurrently, type HostTask, type PreparedTask, tasksOn } from "./emitted.ts";

/** Runs before the measurement. */
const before = 50;

async function byHand({ store, name, runs, steps }: HostTask): Promise<PreparedTask> {
  const { origin, searchParams } = new URL(store);
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
  const server = createServer(handler as never).listen(Number(new URL(searchParams.get("service")!).port));
  await once(server, "listening");
  await post(`${origin}/deployments`, { uri: searchParams.get("service") });
  const one = (id: string, count: number) => post(`${searchParams.get("ingress")}/sequence-${name}/${id}/run`, count);
  await concurrently(before, (i) => one(`before-${i}`, 5));
  return {
    async act() {
      await concurrently(runs, (i) => one(`${i}`, steps));
      return undefined;
    },
    close: () => undefined,
  };
}

async function post(url: string, body: unknown): Promise<void> {
  const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} responded with ${response.status}: ${text}`);
}

const request = JSON.parse(process.argv[2]!) as HostTask;
const { act, close } = await tasksOn("restate.js", { before, events: 100 }, byHand)[request.task](request);
process.stdout.write("open\n");
await once(process.stdin, "data");
const [start, cpuBefore] = [performance.now(), process.cpuUsage()];
const more = await act();
const { user, system } = process.cpuUsage(cpuBefore);
const used = { seconds: (performance.now() - start) / 1000, cpu: (user + system) / 1e6 };
const memory = process.resourceUsage().maxRSS / 1024;
process.stdout.write(`${JSON.stringify({ ...used, memory, ...more })}\n`);
await close();
process.exit(0);
