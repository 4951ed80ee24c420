import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { programFolder } from "../program.ts";
import { type ServerProcess, serve } from "./running.ts";

// Functions in worker threads of a server process.

const main = `import { defineWorkflow, limited, main, openEngine, WorkflowError } from "./runtime.js";

const call = defineWorkflow({
  id: "call", version: "1", name: "Call", anyInput: true,
  run: async (flow, fn, { name, argument, timeout, retries = 0 }) => {
    const options = { ...(timeout && { timeout }), ...(retries && { retries: [{ limit: retries }] }) };
    try {
      return await flow.step("Call", (step) => fn[name](argument, step), options);
    } catch (thrown) {
      return { error: flow.failure(thrown) };
    }
  },
});

let going = 0;
const functions = {
  echo: async (argument, { key, attempt, timeout, position, signal }) =>
    ({ argument, key, attempt, timeout, position, isAborted: signal.aborted }),
  compute: (milliseconds) => {
    for (const end = Date.now() + milliseconds; Date.now() < end; );
    return "computed";
  },
  fail: () => {
    throw new WorkflowError("NoStock", "There is none.", { data: { left: 0 } });
  },
  throwText: async () => {
    throw "a text";
  },
  noJson: () => 1n,
  hang: (argument, { signal }) => new Promise((resolve) => {
    signal.addEventListener("abort", () => console.error("aborted: " + signal.reason.message));
  }),
  exit: async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.exit(3);
  },
  throwLater: async () => {
    setTimeout(() => { throw new Error("Nobody catches this."); }, 10);
    return "over";
  },
  reject: async () => {
    void Promise.reject(new Error("Nobody handles this."));
    return "over";
  },
  slow: async () => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    return "slow";
  },
  one: limited(async () => {
    going += 1;
    const seen = going;
    await new Promise((resolve) => setTimeout(resolve, 50));
    going -= 1;
    return seen;
  }, { concurrency: 1 }),
};

process.exitCode = await main({ workflows: [call], functions, open: openEngine, location: import.meta.url });
`;

const serveWith = (workers: number): Promise<ServerProcess> =>
  serve(programFolder({ "main.ts": main }), ["--no-token", "--workers", `${workers}`]);

interface Call {
  readonly name: string;
  readonly argument?: unknown;
  readonly timeout?: number;
  readonly retries?: number;
}

let ids = 0;

/** Starts a run that calls a function. Returns its id. */
async function start({ ask }: ServerProcess, call: Call): Promise<string> {
  const id = `r${ids++}`;
  await ask("POST", `/workflows/call/runs?id=${id}`, { argument: null, ...call });
  return id;
}

const resultOf = async ({ ask }: ServerProcess, id: string): Promise<unknown> =>
  (await ask("GET", `/runs/${id}/result?wait=20`)).body;

const called = async (server: ServerProcess, call: Call): Promise<unknown> =>
  resultOf(server, await start(server, call));

describe("functions in worker threads", () => {
  test("receive their argument and step, and return results and errors as in the main thread", async () => {
    const server = await serveWith(2);
    const id = await start(server, { name: "echo", argument: { a: [1, "ä"] }, timeout: 5 });
    expect(await resultOf(server, id)).toEqual({
      ...{ argument: { a: [1, "ä"] }, key: `${id}/Call`, attempt: 1, timeout: 5, position: [], isAborted: false },
    });
    const failures = {
      fail: { name: "NoStock", message: "There is none.", data: { left: 0 } },
      throwText: { name: "Error", message: "a text" },
      noJson: { name: "DataError", message: expect.stringContaining("not JSON") },
    };
    for (const [name, error] of Object.entries(failures))
      expect(await called(server, { name })).toEqual({ error: { origin: "function", ...error } });
    expect(await server.stop("SIGTERM")).toBe(0);
  }, 30_000);

  test("do not stop the server while they compute", async () => {
    const server = await serveWith(1);
    const id = await start(server, { name: "compute", argument: 2000 });
    const times: number[] = [];
    for (const end = performance.now() + 1500; performance.now() < end; ) {
      const began = performance.now();
      expect((await server.ask("GET", "/health")).status).toBe(200);
      times.push(performance.now() - began);
    }
    expect(times.sort((a, b) => a - b)[Math.floor(times.length / 2)]).toBeLessThan(100);
    expect(await resultOf(server, id)).toBe("computed");
    await server.stop("SIGTERM");
  }, 30_000);

  test("are replaced when they compute longer than their timeout, and other calls are made again", async () => {
    const server = await serveWith(1);
    const slow = await start(server, { name: "slow" });
    const endless = await start(server, { name: "compute", argument: 60_000, timeout: 1 });
    expect(await resultOf(server, endless)).toMatchObject({ error: { origin: "timeout", name: "Timeout" } });
    expect(await resultOf(server, slow)).toBe("slow");
    expect(await called(server, { name: "compute", argument: 10 })).toBe("computed");
    expect(server.log()).toContain('"message":"A worker thread for functions has ended. It is replaced."');
    await server.stop("SIGTERM");
  }, 30_000);

  test("fail alone when they end their thread, and the server continues", async () => {
    const server = await serveWith(1);
    const others = [];
    for (let i = 0; i < 3; i++) others.push(await start(server, { name: "slow" }));
    const hanging = await start(server, { name: "hang" });
    const deadly = await start(server, { name: "exit", retries: 1 });
    const error = { origin: "function", name: "WorkerDied" };
    expect(await resultOf(server, deadly)).toMatchObject({ error });
    for (const id of others) expect(await resultOf(server, id)).toBe("slow");
    expect((await server.ask("GET", `/runs/${hanging}`)).body).toMatchObject({ status: "running" });
    expect((await server.ask("POST", `/runs/${hanging}/cancel`)).status).toBe(200);
    await expect.poll(() => server.log()).toContain("aborted: The run was cancelled.");
    await server.stop("SIGTERM");
  }, 40_000);

  test("share their limits, and rejections that nothing handles are logged", async () => {
    const server = await serveWith(2);
    const ones = [];
    for (let i = 0; i < 6; i++) ones.push(await start(server, { name: "one" }));
    for (const id of ones) expect(await resultOf(server, id)).toBe(1);
    expect(await called(server, { name: "reject" })).toBe("over");
    await expect.poll(() => server.log()).toContain("Nobody handles this.");
    await server.stop("SIGTERM");
  }, 30_000);

  test("that throw outside of a promise end their thread, not the server", async () => {
    const server = await serveWith(1);
    expect(await called(server, { name: "throwLater" })).toBe("over");
    await expect.poll(() => server.log()).toContain("Nobody catches this.");
    expect(await called(server, { name: "echo", argument: 1 })).toMatchObject({ argument: 1 });
    expect(await server.stop("SIGTERM")).toBe(0);
  }, 30_000);
});

test("without worker threads, an uncaught exception is logged as JSON and ends the process with status 70", async () => {
  const server = await serveWith(0);
  const closed = once(server.child, "close");
  await start(server, { name: "throwLater" }).catch(() => undefined);
  expect(await closed).toEqual([70, null]);
  const last = server.log().trim().split("\n").at(-1)!;
  expect(JSON.parse(last)).toMatchObject({
    level: "error",
    message: "An exception was not caught. The process ends.",
    reason: expect.stringContaining("Error: Nobody catches this."),
  });
}, 30_000);
