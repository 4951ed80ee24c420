import { expect, test } from "vitest";
import { openEngine } from "../../../../targets/typescript/runtime/sqlite/engine.ts";
import { defineWorkflow } from "../../../../targets/typescript/runtime/workflow.ts";
import { startServer } from "./asking.ts";

const carts = defineWorkflow({
  id: "cart",
  version: "1",
  name: "Cart",
  events: { added: { type: "cart.added" }, closed: { type: "cart.closed" } },
  waits: { Wait: { alternatives: [{ all: [["added"]] }, { all: [["closed"]] }] } },
  async run(flow, _: unknown, input) {
    const items = [];
    for (;;) {
      const { events } = await flow.receive("Wait");
      if (events[0]?.event.type === "cart.closed") return { input, items };
      items.push(events[0]?.event.data ?? null);
    }
  },
});

async function serve(credentials?: NonNullable<Parameters<typeof startServer>[0]["credentials"]>) {
  const engine = openEngine({
    store: ":memory:",
    workflows: [carts],
    functions: {},
    send: () => undefined,
    log: () => undefined,
  });
  const inputError = (_: string, input: unknown) =>
    input === 1 ? Object.assign(new Error("No."), { name: "InvalidInput" }) : undefined;
  const url = await startServer({ workflows: ["cart"], inputError, credentials }, engine);
  return async (path: string, body: unknown, headers: { readonly [name: string]: string } = {}) => {
    const response = await fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { readonly event: string; readonly run: { readonly status: string } };
    return { status: response.status, body: answer };
  };
}

const event = (id: string, type: string, data?: unknown) => ({ specversion: "1.0", id, source: "/shop", type, data });

test("a signal starts a run with its event, and is only an event for a run that exists", async () => {
  const post = await serve();
  const first = await post("/workflows/cart/signal?id=c1", {
    input: { user: "Ada" },
    event: event("1", "cart.added", 1),
  });
  expect([first.status, first.body]).toMatchObject([201, { event: "accepted", run: { id: "c1" } }]);
  const second = await post("/workflows/cart/signal?id=c1", { event: event("2", "cart.added", 2) });
  expect([second.status, second.body.event]).toEqual([200, "accepted"]);
  const repeated = await post("/workflows/cart/signal?id=c1", { event: event("2", "cart.added", 2) });
  expect([repeated.status, repeated.body.event]).toEqual([200, "duplicate"]);
  await post("/workflows/cart/signal?id=c1", { event: event("3", "cart.closed") });
  const { body } = await post("/workflows/cart/signal?id=c1", { event: event("3", "cart.closed") });
  await expect.poll(async () => body.run.status).toMatch(/waiting|running|succeeded/);
  const again = await post("/workflows/cart/signal?id=c1", { event: event("3", "cart.closed") });
  expect(again.body.run).toMatchObject({ status: "succeeded", output: { input: { user: "Ada" }, items: [1, 2] } });
});

test("what is no signal is refused, and starts nothing", async () => {
  const post = await serve();
  const good = event("1", "cart.added");
  for (const [body, status] of [
    [{ input: {} }, 400],
    [{ event: good, id: "c2" }, 400],
    [[good], 400],
    [{ event: { type: "cart.added" } }, 400],
    [{ event: good, input: 1 }, 422],
  ] as const)
    expect((await post("/workflows/cart/signal?id=c2", body)).status).toBe(status);
  expect((await post("/workflows/other/signal", { event: good })).status).toBe(404);
  expect((await post("/workflows/cart/signal?id=c2", { event: good })).status).toBe(201);
});

test("a signal needs the permissions to start runs and to send events", async () => {
  const post = await serve(() => [
    { token: "both", may: ["start", "events", "read"] },
    { token: "start", may: ["start"] },
    { token: "events", may: ["events"] },
    { token: "other", may: ["start", "events"], workflows: ["orders"] },
  ]);
  const statusWith = async (token: string) =>
    (await post("/workflows/cart/signal", { event: event(token, "cart.added") }, { authorization: `Bearer ${token}` }))
      .status;
  expect(await statusWith("start")).toBe(403);
  expect(await statusWith("events")).toBe(403);
  expect(await statusWith("other")).toBe(403);
  expect(await statusWith("unknown")).toBe(401);
  expect(await statusWith("both")).toBe(201);
});
