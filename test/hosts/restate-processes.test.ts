import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Engine } from "../../targets/typescript/runtime/engine.ts";
import { expectedOutput, workflows } from "../crash/workflow.ts";
import { type Balancer, startBalancer } from "./balancer.ts";
import { openOnRestate } from "./restate.ts";
import { freePort, type RestateServer, skipReason, startRestate } from "./restate-server.ts";
import { runtimeFolder } from "./runtime-folder.ts";
import { event, sleep } from "./samples.ts";

// Two processes behind one load-balanced address; either may be killed.

const why = skipReason();

describe.skipIf(why !== undefined)(
  `processes on Restate${why ? ` (skipped: ${why})` : ""}`,
  { timeout: 120_000 },
  () => {
    let server: RestateServer;
    let calls: CallServer;
    let balancer: Balancer;
    let engine: Engine;
    const children = new Map<string, ChildProcess>();
    beforeAll(async () => {
      [server, calls] = await Promise.all([startRestate(), startCallServer()]);
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

    const order = (ids: readonly number[]) =>
      Promise.all(
        ids.map(async (i) => {
          await engine.start("order", i, { id: `order-${i}` });
          await engine.deliver({ ...event(`paid ${i}`, { order: `order-${i}` }), type: "paid" });
        }),
      );
    const outputsOf = (ids: readonly number[]) =>
      Promise.all(ids.map(async (i) => (await engine.ended(`order-${i}`)).output));

    test("both processes execute runs; when one is killed the other continues them all without repeating recorded steps", async () => {
      const ports = [await freePort(), await freePort()];
      balancer = await startBalancer(ports);
      const store = new URL(await server.address());
      store.searchParams.set("service", `http://127.0.0.1:${balancer.port}`);
      const begin = async (name: string, port: number) => {
        store.searchParams.set("port", `${port}`);
        const args = ["--no-warnings", join(import.meta.dirname, "restate-child.ts")];
        const child = spawn(process.execPath, [...args, runtimeFolder(), `${store}`, calls.address, name], {
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
      while (calls.received.length < 60) await sleep(5);
      const before = calls.received.length;
      children.get("one")!.kill("SIGKILL");
      await begun;
      expect(await outputsOf(first)).toEqual(first.map(expectedOutput));
      expect(new Set(calls.received.slice(0, before).map(({ name }) => name))).toEqual(new Set(["one", "two"]));
      const isAgain = ({ key }: ReceivedCall, i: number) => calls.received.findIndex((each) => each.key === key) < i;
      const again = calls.received.filter(isAgain);
      expect(again.map(({ key }) => calls.received.find((each) => each.key === key)!.name)).toEqual(
        again.map(() => "one"),
      );
      expect(again.length).toBeLessThan(24);

      await begin("one", ports[0]!);
      children.get("two")!.kill("SIGKILL");
      const second = Array.from({ length: 10 }, (_, i) => first.length + i);
      await order(second);
      expect(await outputsOf(second)).toEqual(second.map(expectedOutput));
    });
  },
);

/** A call, and the process that made it. */
interface ReceivedCall {
  readonly key: string;
  readonly name: string;
}

/** The server behind the functions. */
interface CallServer {
  readonly server: Server;
  readonly address: string;
  readonly received: ReceivedCall[];
}

/** Starts a server that records calls; the first attempt at each bill fails. */
async function startCallServer(): Promise<CallServer> {
  const made: ReceivedCall[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const { key, n, name } = JSON.parse(body) as ReceivedCall & { readonly n: number };
    made.push({ key, name });
    response.statusCode = key.endsWith("Bill!attempt-1") ? 500 : 200;
    setTimeout(() => response.end(`${n + 1}`), 2);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received: made };
}
