import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import type { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { createHandler } from "../../../../targets/typescript/runtime/server/handler.ts";
import { engineOn } from "../../../../targets/typescript/runtime/sqlite/engine.ts";
import { functions, greet, orders } from "../workflows.ts";
import { ask, log, openTestEngine, servers, startServer, token, url } from "./asking.ts";

describe("runs", () => {
  test("are started with the body as input and return their result", async () => {
    const started = await ask("POST", "/workflows/greet/runs", { body: '"Ada"' });
    expect(started.status).toBe(201);
    const location = started.headers.get("location")!;
    expect(location).toBe(`/runs/${started.body.id}`);
    const result = await ask("GET", `${location}/result?wait=5`);
    expect([result.status, result.body]).toEqual([200, { greeting: "Hello Ada" }]);
    const run = await ask("GET", location);
    expect(run.body).toMatchObject({
      status: "succeeded",
      workflow: "greet",
      input: "Ada",
      waitingFor: { events: [] },
    });
    expect(run.body.steps.map(({ key }: { key: string }) => key)).toEqual(["greet"]);
  });

  test("are started once per id, however it is passed", async () => {
    const first = await ask("POST", "/workflows/greet/runs", { body: '"Ada"', headers: { "idempotency-key": "one" } });
    const second = await ask("POST", "/workflows/greet/runs?id=one", { body: '"Ada"' });
    expect([first.status, second.status, second.body.id]).toEqual([201, 200, "one"]);
    const other = await ask("POST", "/workflows/greet/runs?id=one", { body: '"Bob"' });
    expect([other.status, other.body.title]).toEqual([409, "Another run"]);
  });

  test("start once if concurrent requests have one id and different inputs", async () => {
    const inputs = ['"Ada"', '"Bob"', '"Cid"', '"Ada"'];
    const requests = inputs.map((body) => ask("POST", "/workflows/greet/runs?id=raced", { body }));
    const answers = await Promise.all(requests);
    const { input } = (await ask("GET", "/runs/raced")).body;
    const wanted = inputs.map((each) => (JSON.parse(each) === input ? "taken" : "Another run"));
    expect(answers.map(({ status, body }) => (status < 300 ? "taken" : body.title))).toEqual(wanted);
  });

  test("have the input `{}` without a body", async () => {
    const { body } = await ask("POST", "/workflows/greet/runs");
    expect((await ask("GET", `/runs/${body.id}`)).body.input).toEqual({});
  });

  test("are not started with input that their workflow does not accept", async () => {
    const inputError = (_: string, input: unknown) =>
      input === 1 ? Object.assign(new Error("No."), { name: "InvalidInput" }) : undefined;
    const strict = await startServer({ inputError });
    const post = (body: string) =>
      fetch(`${strict}/workflows/greet/runs`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
    const refused = await post("1");
    expect([refused.status, await refused.json()]).toMatchObject([422, { title: "InvalidInput", detail: "No." }]);
    expect(await (await fetch(`${strict}/runs`)).json()).toEqual({ runs: [] });
    expect((await post('"Ada"')).status).toBe(201);
  });

  test("that have ended are pruned by age", async () => {
    const { body } = await ask("POST", "/workflows/greet/runs", { body: '"Ada"' });
    await ask("GET", `/runs/${body.id}/result?wait=5`);
    expect((await ask("POST", "/prune?older-than=P1D")).body).toEqual({ forgotten: 0 });
    expect((await ask("GET", `/runs/${body.id}`)).status).toBe(200);
    expect((await ask("POST", "/prune?older-than=PT0S")).body.forgotten).toBeGreaterThan(0);
    expect((await ask("GET", `/runs/${body.id}`)).status).toBe(404);
    const refused = await ask("POST", "/prune?older-than=long");
    expect([refused.status, refused.body.title]).toEqual([400, "Malformed duration"]);
  });

  test("that failed return their error and can be retried", async () => {
    const { body } = await ask("POST", "/workflows/greet/runs", { body: '"nobody"' });
    const result = await ask("GET", `/runs/${body.id}/result?wait=5`);
    expect([result.status, result.body.title, result.body.detail]).toEqual([422, "Nobody", "There is nobody."]);
    expect(result.body.error).toEqual({ name: "Nobody", message: "There is nobody." });
    expect((await ask("POST", `/runs/${body.id}/retry`)).status).toBe(202);
    expect((await ask("GET", `/runs/${body.id}/result?wait=5`)).status).toBe(422);
    expect((await ask("POST", `/runs/${body.id}/cancel`)).status).toBe(409);
  });

  test("that are active report that and can be canceled", async () => {
    const { body } = await ask("POST", "/workflows/order%2Fnew/runs", { body: "{}" });
    const path = `/runs/${body.id}`;
    expect((await ask("GET", `${path}/result`)).status).toBe(202);
    expect((await ask("GET", `${path}/result?wait=0.05`)).body.status).toBe("waiting");
    expect((await ask("POST", `${path}/retry`)).status).toBe(409);
    expect((await ask("POST", `${path}/cancel`)).body.status).toBe("cancelled");
    expect((await ask("GET", `${path}/result`)).status).toBe(410);
  });

  test("are listed with the newest first", async () => {
    await ask("POST", "/workflows/greet/runs?id=older", { body: '"Ada"' });
    await ask("POST", "/workflows/greet/runs?id=newer", { body: '"Ada"' });
    const { body } = await ask("GET", "/runs?workflow=greet&limit=2");
    expect(body.runs.map(({ id }: { id: string }) => id)).toEqual(["newer", "older"]);
    const cancelled = await ask("GET", "/runs?status=cancelled&workflow=order%2Fnew");
    expect(cancelled.body.runs).toHaveLength(1);
  });
});

describe("access is denied with", () => {
  test.each<[string, { [name: string]: string }, number]>([
    ["no token", { authorization: "" }, 401],
    ["another token", { authorization: "Bearer other" }, 401],
    ["another scheme", { authorization: `Basic ${token}` }, 401],
    ["a page of another site", { origin: "https://evil.example" }, 403],
  ])("%s", async (_who, headers, status) => {
    const refused = await ask("GET", "/runs", { headers });
    expect(refused.status).toBe(status);
    expect(refused.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("a response before the body is read", async () => {
    const { status, text } = await raw(`POST /events HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n`);
    expect(status).toBe(401);
    expect(text.toLowerCase()).toContain("connection: close");
  });

  test("no exception but the health check", async () => {
    expect(await ask("GET", "/health", { headers: { authorization: "" } })).toMatchObject({
      status: 200,
      body: { status: "ok" },
    });
  });

  test("a host name that is not the server's", async () => {
    const port = new URL(await startServer({ hosts: ["127.0.0.1", "localhost"] })).port;
    const statuses = ["localhost", "127.0.0.1", "evil.example"].map(
      (host) =>
        new Promise((resolve) => {
          const headers = { host: `${host}:${port}` };
          send({ port, path: "/runs", headers }, (response) => resolve(response.resume().statusCode)).end();
        }),
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 421]);
  });
});

describe("unknown resources", () => {
  test.each([
    ["GET", "/nothing", 404],
    ["GET", "/runs/none", 404],
    ["GET", "/runs/none/result", 404],
    ["POST", "/runs/none/cancel", 404],
    ["POST", "/runs/none/retry", 404],
    ["POST", "/workflows/none/runs", 404],
    ["GET", "/runs/", 404],
    ["GET", "/runs/a/b/c", 404],
    ["GET", "/runs/%2e%2e%2fhealth", 404],
    ["GET", "/runs/%zz", 400],
    ["DELETE", "/runs", 405],
    ["GET", "/events", 405],
    ["PUT", "/runs/none/constructor", 404],
    ["GET", "/runs?status=done", 400],
    ["GET", "/runs?limit=0", 400],
    ["GET", "/runs?limit=1e3", 400],
    ["GET", "/runs/none/result?wait=1000", 400],
  ])("%s %s", async (method, path, status) => expect((await ask(method, path)).status).toBe(status));

  test("an unsupported method gets the supported ones in the response", async () => {
    expect((await ask("DELETE", "/runs")).headers.get("allow")).toBe("GET");
  });
});

describe("bodies", () => {
  const deep = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  test.each<[string, string | Uint8Array, { [name: string]: string }, number, string]>([
    ["not JSON", "hello", {}, 400, "Not JSON"],
    ["another type", "1", { "content-type": "text/plain" }, 415, "Not JSON"],
    ["not UTF-8", new Uint8Array([34, 255, 34]), {}, 400, "Not UTF-8"],
    ["a number beyond double", `{ "a": [1e400] }`, {}, 400, "Too large a number"],
    ["a repeated member", `{ "a": 1, "b": { "a": 2, "\\u0061": 3 } }`, {}, 400, "Repeated member"],
    ["too deep", deep(501), {}, 400, "Too deep"],
    ["deeper than any stack", deep(4_000_000), {}, 400, "Too deep"],
    ["too long", `"${"x".repeat(10 * 1024 * 1024)}"`, {}, 413, "Too large"],
    ["compressed", "x", { "content-encoding": "gzip" }, 415, "Encoded body"],
  ])("%s", async (_what, body, headers, status, title) => {
    const refused = await ask("POST", "/workflows/greet/runs", { body, headers });
    expect([refused.status, refused.body.title]).toEqual([status, title]);
  });

  test("brackets in strings do not count as nesting", async () => {
    expect((await ask("POST", "/workflows/greet/runs", { body: JSON.stringify(`\\"${deep(501)}`) })).status).toBe(201);
    expect((await ask("POST", "/workflows/greet/runs", { body: deep(500) })).status).toBe(201);
  });

  test("too long without a content length", async () => {
    const chunk = "x".repeat(1024 * 1024);
    const head = `POST /events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ntransfer-encoding: chunked\r\n\r\n`;
    const { status } = await raw(
      head,
      Array.from({ length: 11 }, () => `${chunk.length.toString(16)}\r\n${chunk}\r\n`),
    );
    expect(status).toBe(413);
  });

  test.each(["", "\u0001", "x".repeat(201)])("an invalid id: %j", async (id) => {
    expect((await ask("POST", `/workflows/greet/runs?id=${encodeURIComponent(id)}`)).status).toBe(400);
  });
});

test("unexpected errors are logged and not sent to the client", async () => {
  const engine = {
    ...openTestEngine(),
    list: () => {
      throw new Error("the secret reason");
    },
  };
  const server = createServer(createHandler(engine, { workflows: [], log: (entry) => log.push(entry) }));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/runs`);
  const text = await response.text();
  expect(response.status).toBe(500);
  expect(text).not.toContain("secret");
  expect(log.at(-1)?.["reason"]).toContain("the secret reason");
});

test("the handler can be mounted below a path of another server", async () => {
  const base = await startServer({ prefix: "/flows" });
  expect((await fetch(`${base}/flows/health`)).status).toBe(200);
  expect((await fetch(`${base}/health`)).status).toBe(404);
  const started = await fetch(`${base}/flows/workflows/greet/runs?id=mounted`, { method: "POST" });
  expect(started.headers.get("location")).toBe("/flows/runs/mounted");
});

/** Sends raw data and reads until the server closes the connection. */
function raw(head: string, rest: readonly string[] = []): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => {
      socket.write(head);
      for (const part of rest) socket.write(part);
    });
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => resolve({ status: Number(text.split(" ")[1]), text }));
  });
}

test("one of two concurrent starts with one id and different inputs is rejected", async () => {
  const start = (input: string) => ask("POST", "/workflows/greet/runs?id=twice", { body: JSON.stringify(input) });
  const both = await Promise.all([start("Ada"), start("Bob")]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect((await ask("GET", "/runs/twice")).body.input).toBe(both[0]!.status === 201 ? "Ada" : "Bob");
});

test("while the disk is full, requests are rejected and the server is unhealthy; then it recovers", async () => {
  const databases: DatabaseSync[] = [];
  const options = { store: ":memory:", workflows: [greet, orders], functions, send: () => undefined };
  const engine = engineOn({ ...options, log: () => undefined }, { opened: (db) => void databases.push(db) });
  const server = await startServer({}, engine);
  const start = () =>
    fetch(`${server}/workflows/greet/runs`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify("x".repeat(200_000)),
    });
  const pages = databases[0]!.prepare("PRAGMA page_count").get()!["page_count"];
  databases[0]!.exec(`PRAGMA max_page_count = ${pages}`);
  const refused = await start();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
  const health = await fetch(`${server}/health`);
  expect([health.status, await health.json()]).toEqual([503, { status: "store" }]);
  databases[0]!.exec("PRAGMA max_page_count = 100000");
  await expect.poll(async () => (await fetch(`${server}/health`)).status, { timeout: 5000 }).toBe(200);
  expect((await start()).status).toBe(201);
  await engine.close();
});
