import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Credential } from "../../../../targets/typescript/runtime/server/access.ts";
import { ask, event, startServer, structured, token } from "./asking.ts";

const key = new Uint8Array(32).fill(3);
const credentials: Credential[] = [
  { token: "token-of-events", may: ["events"] },
  { token: "token-of-starts", may: ["start"], workflows: ["greet"] },
  { token: "token-of-tasks", may: ["tasks"] },
  { token: "token-of-reads", may: ["read"] },
  { token: "token-of-greet", may: ["start", "read", "manage"], workflows: ["greet"] },
  { token: "token-of-both", may: ["read"], workflows: ["greet", "order/new"] },
  { token: "token-of-manage", may: ["manage"] },
  { token: "token-that-signs", may: ["events"], secrets: [new Uint8Array(32).fill(4), key] },
  { secrets: [key], may: ["events"] },
];

let base: string | undefined;
const server = async () => (base ??= await startServer({ token, credentials: () => credentials }));

interface Sent {
  readonly body?: string;
  readonly headers?: { readonly [name: string]: string };
}

async function as(bearer: string | undefined, method: string, path: string, { body, headers = {} }: Sent = {}) {
  const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const response = await fetch((await server()) + path, {
    method,
    headers: { ...authorization, ...type, ...headers },
    body: body ?? null,
  });
  return {
    status: response.status,
    challenge: response.headers.get("www-authenticate"),
    body: response.status === 204 ? undefined : JSON.parse(await response.text()),
  };
}

const requests: readonly (readonly [method: string, path: string, scope: string])[] = [
  ["POST", "/events", "events"],
  ["POST", "/workflows/greet/runs", "start"],
  ["POST", "/tasks/none/success", "tasks"],
  ["POST", "/tasks/none/failure", "tasks"],
  ["POST", "/tasks/none/heartbeat", "tasks"],
  ["GET", "/activities/none", "tasks"],
  ["GET", "/runs", "read"],
  ["GET", "/runs/none", "read"],
  ["GET", "/runs/none/result", "read"],
  ["GET", "/versions", "read"],
  ["GET", "/runs/none/steps", "read"],
  ["GET", "/counts", "read"],
  ["GET", "/workflows", "read"],
  ["GET", "/workflows/greet/graph", "read"],
  ["GET", "/metrics", "read"],
  ["DELETE", "/runs/none", "manage"],
  ["POST", "/runs/none/cancel", "manage"],
  ["POST", "/runs/none/retry", "manage"],
  ["POST", "/prune?older-than=P1D", "manage"],
];
const tokens: { readonly [scope: string]: string } = {
  events: "token-of-events",
  start: "token-of-starts",
  tasks: "token-of-tasks",
  read: "token-of-reads",
  manage: "token-of-manage",
};

describe.each(requests)("%s %s", (method, path, scope) => {
  test.each(Object.entries(tokens))("with the permission %s", async (given, bearer) => {
    const { status, challenge } = await as(bearer, method, path);
    if (given === scope) expect([401, 403]).not.toContain(status);
    else expect([status, challenge]).toEqual([403, `Bearer error="insufficient_scope", scope="${scope}"`]);
  });

  test("without credentials, with unknown ones, and with those for everything", async () => {
    expect(await as(undefined, method, path)).toMatchObject({ status: 401, challenge: "Bearer" });
    expect(await as("other", method, path)).toMatchObject({ status: 401, challenge: `Bearer error="invalid_token"` });
    expect([401, 403]).not.toContain((await as(token, method, path)).status);
  });
});

describe("credentials limited to a workflow", () => {
  test("start, read and manage only its runs", async () => {
    expect((await as("token-of-greet", "POST", "/workflows/order%2Fnew/runs")).status).toBe(403);
    const own = await as("token-of-greet", "POST", "/workflows/greet/runs", { body: '"Ada"' });
    expect(own.status).toBe(201);
    const other = await as(token, "POST", "/workflows/order%2Fnew/runs");
    for (const path of [`/runs/${other.body.id}`, `/runs/${other.body.id}/result`])
      expect((await as("token-of-greet", "GET", path)).status).toBe(404);
    for (const path of [`/runs/${other.body.id}/cancel`, `/runs/${other.body.id}/retry`])
      expect((await as("token-of-greet", "POST", path)).status).toBe(404);
    expect((await as("token-of-greet", "GET", `/runs/${own.body.id}`)).status).toBe(200);
  });

  test("list only its runs and versions, and do not prune", async () => {
    await as(token, "POST", "/workflows/order%2Fnew/runs");
    await as(token, "POST", "/workflows/greet/runs", { body: '"Ada"' });
    const { body } = await as("token-of-greet", "GET", "/runs");
    const workflows = (list: readonly { readonly workflow: string }[]) => new Set(list.map((each) => each.workflow));
    expect(workflows(body.runs)).toEqual(new Set(["greet"]));
    expect((await as("token-of-greet", "GET", "/runs?workflow=order%2Fnew")).status).toBe(403);
    expect(workflows((await as("token-of-greet", "GET", "/versions")).body.versions)).toEqual(new Set(["greet"]));
    expect((await as("token-of-greet", "POST", "/prune?older-than=PT0S")).status).toBe(403);
    const both = await as("token-of-both", "GET", "/runs?workflow=order%2Fnew");
    expect(workflows(both.body.runs)).toEqual(new Set(["order/new"]));
  });
});

