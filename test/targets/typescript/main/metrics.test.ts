import { expect, test } from "vitest";
import type { Json } from "../../../../targets/typescript/runtime/json.ts";
import { createMetrics } from "../../../../targets/typescript/runtime/main/metrics.ts";
import {
  createCounter,
  createGauge,
  createHistogram,
} from "../../../../targets/typescript/runtime/main/open-metrics.ts";
import { combineTelemetry } from "../../../../targets/typescript/runtime/main/telemetry.ts";
import { openEngine } from "../../../../targets/typescript/runtime/sqlite/engine.ts";
import { defineWorkflow } from "../../../../targets/typescript/runtime/workflow.ts";

test("families print types, units and samples; labels are escaped", () => {
  const counter = createCounter("jobs", "Jobs.");
  counter.add({ name: 'a"\\\n' });
  counter.add({ name: 'a"\\\n' }, 2);
  expect(counter.print()).toBe('# TYPE jobs counter\n# HELP jobs Jobs.\njobs_total{name="a\\"\\\\\\n"} 3\n');
  const gauge = createGauge("size_bytes", "Size.");
  gauge.set({}, 7);
  gauge.add({}, -2);
  expect(gauge.print()).toBe(
    "# TYPE size_bytes gauge\n# UNIT size_bytes bytes\n# HELP size_bytes Size.\nsize_bytes 5\n",
  );
});

test("buckets of histograms are cumulative", () => {
  const histogram = createHistogram("time_seconds", "Time.", [1, 10]);
  for (const seconds of [0.5, 1, 5, 50]) histogram.observe({ of: "x" }, seconds);
  expect(histogram.print().split("\n").slice(3, -1)).toEqual([
    'time_seconds_bucket{of="x",le="1"} 2',
    'time_seconds_bucket{of="x",le="10"} 3',
    'time_seconds_bucket{of="x",le="+Inf"} 4',
    'time_seconds_count{of="x"} 4',
    'time_seconds_sum{of="x"} 56.5',
  ]);
});

const paying = defineWorkflow({
  id: "pay",
  version: "1",
  name: "Pay",
  events: { paid: { type: "paid" } },
  waits: { Wait: { alternatives: [{ all: [["paid"]] }] } },
  run: async (flow, fn: { pay(input: Json): Promise<Json> | Json }, input: Json) => {
    await flow.step("Charge", () => fn.pay(input), { retries: [{ limit: 1 }] });
    return flow.receive("Wait");
  },
});

test("runs, calls, the store and the process are measured", async () => {
  const metrics = createMetrics([paying]);
  let calls = 0;
  const engine = openEngine({
    store: ":memory:",
    workflows: [paying],
    functions: {
      pay: () => {
        calls += 1;
        if (calls === 1) throw Object.assign(new Error("no"), { name: "Busy" });
        return null;
      },
    },
    send: () => undefined,
    log: () => undefined,
    telemetry: combineTelemetry([metrics.telemetry]),
  });
  try {
    await engine.start("pay", {}, { id: "r1" });
    await expect.poll(async () => (await engine.show("r1"))?.status).toBe("waiting");
    const text = await metrics.read(engine);
    const lines = text.split("\n");
    expect(lines.slice(-2)).toEqual(["# EOF", ""]);
    const values = new Map(
      lines
        .filter((line) => line !== "" && !line.startsWith("#"))
        .map((line) => [line.replace(/ \S+$/, ""), Number(line.split(" ").at(-1))]),
    );
    expect(values.get('waybill_runs_started_total{workflow="pay"}')).toBe(1);
    expect(values.get('waybill_runs{workflow="pay",status="waiting"}')).toBe(1);
    expect(values.get('waybill_calls_failed_total{workflow="pay",step="Charge",error="Busy"}')).toBe(1);
    expect(values.get('waybill_calls_retried_total{workflow="pay",step="Charge"}')).toBe(1);
    expect(values.get('waybill_call_duration_seconds_count{workflow="pay",step="Charge"}')).toBe(2);
    expect(values.get("waybill_calls_active")).toBe(0);
    expect(values.get("waybill_store_writable")).toBe(1);
    expect(values.get("waybill_store_commit_duration_seconds_count")).toBeGreaterThan(1);
    expect(values.get("process_resident_memory_bytes")).toBeGreaterThan(1e6);
    const families = lines.flatMap((line) => /^# TYPE (\S+)/.exec(line)?.slice(1) ?? []);
    expect(new Set(families).size).toBe(families.length);
  } finally {
    await engine.close();
  }
});

test("runs of workflows that the program has no longer are counted", async () => {
  const engine = {
    counts: async () => new Map([["gone", { stranded: 2 }]]),
    unsent: async () => ({ unsent: 0, refused: 0 }),
    awaitedTasks: async () => new Map(),
    fault: () => undefined,
  };
  expect(await createMetrics([paying]).read(engine as never)).toContain(
    'waybill_runs{workflow="gone",status="stranded"} 2',
  );
});

test("names of errors that are data do not make series", async () => {
  const metrics = createMetrics([paying]);
  const run = { id: "r", workflow: "pay", version: "1" };
  for (const name of ["order 17 is late", "x".repeat(80), ""]) {
    const fail = () => {
      throw Object.assign(new Error("no"), { name });
    };
    expect(() => metrics.telemetry.call(run, { step: "Charge", key: "k", attempt: 1 }, fail)).toThrow("no");
  }
  const engine = {
    counts: async () => new Map(),
    unsent: async () => ({ unsent: 0, refused: 0 }),
    awaitedTasks: async () => new Map(),
    fault: () => undefined,
  };
  const text = await metrics.read(engine as never);
  expect(text.match(/^waybill_calls_failed_total.*$/gm)).toEqual([
    'waybill_calls_failed_total{workflow="pay",step="Charge",error="Error"} 3',
  ]);
});
