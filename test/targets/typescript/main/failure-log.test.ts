import { expect, test } from "vitest";
import type { LogEntry } from "../../../../targets/typescript/runtime/engine.ts";
import { describeFailure, failureLog } from "../../../../targets/typescript/runtime/main/failure-log.ts";
import { openEngine } from "../../../../targets/typescript/runtime/sqlite/engine.ts";
import { defineWorkflow } from "../../../../targets/typescript/runtime/workflow.ts";

test("causes and collected errors are described once each, within bounds", () => {
  const inner = new Error("inner");
  const outer = new AggregateError([inner, new TypeError("other")], "outer", { cause: inner });
  Object.assign(inner, { cause: outer });
  const text = describeFailure(outer);
  expect(text.match(/^(?:caused by: |with: )?\w*Error: \w+/gm)).toEqual([
    "AggregateError: outer",
    "caused by: Error: inner",
    "with: TypeError: other",
  ]);
  expect(describeFailure("x".repeat(50_000)).length).toBe(10_000);
  const hostile = Object.defineProperty(new Error("x"), "stack", {
    get() {
      throw new Error("no");
    },
  });
  expect(describeFailure(hostile)).toContain("without a text");
});

test("each failed attempt is logged with the stack of what the function has thrown", async () => {
  const log: LogEntry[] = [];
  function chargeCard(): never {
    throw new Error("declined", { cause: new Error("socket") });
  }
  const workflow = defineWorkflow({
    id: "pay",
    version: "1",
    name: "Pay",
    run: (flow, fn: { charge(): null }) => flow.step("Charge", () => fn.charge(), { retries: [{ limit: 1 }] }),
  });
  const engine = openEngine({
    store: ":memory:",
    workflows: [workflow],
    functions: { charge: chargeCard },
    send: () => undefined,
    log: () => undefined,
    telemetry: failureLog((entry) => void log.push(entry)),
  });
  try {
    await engine.start("pay", {}, { id: "r1" });
    expect(await engine.ended("r1")).toMatchObject({ status: "failed", error: { name: "Error", message: "declined" } });
    expect(log).toMatchObject([
      { level: "debug", run: "r1", workflow: "pay", step: "Charge", attempt: 1 },
      { level: "debug", run: "r1", workflow: "pay", step: "Charge", attempt: 2 },
    ]);
    expect(log[0]!["stack"]).toMatch(/^Error: declined\n {4}at .*chargeCard .*[\s\S]*caused by: Error: socket/);
  } finally {
    await engine.close();
  }
});
