import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type PausableProxy, startPausableProxy } from "./pausable-proxy.ts";
import { type PostgresServer, skipReason, startPostgres } from "./postgres.ts";
import { runtimeFolder } from "./runtime-folder.ts";
import { sleep } from "./samples.ts";

// A process that serves an engine while its database does not respond: it responds itself, and recovers. The faults
// last `POSTGRES_FAULT_SECONDS`, by default 7: longer than the deadline for responses of the database.

const seconds = Number(process.env["POSTGRES_FAULT_SECONDS"] ?? 7);
/** As in `serving-child.ts`. */
const graceSeconds = 5;
const why = skipReason();

describe.skipIf(why !== undefined)(`faults of PostgreSQL${why ? ` (skipped: ${why})` : ""}`, () => {
  let server: PostgresServer;
  let child: ChildProcess | undefined;
  let proxy: PausableProxy | undefined;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterEach(async () => {
    child?.kill("SIGKILL");
    await proxy?.close();
    [child, proxy] = [undefined, undefined];
  });
  afterAll(() => server.stop(), 60_000);

  async function begin() {
    proxy = await startPausableProxy(await server.createDatabase());
    const module = join(import.meta.dirname, "serving-child.ts");
    child = spawn(process.execPath, ["--no-warnings", module, runtimeFolder(), proxy.url], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const { url } = await entryOf(child, "Serving.");
    return { url: String(url), proxy, child };
  }

  test.each([
    ["a database that is stopped", () => server.pause(), () => server.resume()],
    ["a database that is killed", () => server.crash(), () => server.revive()],
    ["connections that the network has forgotten", () => proxy!.pause(), () => proxy!.resume()],
  ] as const)("%s delays runs, but neither /health nor the process", { timeout: 120_000 }, async (_, fail, recover) => {
    const { url } = await begin();
    const load = loadOn(url);
    await sleep(1000);
    await fail();
    await sleep(seconds * 1000);
    await recover();
    await expect.poll(async () => (await fetch(`${url}/health`)).status, { timeout: 30_000, interval: 200 }).toBe(200);
    await sleep(1000);
    const { started, statuses, slowest } = await load.stop();
    expect([...statuses].filter((status) => ![200, 201, 503].includes(status))).toEqual([]);
    expect(started.length).toBeGreaterThan(10);
    expect(slowest).toBeLessThan(1000);
    for (const id of started) {
      const response = await responseOf(`${url}/runs/${id}/result?wait=60`);
      expect([id, response.status, await response.json()]).toEqual([id, 200, 10]);
    }
    expect(child!.exitCode).toBe(null);
  });

  test("a process whose database does not respond still receives SIGTERM", { timeout: 60_000 }, async () => {
    const served = await begin();
    const load = loadOn(served.url);
    await sleep(1000);
    await served.proxy.pause();
    await sleep(500);
    const [told, ended] = [entryOf(served.child, "Stopping."), exitOf(served.child)];
    const at = performance.now();
    served.child.kill("SIGTERM");
    await told;
    expect(performance.now() - at).toBeLessThan(1000);
    expect([0, 1]).toContain(await ended);
    expect(performance.now() - at).toBeLessThan(graceSeconds * 1000 + 3000);
    await load.stop();
  });
});

/** A response; a request is repeated if a connection that was lost before has to be noticed first. */
async function responseOf(url: string): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const response = await fetch(url);
    if (response.status !== 503 || tries === 10) return response;
    await response.arrayBuffer();
    await sleep(1000);
  }
}

/** Starts runs and checks `/health` until it is stopped. */
function loadOn(url: string) {
  let isStopped = false;
  let slowest = 0;
  const [started, statuses] = [[] as string[], new Set<number>()];
  const start = async (client: number) => {
    for (let i = 0; !isStopped; i++) {
      const id = `run-${client}-${i}`;
      for (let status = 0; status !== 201 && status !== 200 && !isStopped; ) {
        status = await fetch(`${url}/workflows/W/runs?id=${id}`, {
          method: "POST",
          signal: AbortSignal.timeout(30_000),
        }).then(
          async (response) => {
            await response.arrayBuffer();
            statuses.add(response.status);
            return response.status;
          },
          () => 0,
        );
        if (status === 200 || status === 201) started.push(id);
        else await sleep(50);
      }
      await sleep(10);
    }
  };
  const check = async () => {
    while (!isStopped) {
      const began = performance.now();
      await fetch(`${url}/health`).then(
        (response) => response.arrayBuffer(),
        () => undefined,
      );
      slowest = Math.max(slowest, performance.now() - began);
      await sleep(20);
    }
  };
  const all = [...Array.from({ length: 4 }, (_, client) => start(client)), check()];
  return {
    async stop() {
      isStopped = true;
      await Promise.all(all);
      return { started, statuses, slowest };
    },
  };
}

/** An entry of the log of a process. */
const entryOf = (child: ChildProcess, message: string): Promise<{ readonly [name: string]: unknown }> =>
  new Promise((resolve, reject) => {
    let text = "";
    child.stderr!.on("data", (data: Buffer) => {
      text += data;
      const lines = text.split("\n");
      text = lines.pop()!;
      const line = lines.find((each) => each.includes(`"message":"${message}"`));
      if (line !== undefined) resolve(JSON.parse(line) as { readonly [name: string]: unknown });
    });
    child.once("exit", (code) => reject(new Error(`The process ended with ${code}: ${text}`)));
  });

const exitOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once("exit", (code) => resolve(code)));
