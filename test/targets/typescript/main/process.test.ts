import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { respondWith, startFunctionServer } from "../functions/servers.ts";
import { typeErrors } from "../program.ts";
import { program, run, type ServerProcess, serve, workflows } from "./running.ts";

// Programs in separate processes that are stopped and killed.

const event = (id: string, type: string, data?: unknown) => ({ specversion: "1.0", id, source: "/shop", type, data });
const structured = { "content-type": "application/cloudevents+json" };

test("the program passes the type checker", async () => {
  expect(await typeErrors(program(), ["main.ts"])).toBe("");
}, 60_000);

describe("a server", () => {
  test("requires its token, accepts events, and resumes after it was stopped or killed", async () => {
    const folder = program();
    const first = await serve(folder);
    expect(first.token).toMatch(/^[\w-]{32}$/);
    expect((await first.ask("GET", "/runs", undefined, { authorization: "Bearer x" })).status).toBe(401);
    await first.ask("POST", "/workflows/order/runs?id=o1", {});
    expect(await first.stop("SIGTERM")).toBe(0);
    expect(first.log()).toContain('"message":"Stopped."');
    const second = await serve(folder, [], { WAYBILL_TOKEN: "mine" });
    expect(second.log()).not.toContain("bearer token");
    const mine = { authorization: "Bearer mine" };
    const waiting = async () => (await second.ask("GET", "/runs/o1", undefined, mine)).body;
    await expect.poll(waiting).toMatchObject({
      status: "waiting",
      waitingFor: { events: ["paid"] },
    });
    expect(await second.stop("SIGKILL")).toBe("SIGKILL");
    const third = await serve(folder, ["--no-token"]);
    await third.ask("POST", "/events", event("1", "order.paid", 5), structured);
    expect((await third.ask("GET", "/runs/o1/result?wait=5")).body).toEqual({ version: "1", paid: 5 });
    expect((await third.ask("GET", "/runs", undefined, { origin: "http://evil.example" })).status).toBe(403);
    expect(await third.stop("SIGINT")).toBe(0);
  }, 30_000);

  test("responds to waiting clients before it stops, and waits for functions for the grace period only", async () => {
    const server = await serve(program(), ["--no-token", "--grace", "1"]);
    await server.ask("POST", "/workflows/greet/runs?id=g", "never");
    const waiting = server.ask("GET", "/runs/g/result?wait=60");
    await new Promise((resolve) => setTimeout(resolve, 200));
    const stopped = server.stop("SIGTERM");
    expect((await waiting).status).toBe(202);
    expect(await stopped).toBe(1);
    expect(server.log()).toContain("exceeded the grace period");
  }, 20_000);

  test("prunes ended runs after the retention period", async () => {
    const folder = program();
    const store = ["--store", join(folder, "runs.db")];
    await run(folder, ["start", "greet", "--input", '"Ada"', "--id", "over", "--wait", ...store]);
    await run(folder, ["start", "order", "--id", "open", ...store]);
    const long = await serve(folder, ["--no-token", "--keep", "P1D", ...store]);
    expect((await long.ask("GET", "/runs/over")).status).toBe(200);
    expect(await long.stop("SIGTERM")).toBe(0);
    const short = await serve(folder, ["--no-token", "--keep", "PT0S", ...store]);
    await expect.poll(() => short.log()).toContain("Old runs are forgotten.");
    expect((await short.ask("GET", "/runs/over")).status).toBe(404);
    expect((await short.ask("GET", "/runs/open")).status).toBe(200);
  }, 30_000);

  test("blocks the only run that ends the process, and no other one that was in a call", async () => {
    const folder = program();
    const store = ["--no-token", "--store", join(folder, "runs.db")];
    const first = await serve(folder, store);
    for (let i = 0; i < 12; i++) await first.ask("POST", `/workflows/greet/runs?id=innocent${i}`, "never");
    const died = once(first.child, "close");
    await first.ask("POST", "/workflows/greet/runs?id=deadly", "exit").catch(() => undefined);
    await died;
    const survivor = async () => {
      const server = await serve(folder, store).catch(() => undefined);
      if (!server) return undefined;
      const read = async () => (await server.ask("GET", "/runs/deadly")).body as { readonly status: string };
      return Promise.race([once(server.child, "close").then(() => undefined), blocked(read).then(() => server)]);
    };
    let last: ServerProcess | undefined;
    for (let deaths = 1; !last; deaths++) {
      expect(deaths).toBeLessThanOrEqual(6);
      last = await survivor();
    }
    expect((await last.ask("GET", "/runs/deadly")).body).toMatchObject({
      status: "stranded",
      reason: "The process has died 6 times while the run was executed, 3 times with this run alone.",
    });
    const { runs } = (await last.ask("GET", "/runs?status=stranded")).body as { readonly runs: readonly unknown[] };
    expect(runs).toHaveLength(1);
    expect((await last.ask("POST", "/workflows/greet/runs?id=new", "Ada")).status).toBe(201);
    expect((await last.ask("GET", "/runs/new/result?wait=20")).body).toEqual({ greeting: "Hello Ada" });
    await last.stop("SIGKILL");
  }, 60_000);

  test("survives an unhandled rejection in a function and logs it", async () => {
    const server = await serve(program(), ["--no-token"]);
    await server.ask("POST", "/workflows/greet/runs?id=g", "floating");
    expect((await server.ask("GET", "/runs/g/result?wait=5")).body).toEqual({ greeting: "Hello floating" });
    await expect.poll(() => server.log()).toContain("Nobody awaits this.");
    expect((await server.ask("GET", "/health")).status).toBe(200);
    expect(await server.stop("SIGTERM")).toBe(0);
  }, 20_000);

  test("logs one JSON object per line", async () => {
    const server = await serve(program(), ["--no-token"]);
    await server.stop("SIGTERM");
    const entries = server
      .log()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(entries.map(({ message }) => message)).toEqual(["Serving.", "Stopping.", "Stopped."]);
    expect(Object.keys(entries[0])).toEqual(["time", "level", "message", "url", "workflows"]);
  }, 20_000);

  test("locks its store: commands connect to its URL", async () => {
    const folder = program();
    const { url, token, ask } = await serve(folder);
    const refused = await run(folder, ["cancel", "x"]);
    expect(refused.status).toBe(1);
    expect(refused.err).toBe("The store runs.db is in use by another process. Use --url for the server that has it.\n");
    const remote = ["--url", url];
    const environment = { WAYBILL_TOKEN: token };
    expect(
      await run(folder, ["start", "greet", "--input", '"Ada"', "--wait", ...remote], "", environment),
    ).toMatchObject({
      status: 0,
      out: '{\n  "greeting": "Hello Ada"\n}\n',
    });
    expect((await run(folder, ["start", "order", "--id", "o", ...remote, "--token", token])).out).toBe("o\n");
    expect((await run(folder, ["list", "--workflow", "order", "--json", ...remote], "", environment)).out).toContain(
      '"id":"o"',
    );
    expect((await run(folder, ["cancel", "o", ...remote], "", environment)).status).toBe(0);
    expect((await ask("GET", "/runs/o")).body).toMatchObject({ status: "cancelled" });
    expect((await run(folder, ["prune", "--older-than", "PT0S", ...remote], "", environment)).out).toBe("2\n");
    expect((await ask("GET", "/runs/o")).status).toBe(404);
    expect(await run(folder, ["show", "x", ...remote], "", environment)).toMatchObject({
      status: 1,
      err: "There is no run x.\n",
    });
    expect((await run(folder, ["list", ...remote])).err).toContain("status 401: The request needs a bearer token.");
    expect((await run(folder, ["list", "--url", "http://127.0.0.1:1"])).err).toContain("does not respond");
  }, 40_000);

  test("commands delete one run, of a server or a store, and compact a store", async () => {
    const folder = program();
    const store = ["--store", join(folder, "runs.db")];
    const server = await serve(folder, ["--no-token", ...store]);
    const remote = ["--url", server.url];
    for (const id of ["a", "b"]) await run(folder, ["start", "greet", "--id", id, "--wait", ...remote]);
    await server.ask("POST", "/workflows/order/runs?id=open", {});
    expect(await run(folder, ["prune", "a", ...remote])).toMatchObject({ status: 0, out: "1\n" });
    expect(await run(folder, ["prune", "a", ...remote])).toMatchObject({ status: 1, err: "There is no run a.\n" });
    expect((await run(folder, ["prune", "open", ...remote])).err).toContain("Run open has not ended");
    expect((await server.ask("DELETE", "/runs/open")).status).toBe(409);
    expect((await run(folder, ["compact", ...store])).err).toContain("is in use by another process");
    await server.stop("SIGTERM");
    expect(await run(folder, ["prune", "b", ...store])).toMatchObject({ status: 0, out: "1\n" });
    expect((await run(folder, ["prune", "b", "--older-than", "P1D", ...store])).status).toBe(2);
    expect(await run(folder, ["compact", ...store])).toEqual({ status: 0, out: "", err: "" });
    expect((await run(folder, ["list", ...store])).out).toMatch(/^RUN .*\nopen .*\n$/);
  }, 40_000);

  test("commands list and show runs of a locked store without changing it", async () => {
    const folder = program();
    const server = await serve(folder, ["--no-token"]);
    await server.ask("POST", "/workflows/order/runs?id=o1", {});
    await expect
      .poll(async () => (await run(folder, ["list"])).out, { timeout: 10_000 })
      .toMatch(/^o1 +order +waiting /m);
    expect(JSON.parse((await run(folder, ["show", "o1"])).out)).toMatchObject({ waitingFor: { events: ["paid"] } });
    expect((await run(folder, ["versions"])).out).toMatch(/^order +1 +1 +new$/m);
    expect((await run(folder, ["prune", "--older-than", "P1D"])).err).toContain("is in use by another process");
    await server.ask("POST", "/events", event("1", "order.paid", 5), structured);
    expect((await server.ask("GET", "/runs/o1/result?wait=5")).body).toEqual({ version: "1", paid: 5 });
    await server.stop("SIGTERM");
  }, 30_000);

  test("resends an event while its sink is unavailable, and reports that; the run does not wait", async () => {
    let requests = 0;
    const sink = await startFunctionServer((_, response) => response.writeHead(++requests < 3 ? 503 : 202).end());
    const server = await serve(program(), ["--no-token", "--sink", sink.url]);
    await server.ask("POST", "/workflows/order/runs?id=o1", {});
    await server.ask("POST", "/events", event("1", "order.paid", 5), structured);
    expect((await server.ask("GET", "/runs/o1/result?wait=10")).body).toEqual({ version: "1", paid: 5 });
    expect((await server.ask("GET", "/health")).body).toEqual({ status: "ok", unsent: 1 });
    await expect
      .poll(async () => (await server.ask("GET", "/runs/o1")).body)
      .toMatchObject({
        unsent: [
          { event: "o1/done", type: "order.done", status: "waiting", reason: "The sink responded with status 503." },
        ],
      });
    await expect
      .poll(async () => (await server.ask("GET", "/health")).body, { timeout: 10_000 })
      .toEqual({ status: "ok" });
    expect(new Set(sink.requests.map(({ body }) => JSON.parse(body).id))).toEqual(new Set(["o1/done"]));
    expect(requests).toBe(3);
    await server.stop("SIGTERM");
  }, 20_000);

  test("waits for a call during the grace period when it stops", async () => {
    const folder = program();
    const server = await serve(folder, ["--no-token", "--grace", "20"]);
    await server.ask("POST", "/workflows/greet/runs?id=g", "slow");
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await server.stop("SIGTERM")).toBe(0);
    const after = await serve(folder, ["--no-token"]);
    expect((await after.ask("GET", "/runs/g/result?wait=4")).body).toEqual({ greeting: "Hello slow" });
    await after.stop("SIGTERM");
  }, 30_000);

  test("sends emitted events to the sink, or to its own workflows", async () => {
    const sink = await startFunctionServer(respondWith("", 202));
    const server = await serve(program(), ["--no-token", "--sink", sink.url]);
    await server.ask("POST", "/workflows/order/runs?id=o", {});
    await server.ask("POST", "/events", event("1", "order.paid"), structured);
    await server.ask("GET", "/runs/o/result?wait=5");
    await expect.poll(() => sink.requests.length).toBe(1);
    expect(sink.requests[0]!.headers["content-type"]).toBe("application/cloudevents+json");
    expect(JSON.parse(sink.requests[0]!.body)).toMatchObject({
      specversion: "1.0",
      type: "order.done",
      source: "/orders",
      data: { version: "1" },
    });
  }, 20_000);

  test("reports that it cannot listen", async () => {
    const { url } = await startFunctionServer(respondWith(null));
    const result = await run(program(), ["serve", "--port", new URL(url).port]);
    expect(result.status).toBe(1);
    expect(result.err).toContain("The server cannot listen: listen EADDRINUSE");
  }, 20_000);
});

