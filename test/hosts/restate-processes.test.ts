import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Engine } from "../../targets/typescript/runtime/engine.ts";
import { wanted, workflows } from "../crash/workflow.ts";
import { type Balancer, balanced } from "./balancer.ts";
import { runtimePlace } from "./place.ts";
import { openOnRestate } from "./restate.ts";
import { absence, freePort, type Restate, startRestate } from "./restate-server.ts";
import { event, rest } from "./samples.ts";

// Two processes at one address, between which connections are shared: each may be killed.

const why = absence();

describe.skipIf(why !== undefined)(
  `processes on Restate${why ? ` (left out: ${why})` : ""}`,
  { timeout: 120_000 },
  () => {
    let server: Restate;
    let calls: Calls;
    let balancer: Balancer;
    let engine: Engine;
    const children = new Map<string, ChildProcess>();
    beforeAll(async () => {
      [server, calls] = await Promise.all([startRestate(), countedCalls()]);
    }, 90_000);
    afterEach(async () => {
      for (const child of children.values()) child.kill("SIGKILL");
      await engine.close(0);
      await balancer.close();
    });
    afterAll(async () => {
      calls.server.close();
      await server.stop();
    });

    /** Starts orders and delivers their events. */
    const order = (ids: readonly number[]) =>
      Promise.all(
        ids.map(async (i) => {
          await engine.start("order", i, { id: `order-${i}` });
          await engine.deliver({ ...event(`paid ${i}`, { order: `order-${i}` }), type: "paid" });
        }),
      );
    const outputsOf = (ids: readonly number[]) =>
      Promise.all(ids.map(async (i) => (await engine.ended(`order-${i}`)).output));

    test("both go on with runs; when one is killed the other goes on with all, and what is recorded is not done again", async () => {
      const ports = [await freePort(), await freePort()];
      balancer = await balanced(ports);
      const store = new URL(await server.address());
      store.searchParams.set("service", `http://127.0.0.1:${balancer.port}`);
      const begin = async (name: string, port: number) => {
        store.searchParams.set("port", `${port}`);
        const args = ["--no-warnings", join(import.meta.dirname, "restate-child.ts")];
        const child = spawn(process.execPath, [...args, runtimePlace(), `${store}`, calls.address, name], {
          stdio: ["ignore", "pipe", "inherit"],
        });
        children.set(name, child);
        await once(child.stdout!, "data");
      };
      await Promise.all([begin("one", ports[0]!), begin("two", ports[1]!)]);
      const given = { workflows, functions: {}, send: () => undefined, log: () => undefined };
      engine = await openOnRestate({ ...given, store: `${store}`, isPaused: true });

      const first = Array.from({ length: 24 }, (_, i) => i);
      const begun = order(first);
      while (calls.made.length < 60) await rest(5);
      const before = calls.made.length;
      children.get("one")!.kill("SIGKILL");
      await begun;
      expect(await outputsOf(first)).toEqual(first.map(wanted));
      expect(new Set(calls.made.slice(0, before).map(({ name }) => name))).toEqual(new Set(["one", "two"]));
      const isAgain = ({ key }: Call, i: number) => calls.made.findIndex((each) => each.key === key) < i;
      const again = calls.made.filter(isAgain);
      expect(again.map(({ key }) => calls.made.find((each) => each.key === key)!.name)).toEqual(again.map(() => "one"));
      expect(again.length).toBeLessThan(24);

      await begin("one", ports[0]!);
      children.get("two")!.kill("SIGKILL");
      const second = Array.from({ length: 10 }, (_, i) => first.length + i);
      await order(second);
      expect(await outputsOf(second)).toEqual(second.map(wanted));
    });
  },
);

/** A call, and by which process. */
interface Call {
  readonly key: string;
  readonly name: string;
}

/** What the functions are called with. */
interface Calls {
  readonly server: Server;
  readonly address: string;
  readonly made: Call[];
}

/** The functions, which tell the calls; the first attempt at a bill fails. */
async function countedCalls(): Promise<Calls> {
  const made: Call[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const part of request) text += part;
    const { key, n, name } = JSON.parse(text) as Call & { readonly n: number };
    made.push({ key, name });
    response.statusCode = key.endsWith("Bill!attempt-1") ? 500 : 200;
    setTimeout(() => response.end(`${n + 1}`), 2);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, made };
}
