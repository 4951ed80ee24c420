import { describe, expect, test } from "vitest";
import type { CloudEvent } from "../../targets/typescript/runtime/events.ts";
import type { AnyWorkflow, Workflow } from "../../targets/typescript/runtime/workflow.ts";
import { defineWorkflow } from "../../targets/typescript/runtime/workflow.ts";
import { inVirtualTime } from "../targets/typescript/runtime/virtual.ts";

// The invariants of a single process on the in-memory host. The goldens' own tests run their scenarios on it.

const workflowOf = (run: Workflow<never, null>["run"], more: Partial<AnyWorkflow> = {}) =>
  defineWorkflow<never, null>({ id: "W", version: "1", name: "W", anyInput: true, ...more, run } as Workflow<
    never,
    null
  >);

const go = (id: string): CloudEvent => ({ specversion: "1.0", id, source: "test", type: "go" });

describe("the host invariants on memory", () => {
  test("an effect happens once, and timers fire on time", async () => {
    let calls = 0;
    const { outcome, seconds } = await inVirtualTime(
      workflowOf(async (flow) => {
        const n = await flow.step("One", () => ++calls);
        await flow.sleep("Nap", 86_400);
        return n;
      }),
      null,
    );
    expect([outcome, seconds, calls]).toEqual([{ output: 1 }, 86_400, 1]);
  });

  test("an event that arrives before its wait is kept and used by one wait", async () => {
    const workflow = workflowOf(
      async (flow) => {
        await flow.sleep("Nap", 5);
        const one = await flow.receive("One");
        const two = await flow.receive("Two");
        return [one.events.map(({ event }) => event.id), two.alternative];
      },
      {
        events: { go: { type: "go" } },
        waits: { One: { alternatives: [{ all: [["go"]] }] }, Two: { alternatives: [{ all: [["go"]], within: 1 }] } },
      },
    );
    const { outcome } = await inVirtualTime(workflow, null, [{ at: 1, event: go("1") }]);
    expect(outcome).toEqual({ output: [["1"], null] });
  });

  test("an invoked workflow returns its output, and many branches end", async () => {
    const child = workflowOf(async (flow) => flow.step("Two", () => 2), { id: "C" }) as unknown as AnyWorkflow;
    const workflow = workflowOf(async (flow) => {
      const items = Array.from({ length: 300 }, (_, i) => i);
      const all = await flow.forEach("Each", items, (inner, n) => inner.step("Add", () => n + 1), { width: 16 });
      return [all.length, await flow.invoke("Ask", child, null)];
    });
    expect((await inVirtualTime(workflow, null)).outcome).toEqual({ output: [300, 2] });
  });
});