describe("a new version of the program", () => {
  test("continues old runs with the unchanged version in the folder `previous`", async () => {
    const folder = program();
    await run(folder, ["start", "order", "--id", "old"]);
    const next = program({ "workflows.ts": workflows("2"), "previous/workflows.ts": workflows("1") });
    const server = await serve(next, ["--no-token", "--store", join(folder, "runs.db")]);
    await server.ask("POST", "/workflows/order/runs?id=new", {});
    await server.ask("POST", "/events", event("1", "order.paid", 1), structured);
    const versions = await Promise.all(
      ["old", "new"].map(async (id) => (await server.ask("GET", `/runs/${id}/result?wait=5`)).body),
    );
    expect(versions).toMatchObject([{ version: "1" }, { version: "2" }]);
    expect(server.log()).not.toContain("stranded");
  }, 20_000);

  test("runs modules in `previous` from an earlier Waybill release with its own runtime", async () => {
    const folder = program();
    await run(folder, ["start", "order", "--id", "old"]);
    const before = workflows("1").replace('"./runtime.js"', '"./runtime/index.ts"');
    const next = program({
      "workflows.ts": workflows("2"),
      "previous/old/workflows.ts": `import { paid } from "./workflows.expressions.js";\n${before.replace("events[0]?.event.data ?? null", "paid(events[0])")}`,
      "previous/old/workflows.expressions.js": "export const paid = ({ event }) => [event.data];\n",
      "previous/old/runtime/index.ts": 'throw new Error("This is the runtime of before.");\n',
      "previous/old/functions.ts": 'throw new Error("These are the functions of before.");\n',
    });
    const server = await serve(next, ["--no-token", "--store", join(folder, "runs.db")]);
    await server.ask("POST", "/events", event("1", "order.paid", 7), structured);
    expect((await server.ask("GET", "/runs/old/result?wait=5")).body).toEqual({ version: "1", paid: [7] });
    expect(server.log()).not.toContain("cannot be loaded");
  }, 20_000);

  test("lists the versions that runs need, and skips a module in `previous` that cannot be loaded", async () => {
    const folder = program();
    await run(folder, ["start", "order", "--id", "old"]);
    const next = program({
      "workflows.ts": workflows("3"),
      "previous/1.ts": workflows("1").replace("defineWorkflow, ", "nobodyHasThis, defineWorkflow, "),
      "previous/2.ts": workflows("2"),
    });
    const store = ["--store", join(folder, "runs.db")];
    await run(next, ["start", "order", "--id", "new", ...store]);
    const { out, err, status } = await run(next, ["versions", ...store]);
    expect(status).toBe(0);
    expect(err).toMatch(/A module in the folder previous cannot be loaded.*1\.ts.*nobodyHasThis/);
    expect(out.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
      ["WORKFLOW", "VERSION", "RUNS", "CODE"],
      ["greet", "1", "0", "new"],
      ["order", "2", "0", "previous"],
      ["order", "3", "1", "new"],
      ["order", "1", "1", "missing"],
      [""],
    ]);
    const server = await serve(next, ["--no-token", ...store]);
    const { versions } = (await server.ask("GET", "/versions")).body as { readonly versions: readonly object[] };
    expect(versions.at(-1)).toEqual({ workflow: "order", version: "1", runs: 1, code: "missing" });
  }, 20_000);

  test("reports runs whose code is missing", async () => {
    const folder = program();
    await run(folder, ["start", "order", "--id", "old"]);
    const server = await serve(program({ "workflows.ts": workflows("2") }), [
      "--no-token",
      "--store",
      join(folder, "runs.db"),
    ]);
    expect(server.log()).toContain("list --status stranded lists them");
    expect((await server.ask("GET", "/runs/old")).body).toMatchObject({ status: "stranded", version: "1" });
    expect((await server.ask("GET", "/runs/old/result")).status).toBe(409);
  }, 20_000);
});

/** Resolves when a run is blocked; never if its server has died before. */
async function blocked(read: () => Promise<{ readonly status: string }>): Promise<void> {
  for (;;) {
    const run = await read().catch(() => undefined);
    if (!run) return new Promise(() => undefined);
    if (run.status === "stranded") return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