test.each([
  ["GET", "runs"],
  ["GET", "runs/steps"],
  ["DELETE", "runs"],
])("runs of another workflow do not exist for limited credentials: %s %s", async (method, path) => {
  const { body } = await as(token, "POST", "/workflows/order%2Fnew/runs");
  const [first, last] = path.split("/");
  const address = `/${first}/${body.id}${last === undefined ? "" : `/${last}`}`;
  expect((await as("token-of-greet", method, address)).status).toBe(404);
});

test("an event together with a start needs both permissions", async () => {
  const { status, challenge } = await as("token-of-starts", "POST", "/workflows/greet/signal");
  expect([status, challenge]).toEqual([403, `Bearer error="insufficient_scope", scope="events"`]);
});

test("a request that may start but not read gets no output of an existing run", async () => {
  await as(token, "POST", "/workflows/greet/runs?id=known", { body: '"Ada"' });
  await as(token, "GET", "/runs/known/result?wait=5");
  const again = await as("token-of-starts", "POST", "/workflows/greet/runs?id=known", { body: '"Ada"' });
  expect([again.status, again.body.status, again.body.output]).toEqual([200, "succeeded", undefined]);
});

test("credentials can be queried", async () => {
  expect((await as("token-of-greet", "GET", "/access")).body).toEqual({
    may: ["start", "read", "manage"],
    workflows: ["greet"],
  });
  expect((await ask("GET", "/access")).body).toEqual({ may: ["events", "start", "tasks", "read", "manage"] });
  expect((await as(undefined, "GET", "/access")).status).toBe(401);
  expect(await (await fetch(`${await startServer({})}/access`)).json()).toEqual({
    may: ["events", "start", "tasks", "read", "manage"],
  });
});

test("credentials change while the server runs", async () => {
  let current: readonly Credential[] = [{ token: "the-first-of-both", may: ["read"] }];
  const changing = await startServer({ credentials: () => current });
  const read = async (bearer: string) =>
    (await fetch(`${changing}/runs`, { headers: { authorization: `Bearer ${bearer}` } })).status;
  expect([await read("the-first-of-both"), await read("the-second-of-both")]).toEqual([200, 401]);
  current = [...current, { token: "the-second-of-both", may: ["read"] }];
  expect([await read("the-first-of-both"), await read("the-second-of-both")]).toEqual([200, 200]);
  current = current.slice(1);
  expect([await read("the-first-of-both"), await read("the-second-of-both")]).toEqual([401, 200]);
});

describe("signed events", () => {
  const signed = (body: string, by: Uint8Array = key, time = Date.now()) => {
    const timestamp = String(Math.floor(time / 1000));
    const signature = createHmac("sha256", by).update(`m1.${timestamp}.${body}`).digest("base64");
    const names = { "webhook-id": "m1", "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
    return { body, headers: { ...structured, ...names } };
  };
  const body = (id: string) => JSON.stringify(event(id));

  test("are accepted without a token", async () => {
    expect((await as(undefined, "POST", "/events", signed(body("s1")))).status).toBe(202);
  });

  test("are rejected if the signature is of another key, body or time", async () => {
    expect((await as(undefined, "POST", "/events", signed(body("s2"), new Uint8Array(32)))).status).toBe(401);
    expect((await as(undefined, "POST", "/events", { ...signed(body("s2")), body: body("s3") })).status).toBe(401);
    expect((await as(undefined, "POST", "/events", signed(body("s2"), key, Date.now() - 400_000))).status).toBe(401);
    const runs = await as(token, "GET", "/runs?workflow=order%2Fnew&limit=1000");
    expect(JSON.stringify(runs.body)).not.toMatch(/"s[23]"/);
  });

  test("do not permit anything else", async () => {
    const sent = signed("{}");
    const headers = { ...sent.headers, "content-type": "application/json" };
    expect((await as(undefined, "POST", "/workflows/greet/runs", { body: "{}", headers })).status).toBe(403);
  });

  test("are required of a token with secrets", async () => {
    const unsigned = { body: body("s4"), headers: structured };
    expect((await as("token-that-signs", "POST", "/events", unsigned)).status).toBe(401);
    expect((await as("token-that-signs", "POST", "/events", signed(body("s4")))).status).toBe(202);
    expect((await as("token-of-events", "POST", "/events", { ...unsigned, body: body("s5") })).status).toBe(202);
  });
});
