import { describe, expect, test } from "vitest";
import type { Engine } from "../../targets/typescript/runtime/engine.ts";
import type { AnyWorkflow } from "../../targets/typescript/runtime/workflow.ts";
import { enginesOnRestate } from "./restate.ts";
import { skipReason } from "./restate-server.ts";
import { correlated, event, sleep, until, workflowOf } from "./samples.ts";

// Programs and states of different versions on Restate.

const why = skipReason();

const waits = { Wait: { alternatives: [{ all: [["go"]] }] } };

const waiting = workflowOf(async (flow) => (await flow.receive("Wait")).events[0]!.event.id, { ...correlated, waits });

describe.skipIf(why !== undefined)(`forms on Restate${why ? ` (skipped: ${why})` : ""}`, { timeout: 60_000 }, () => {
  const engines = enginesOnRestate();

  /** Closes an engine when the object has nothing left to do: otherwise its state cannot be replaced. */
  const closeIdle = async (engine: Engine) => {
    await sleep(500);
    await engine.close(0);
  };

  /** Replaces the object's state by a head. */
  const setHead = async (store: string, head: object) => {
    const { origin, searchParams } = new URL(store);
    const page = [...new TextEncoder().encode(JSON.stringify(head))];
    const body = JSON.stringify({ object_key: "all", new_state: { page } });
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${origin}/services/${searchParams.get("name")}-book/state`, {
      method: "POST",
      headers,
      body,
    });
    expect(response.status).toBe(202);
    await sleep(500);
  };

  test("states of other forms are refused while they have runs", async () => {
    const store = await engines.server.address();
    const first = await engines.open(store, { workflows: [waiting] });
    await first.start("W", null, { id: "a" });
    await until(async () => (await first.show("a"))?.status === "waiting");
    await closeIdle(first);
    await setHead(store, { form: 3 });
    await expect(engines.open(store, { workflows: [waiting] })).rejects.toThrow(
      "Restate has runs that a newer version of Waybill has stored (form 3; this program reads form 2).",
    );
    await setHead(store, { clock: 0, order: 1, number: 0, members: [{}] });
    await expect(engines.open(store, { workflows: [waiting] })).rejects.toThrow(
      "Restate has 1 unfinished run that an earlier version of Waybill has stored, and this program cannot continue them.",
    );
  });

  test("a state of the earlier form without runs is used", async () => {
    const store = await engines.server.address();
    const first = await engines.open(store, { workflows: [waiting] });
    await closeIdle(first);
    await setHead(store, { clock: 0, order: 7, number: 3, members: [], open: [], claims: [], collected: {}, sent: {} });
    const second = await engines.open(store, { workflows: [waiting] });
    await second.start("W", null, { id: "a" });
    await second.deliver(event("1", { who: "a" }));
    expect((await second.ended("a")).output).toBe("1");
  });

  test("waiting runs and kept events move to the common partition if a new workflow needs it", async () => {
    const store = await engines.server.address();
    const slow = workflowOf(
      async (flow) => {
        await flow.sleep("Nap", 1);
        return (await flow.receive("Wait")).events[0]!.event.id;
      },
      { ...correlated, id: "Slow", waits },
    );
    const first = await engines.open(store, { workflows: [waiting, slow] });
    await first.start("W", null, { id: "a" });
    await first.start("Slow", null, { id: "b" });
    await first.deliver(event("early", { who: "b" }));
    await until(async () => (await first.show("a"))?.status === "waiting");
    await first.close(0);
    const open = workflowOf(async (flow) => (await flow.receive("Wait")).events[0]!.event.id, {
      id: "Open",
      events: { go: { type: "go" } },
      waits,
    } as Partial<AnyWorkflow>);
    const second = await engines.open(store, { workflows: [waiting, slow, open] });
    expect((await second.ended("b")).output).toBe("early");
    await second.start("Open", null, { id: "c" });
    await until(async () => (await second.show("c"))?.status === "waiting");
    await second.deliver(event("1", { who: "a" }));
    expect((await second.ended("a")).output).toBe("1");
    await second.deliver(event("2", { who: "a" }));
    expect((await second.ended("c")).output).toBe("2");
  });
});
