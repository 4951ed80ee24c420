import { afterEach, beforeEach, expect, test } from "vitest";
import type { Flow } from "../../../../../targets/typescript/runtime/flow.ts";
import { event, type Place, place, until, workflowOf } from "./place.ts";

let here: Place;
beforeEach(() => {
  here = place();
});
afterEach(() => here.leave());

const go = {
  events: { go: { type: "go", correlation: (event: { readonly [name: string]: unknown }) => event["who"] as string } },
};
const byInput = { ...go, correlation: (input: string) => input } as never;
const data = async (flow: Flow) => {
  const { events } = await flow.receive("Wait", { alternatives: [{ all: [["go"]] }] });
  return events.map(({ event }) => event.data ?? null);
};
const waiter = workflowOf(data as never, byInput);
const none = () => undefined;

test("an event goes to the runs with its correlation value, once however often it comes", async () => {
  const engine = here.open([waiter], {});
  for (const who of ["ann", "bob"]) await engine.start("W", who, { id: who });
  await until(() => engine.list({ status: "waiting" }).length === 2);
  expect(engine.show("ann")?.waitingFor).toEqual({ events: ["go"] });
  expect(await engine.deliver(event("1", "go", { who: "ann", data: 1 }))).toEqual({
    status: "accepted",
    started: [],
    delivered: ["ann"],
  });
  expect(await engine.deliver(event("1", "go", { who: "ann", data: 2 }))).toEqual({
    status: "duplicate",
    started: [],
    delivered: [],
  });
  expect((await engine.ended("ann")).output).toEqual([1]);
  expect(engine.show("bob")?.status).toBe("waiting");
});

test("an early event is kept for the run that will have its value, and only for that", async () => {
  const engine = here.open([waiter], {});
  await engine.deliver(event("1", "go", { who: "ann", data: "early" }));
  await engine.start("W", "bob", { id: "bob" });
  await engine.start("W", "ann", { id: "ann" });
  expect((await engine.ended("ann")).output).toEqual(["early"]);
  await engine.start("W", "ann", { id: "ann again" });
  await until(() => engine.list({ status: "waiting" }).length === 2);
  expect(engine.show("bob")?.status).toBe("waiting");
});

test("an early event is kept so long and no longer", async () => {
  let now = Date.now();
  const engine = here.open([waiter], {}, { keepEvents: 10, now: () => now });
  await engine.deliver(event("1", "go", { who: "ann" }));
  now += 11_000;
  await engine.start("W", "ann", { id: "ann" });
  await until(() => engine.show("ann")?.status === "waiting");
});

test("an event that comes while nothing runs in memory is there after a crash, and wakes its run", async () => {
  const first = here.open([waiter], {}, {}, { most: 0 });
  await first.start("W", "ann", { id: "ann" });
  await until(() => first.show("ann")?.status === "waiting");
  await first.close();
  let isDead = false;
  const second = here.open(
    [waiter],
    {},
    {},
    {
      committed() {
        isDead = true;
        return true;
      },
    },
  );
  void second.deliver(event("1", "go", { who: "ann", data: 5 })).catch(none);
  await until(() => isDead);
  await second.close();
  const third = here.open([waiter], {});
  expect(await third.deliver(event("1", "go", { who: "ann", data: 5 }))).toMatchObject({ status: "duplicate" });
  expect((await third.ended("ann")).output).toEqual([5]);
});

test("an event after the end of a run goes to nobody", async () => {
  const engine = here.open([waiter], {});
  await engine.start("W", "ann", { id: "ann" });
  await engine.deliver(event("1", "go", { who: "ann" }));
  await engine.ended("ann");
  expect((await engine.deliver(event("2", "go", { who: "ann" }))).delivered).toEqual([]);
});

test("events between two waits are kept, in order, over a restart", async () => {
  const twice = workflowOf(async (flow) => {
    await flow.sleep("Nap", 0.05);
    const first = await data(flow);
    await flow.sleep("Nap again", 0.05);
    return [first, await data(flow)].flat();
  }, byInput);
  const engine = here.open([twice], {});
  await engine.start("W", "ann", { id: "ann" });
  await engine.deliver(event("1", "go", { who: "ann", data: 1 }));
  await engine.deliver(event("2", "go", { who: "ann", data: 2 }));
  await engine.close();
  expect((await here.open([twice], {}).ended("ann")).output).toEqual([1, 2]);
});

test("an event starts a run, and gives it its correlation value", async () => {
  const both = { events: { order: { ...go.events.go, type: "order" }, paid: { ...go.events.go, type: "paid" } } };
  const byEvent = workflowOf(
    async (flow) => {
      const order = await flow.receive("Order", { alternatives: [{ all: [["order"]] }] });
      const paid = await flow.receive("Paid", { alternatives: [{ all: [["paid"]] }] });
      return [order, paid].map(({ events }) => events[0]?.event.data ?? null);
    },
    { ...both, start: { on: [{ all: [["order"]] }] } },
  );
  const engine = here.open([byEvent], {});
  const { started } = await engine.deliver(event("1", "order", { who: "ann", data: "order" }));
  expect(started).toHaveLength(1);
  await engine.deliver(event("2", "paid", { who: "bob", data: "wrong" }));
  await engine.deliver(event("3", "paid", { who: "ann", data: "right" }));
  expect((await engine.ended(started[0]!)).output).toEqual(["order", "right"]);
});

test("events that start a run together are kept over a restart", async () => {
  const together = workflowOf(async () => "started", {
    events: { a: { type: "a" }, b: { type: "b" } },
    start: { on: [{ all: [["a"], ["b"]] }], complete: true },
  });
  const first = here.open([together], {});
  expect((await first.deliver(event("1", "a"))).started).toEqual([]);
  await first.close();
  const second = here.open([together], {});
  const { started } = await second.deliver(event("2", "b"));
  expect((await second.ended(started[0]!)).output).toBe("started");
  expect((await second.deliver(event("3", "b"))).started).toEqual([]);
});

test("what is no event is refused", async () => {
  const engine = here.open([waiter], {});
  await expect(engine.deliver({ ...event("", "go") })).rejects.toThrow("`id` has to be text that is not empty");
  await expect(engine.deliver(null as never)).rejects.toThrow("it is not an object");
});
