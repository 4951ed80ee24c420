import * as api from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, afterEach, expect, test } from "vitest";
import type { Json } from "../../../../targets/typescript/runtime/json.ts";
import { installedTelemetry } from "../../../../targets/typescript/runtime/main/telemetry.ts";
import { openEngine } from "../../../../targets/typescript/runtime/sqlite/engine.ts";
import { defineWorkflow } from "../../../../targets/typescript/runtime/workflow.ts";

const spans = new InMemorySpanExporter();
const measures = new InMemoryMetricExporter(AggregationTemporality.DELTA);
const reader = new PeriodicExportingMetricReader({ exporter: measures, exportIntervalMillis: 600_000 });
api.trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
api.metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
afterEach(() => spans.reset());
afterAll(() => reader.shutdown());

const paying = defineWorkflow({
  id: "pay",
  version: "7",
  name: "Pay",
  events: { paid: { type: "paid" } },
  waits: { Wait: { alternatives: [{ all: [["paid"]] }] } },
  run: async (flow, fn: { pay(input: Json): Promise<Json> | Json }, input: Json) => {
    await flow.step("Ask", () => fn.pay("ask"));
    await flow.receive("Wait");
    return flow.step("Charge", () => fn.pay(input), { retries: [{ limit: 1 }] });
  },
});

const named = (name: string): readonly ReadableSpan[] => spans.getFinishedSpans().filter((span) => span.name === name);

async function open(pay: (input: Json) => Promise<Json> | Json) {
  const log: object[] = [];
  const engine = openEngine({
    store: ":memory:",
    workflows: [paying],
    functions: { pay },
    send: () => undefined,
    log: (entry) => void (entry.level !== "debug" && log.push(entry)),
    telemetry: await installedTelemetry(),
  });
  return { engine, log };
}

async function metrics() {
  await reader.forceFlush();
  const all = measures.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((each) => each.metrics));
  measures.reset();
  return new Map(all.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints]));
}

test("runs are spans with attributes, and calls are their child spans", async () => {
  const { engine, log } = await open(async () => ({}));
  await engine.start("pay", { n: 1 }, { id: "a" });
  await expect.poll(async () => (await engine.show("a"))?.status).toBe("waiting");
  await expect.poll(() => named("call Ask").length).toBe(1);
  await engine.deliver({ specversion: "1.0", id: "1", source: "/", type: "paid" });
  expect((await engine.ended("a")).status).toBe("succeeded");
  await engine.close();
  const [ask, charge, run] = [named("call Ask")[0]!, named("call Charge")[0]!, named("run pay").at(-1)!];
  expect(charge.attributes).toEqual({
    "waybill.run.id": "a",
    "waybill.workflow.id": "pay",
    "waybill.workflow.version": "7",
    "waybill.step.name": "Charge",
    "waybill.step.key": "a/Charge",
    "waybill.step.attempt": 1,
  });
  const parents = named("run pay").map((span) => span.spanContext().spanId);
  expect(parents).toContain(ask.parentSpanContext?.spanId);
  expect(charge.parentSpanContext?.spanId).toBe(run.spanContext().spanId);
  expect(run.attributes["waybill.run.status"]).toBe("succeeded");
  expect(log).toEqual([
    { level: "info", message: "The run begins.", run: "a", workflow: "pay" },
    { level: "info", message: "The run has succeeded.", run: "a", workflow: "pay" },
  ]);
});

test("failed calls and runs report their error", async () => {
  const { engine, log } = await open((input) => {
    if (input !== "ask") throw Object.assign(new Error("There is no money."), { name: "Broke" });
    return {};
  });
  await metrics();
  await engine.start("pay", {}, { id: "b" });
  await engine.deliver({ specversion: "1.0", id: "2", source: "/", type: "paid" });
  expect((await engine.ended("b")).status).toBe("failed");
  await engine.close();
  const failed = named("call Charge");
  expect(failed.map(({ attributes }) => [attributes["waybill.step.attempt"], attributes["error.type"]])).toEqual([
    [1, "Broke"],
    [2, "Broke"],
  ]);
  expect(failed[0]!.status).toEqual({ code: api.SpanStatusCode.ERROR, message: "There is no money." });
  expect(named("run pay").at(-1)).toMatchObject({
    attributes: { "error.type": "Broke", "waybill.run.status": "failed" },
  });
  expect(log.at(-1)).toEqual({
    level: "error",
    message: "The run has failed.",
    run: "b",
    workflow: "pay",
    error: "Broke",
    reason: "There is no money.",
  });
  const reported = await metrics();
  expect(reported.get("waybill.run.started")).toMatchObject([
    { value: 1, attributes: { "waybill.workflow.id": "pay" } },
  ]);
  expect(reported.get("waybill.run.ended")).toMatchObject([
    { value: 1, attributes: { "waybill.workflow.id": "pay", "waybill.run.status": "failed", "error.type": "Broke" } },
  ]);
  const calls = reported
    .get("waybill.call.duration")!
    .map(({ attributes, value }) => [attributes["error.type"], value]);
  expect(calls).toMatchObject([
    [undefined, { count: 1 }],
    ["Broke", { count: 2 }],
  ]);
  expect(reported.get("waybill.run.duration")).toHaveLength(1);
});
