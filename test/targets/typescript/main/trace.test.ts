import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as api from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { expect, onTestFinished, test } from "vitest";
import type { Engine, Telemetry } from "../../../../targets/typescript/runtime/engine.ts";
import { http } from "../../../../targets/typescript/runtime/functions/http.ts";
import type { Json } from "../../../../targets/typescript/runtime/json.ts";
import { sendTo } from "../../../../targets/typescript/runtime/main/sinks.ts";
import { telemetryBy } from "../../../../targets/typescript/runtime/main/telemetry.ts";
import { createHandler } from "../../../../targets/typescript/runtime/server/handler.ts";
import { openEngine } from "../../../../targets/typescript/runtime/sqlite/engine.ts";
import { isTrace } from "../../../../targets/typescript/runtime/trace.ts";
import { defineWorkflow } from "../../../../targets/typescript/runtime/workflow.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const trace = `00-${traceId}-00f067aa0ba902b7-01`;

/** The headers and bodies of the requests to a server that answers null. */
async function listen(): Promise<{ readonly url: string; readonly requests: { trace: unknown; body: Json }[] }> {
  const requests: { trace: unknown; body: Json }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    requests.push({
      trace: request.headers["traceparent"],
      body: JSON.parse(Buffer.concat(chunks).toString()) as Json,
    });
    response.end();
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

interface Functions {
  pay: ReturnType<typeof http>;
}

const child = defineWorkflow({
  id: "child",
  version: "1",
  name: "Child",
  anyInput: true,
  run: (flow, fn: Functions, input: Json) => flow.step<Json>("Pay", (step) => fn.pay(input, step)),
});

const order = defineWorkflow({
  id: "order",
  version: "1",
  name: "Order",
  start: { on: [{ all: [["placed"]] }] },
  events: { placed: { type: "placed" }, paid: { type: "paid" }, done: { type: "done", source: "/orders" } },
  waits: { Wait: { alternatives: [{ all: [["paid"]] }] } },
  run: async (flow, fn: Functions) => {
    await flow.step<Json>("Ask", (step) => fn.pay("ask", step));
    await flow.receive("Wait");
    await flow.launch("Child", child, {});
    await flow.emit("done", "done", { n: 1 });
    return null;
  },
});

async function open(telemetry?: Telemetry): Promise<{ engine: Engine; requests: { trace: unknown; body: Json }[] }> {
  const { url, requests } = await listen();
  const engine = openEngine({
    store: ":memory:",
    workflows: [order, child],
    functions: { pay: http(`POST ${url}`) },
    send: (event, sending) => sendTo({ url }, event, sending),
    log: () => undefined,
    telemetry,
  });
  onTestFinished(() => engine.close());
  return { engine, requests };
}

const paid = { specversion: "1.0", id: "2", source: "/pay", type: "paid" } as const;

test("only values of the header traceparent are trace contexts", () => {
  expect(isTrace(trace)).toBe(true);
  for (const other of [
    `01${trace.slice(2)}`,
    trace.toUpperCase(),
    `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
    `${trace}-x`,
    7,
  ])
    expect(isTrace(other)).toBe(false);
});

test("the trace of a request stays with its run: calls, launched runs and emitted events belong to it", async () => {
  const { engine, requests } = await open();
  const server = createServer(createHandler(engine, { workflows: ["order"] }));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const started = await fetch(`${url}/workflows/order/runs?id=r1`, { method: "POST", headers: { traceparent: trace } });
  expect(started.status).toBe(201);
  expect(await (await fetch(`${url}/runs/r1`)).json()).toMatchObject({ trace });
  await engine.deliver(paid);
  await expect.poll(() => requests.length).toBe(3);
  const traces = requests.map((request) => String(request.trace));
  for (const each of traces) expect(each).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
  expect(new Set([...traces, trace]).size).toBe(4);
  const sent = requests.find(({ body }) => (body as { readonly type?: string }).type === "done")!;
  expect(isTrace((sent.body as { readonly traceparent?: string }).traceparent)).toBe(true);
});

test("an event that starts a run hands on its own trace; the workflow sees the event as it came", async () => {
  const { engine, requests } = await open();
  const { started } = await engine.deliver({ ...paid, id: "1", type: "placed", traceparent: trace });
  expect((await engine.show(started[0]!))?.trace).toBe(trace);
  await expect.poll(() => requests.length).toBe(1);
  expect(requests[0]!.trace).toMatch(new RegExp(`^00-${traceId}-`));
  const other = await engine.deliver({ ...paid, id: "3", type: "placed", traceparent: "nonsense" });
  expect((await engine.show(other.started[0]!))?.trace).toBeUndefined();
});

test("the first span of a run is a child of what has started it, and later ones have links to that", async () => {
  const spans = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const { engine } = await open(
    telemetryBy({
      ...api,
      trace: Object.assign(Object.create(api.trace), { getTracer: (name: string) => provider.getTracer(name) }),
    }),
  );
  await engine.start("order", {}, { id: "r1", trace });
  await expect.poll(async () => (await engine.show("r1"))?.status).toBe("waiting");
  await engine.deliver(paid);
  await engine.ended("r1");
  const runs = spans.getFinishedSpans().filter(({ name }) => name === "run order");
  const [first, ...others] = runs;
  expect(first!.parentSpanContext?.spanId).toBe("00f067aa0ba902b7");
  for (const each of others) {
    expect(each.parentSpanContext).toBeUndefined();
    expect(each.links.map(({ context }) => context.spanId)).toEqual(["00f067aa0ba902b7"]);
  }
});
