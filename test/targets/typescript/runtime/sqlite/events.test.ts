import { type DatabaseSync, StatementSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Flow } from "../../../../../targets/typescript/runtime/flow.ts";
import { event, type Place, place, until, workflowOf } from "./place.ts";

const databases: DatabaseSync[] = [];
let here: Place;
beforeEach(() => {
  here = place();
});
afterEach(() => here.leave());

const go = {
  events: { go: { type: "go", correlation: (event: { readonly [name: string]: unknown }) => event["who"] as string } },
  waits: { Wait: { alternatives: [{ all: [["go"]] }] } },
};
const anybody = { ...go, events: { go: { type: "go" }, other: { type: "other" } } };
const byInput = { ...go, correlation: (input: string) => input } as never;
const data = async (flow: Flow) => {
  const { events } = await flow.receive("Wait");
  return events.map(({ event }) => event.data ?? null);
};
const waiter = workflowOf(data as never, byInput);
const none = () => undefined;

test("an event goes to the runs with its correlation value, once however often it comes", async () => {
  const engine = here.open([waiter], {});
  for (const who of ["ann", "bob"]) await engine.start("W", who, { id: who });
  await until(async () => (await engine.list({ status: "waiting" })).runs.length === 2);
  expect((await engine.show("ann"))?.waitingFor).toEqual({ events: ["go"] });
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
  expect((await engine.show("bob"))?.status).toBe("waiting");
});

test("an event that comes before a run is not for it, also where it has its correlation value, and after a restart", async () => {
  const engine = here.open([waiter], {});
  await engine.deliver(event("1", "go", { who: "ann", data: "early" }));
  await engine.start("W", "ann", { id: "ann" });
  await until(async () => (await engine.show("ann"))?.status === "waiting");
  await engine.close();
  const again = here.open([waiter], {});
  await again.deliver(event("2", "go", { who: "ann", data: "late" }));
  expect((await again.ended("ann")).output).toEqual(["late"]);
});

const parentOf = (events: object) => {
  const child = workflowOf(data as never, { id: "Child", ...events });
  const body = async (flow: Flow) => {
    const first = await flow.receive("First");
    return [first.events.length, await flow.invoke("Sub", child as never, "ann")];
  };
  const waits = { First: { alternatives: [{ all: [["first"]] }] } };
  return [workflowOf(body as never, { events: { first: { type: "first" } }, waits }), child];
};

test.each([
  ["with a correlation value", byInput as object],
  ["for anybody", anybody],
])("an event %s that comes before a subflow begins is not for it, also after a restart", async (_, events) => {
  const workflows = parentOf(events);
  const engine = here.open(workflows, {});
  await engine.start("W", null, { id: "a" });
  await engine.deliver(event("1", "go", { who: "ann", data: "early" }));
  await engine.deliver(event("2", "first"));
  await until(
    async () =>
      (await engine.show("a"))?.waitingFor.events[0] === "go" && (await engine.show("a"))?.status === "waiting",
  );
  await engine.close();
  const again = here.open(workflows, {});
  await again.deliver(event("3", "go", { who: "ann", data: "late" }));
  expect((await again.ended("a")).output).toEqual([1, ["late"]]);
});

test("an event that is for anybody is used once by subflows of runs of several workflows", async () => {
  const child = workflowOf(data as never, { id: "Child", ...anybody });
  const parents = ["A", "B"].map((id) =>
    workflowOf(((flow: Flow) => flow.invoke("Sub", child as never, null)) as never, { id }),
  );
  const engine = here.open([...parents, child], {});
  for (const { id } of parents) {
    await engine.start(id, null, { id });
    await until(async () => (await engine.show(id))?.status === "waiting");
  }
  for (const n of [1, 2]) await engine.deliver(event(`${n}`, "go", { data: n }));
  expect([(await engine.ended("A")).output, (await engine.ended("B")).output]).toEqual([[1], [2]]);
});

test("an event that is for anybody is kept as long as a run goes on that began before it and may wait for it, and then for a while", async () => {
  let now = Date.now();
  const slow = workflowOf(
    async (flow) => {
      await flow.sleep("Nap", 100_000);
      return data(flow);
    },
    { events: { go: { type: "go" } }, waits: go.waits },
  );
  const options = { keepEvents: 10, now: () => now };
  const opened = (db: DatabaseSync) => void databases.push(db);
  const kept = () => databases.at(-1)!.prepare("SELECT count(*) AS n FROM kept").get()?.["n"];
  const first = here.open([slow], {}, options, { opened });
  await first.start("W", null, { id: "a" });
  await first.deliver(event("1", "go", { data: 1 }));
  now += 90_000_000;
  await first.prune(now);
  expect(kept()).toBe(1);
  await first.close();
  now += 90_000_000;
  const second = here.open([slow], {}, options, { opened });
  expect((await second.ended("a")).output).toEqual([1]);
  await second.deliver(event("2", "go"));
  expect(kept()).toBe(1);
  now += 90_000_000;
  await second.prune(now);
  expect(kept()).toBe(0);
});

test("an engine examines the runs that wait only if there are old events", async () => {
  let now = Date.now();
  const options = { keepEvents: 10, now: () => now };
  let examined = 0;
  const { all } = StatementSync.prototype;
  vi.spyOn(StatementSync.prototype, "all").mockImplementation(function (this: StatementSync, ...values) {
    if (this.sourceSQL.includes("min(after)")) examined += 1;
    return all.apply(this, values);
  });
  const first = here.open([waiter], {}, options);
  await first.start("W", "ann", { id: "ann" });
  await until(async () => (await first.list({ status: "waiting" })).runs.length === 1);
  await first.close();
  const second = here.open([waiter], {}, options);
  await second.deliver(event("1", "go", { who: "bob" }));
  await second.close();
  expect(examined).toBe(0);
  now += 90_000_000;
  await here.open([waiter], {}, options).close();
  expect(examined).toBe(1);
  vi.restoreAllMocks();
});

test("what only goes on with runs for a while forgets no events: that is the server's, which knows how long they are kept", async () => {
  let now = Date.now();
  const waiter = workflowOf(data, { events: { go: { type: "go" } }, waits: go.waits });
  const options = { now: () => now };
  const opened = (db: DatabaseSync) => void databases.push(db);
  const kept = () => databases.at(-1)!.prepare("SELECT count(*) AS n FROM kept").get()?.["n"];
  const first = here.open([waiter], {}, options, { opened });
  await first.deliver(event("1", "go"));
  await first.close();
  now += 700_000_000;
  const second = here.open([waiter], {}, { ...options, forgetsEvents: false }, { opened });
  await until(async () => (await second.list()).runs.length === 0);
  expect(kept()).toBe(1);
  await second.close();
  here.open([waiter], {}, options, { opened });
  await until(() => kept() === 0);
});

test("an event that comes between the failure of a run and its retry is for it", async () => {
  let isBroken = true;
  const flaky = workflowOf(async (flow) => {
    await flow.step("Flaky", () => {
      if (isBroken) throw new Error("broken");
      return null;
    });
    return data(flow);
  }, byInput);
  const engine = here.open([flaky], {});
  await engine.start("W", "ann", { id: "ann" });
  expect((await engine.ended("ann")).status).toBe("failed");
  await engine.deliver(event("1", "go", { who: "ann", data: 1 }));
  isBroken = false;
  await engine.retry("ann");
  expect((await engine.ended("ann")).output).toEqual([1]);
});

test("an event that comes while nothing runs in memory is there after a crash, and wakes its run", async () => {
  const first = here.open([waiter], {}, {}, { most: 0 });
  await first.start("W", "ann", { id: "ann" });
  await until(async () => (await first.show("ann"))?.status === "waiting");
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
      const order = await flow.receive("Order");
      const paid = await flow.receive("Paid");
      return [order, paid].map(({ events }) => events[0]?.event.data ?? null);
    },
    {
      ...both,
      start: { on: [{ all: [["order"]] }] },
      waits: { Order: { alternatives: [{ all: [["order"]] }] }, Paid: { alternatives: [{ all: [["paid"]] }] } },
    },
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

const open = workflowOf(async (flow) => {
  await flow.sleep("Nap", 0.001);
  return data(flow);
}, anybody);

test("an event that is for anybody goes to the oldest run that waits for it, once", async () => {
  const engine = here.open([open], {});
  for (const id of ["a", "b", "c"]) {
    await engine.start("W", null, { id });
    await until(
      async () =>
        (await engine.show(id))?.waitingFor.events.length === 1 && (await engine.show(id))?.status === "waiting",
    );
  }
  const deliver = async (id: string) => (await engine.deliver(event(id, "go", { data: id }))).delivered;
  expect([await deliver("1"), await deliver("2")]).toEqual([["a"], ["b"]]);
  expect([(await engine.ended("a")).output, (await engine.ended("b")).output]).toEqual([["1"], ["2"]]);
  await engine.close();
  const again = here.open([open], {}, {}, { most: 0 });
  expect((await again.deliver(event("3", "go", { data: "3" }))).delivered).toEqual(["c"]);
  expect((await again.ended("c")).output).toEqual(["3"]);
});

test("a run that waits gets an event before an older one that does not, and what nobody waits for is kept for the first that will", async () => {
  let release = (): void => undefined;
  const slow = workflowOf(async (flow, { held }, input) => {
    if (input === "slow") await flow.step("Held", () => held!());
    return data(flow);
  }, anybody);
  const held = () =>
    new Promise<null>((resolve) => {
      release = () => resolve(null);
    });
  const engine = here.open([slow], { held });
  await engine.start("W", "slow", { id: "older" });
  await until(() => release.name === "release");
  await engine.start("W", "quick", { id: "younger" });
  await until(async () => (await engine.show("younger"))?.status === "waiting");
  expect((await engine.deliver(event("1", "go", { data: 1 }))).delivered).toEqual(["younger"]);
  expect((await engine.deliver(event("2", "go", { data: 2 }))).delivered).toEqual([]);
  release();
  expect((await engine.ended("older")).output).toEqual([2]);
});

test("an event that was there before a run is not for it", async () => {
  let now = Date.now();
  const engine = here.open([workflowOf(data as never, anybody)], {}, { now: () => now });
  await engine.deliver(event("1", "go"));
  now += 10;
  await engine.start("W", null, { id: "a" });
  await until(async () => (await engine.show("a"))?.status === "waiting");
});

test("two waits of one run get an event each", async () => {
  const both = workflowOf(async (flow) => {
    const given = await flow.fork("Both", { one: data as never, two: data as never });
    return Object.values(given as object).flat();
  }, anybody);
  const engine = here.open([both], {});
  await engine.start("W", null, { id: "a" });
  await until(async () => (await engine.show("a"))?.status === "waiting");
  await Promise.all([1, 2].map((data) => engine.deliver(event(`${data}`, "go", { data }))));
  expect((await engine.ended("a")).output).toEqual([1, 2]);
});

test("what a wait has not used when its time is over is for the next", async () => {
  const two = workflowOf(
    async (flow) => {
      return (await flow.receive("Two")).alternative;
    },
    {
      ...anybody,
      id: "two",
      waits: { ...go.waits, Two: { alternatives: [{ all: [["go"], ["other"]], within: 0.05 }] } },
    },
  );
  let release = (): void => undefined;
  const later = workflowOf(
    async (flow) => {
      await flow.step("Held", () => new Promise<null>((resolve) => (release = () => resolve(null))));
      return data(flow);
    },
    { ...anybody, id: "two", version: "2" },
  );
  const engine = here.open([two, { ...later, id: "W" }], {});
  await engine.start("W", null, { id: "b" });
  await engine.start("two", null, { id: "a" });
  await until(async () => (await engine.show("a"))?.status === "waiting");
  expect((await engine.deliver(event("1", "go", { data: 1 }))).delivered).toEqual([]);
  expect((await engine.ended("a")).output).toBeNull();
  release();
  expect((await engine.ended("b")).output).toEqual([1]);
});

test("an event that nobody waits for costs no run anything", async () => {
  const engine = here.open([open], {}, {}, { opened: (db) => void databases.push(db) });
  for (let i = 0; i < 50; i++) await engine.start("W", null, { id: `${i}` });
  await until(async () => (await engine.list({ status: "waiting" })).runs.length === 50);
  for (let i = 0; i < 20; i++) await engine.deliver(event(`${i}`, "other"));
  expect(databases.at(-1)!.prepare("SELECT count(*) AS n FROM kept").get()).toEqual({ n: 0 });
});

test("an event that starts a run is received by that run and no other, however many there are", async () => {
  const started = workflowOf(
    async (flow) => {
      await flow.receive("Go");
      return flow.receive("Never").then(() => null);
    },
    {
      events: { go: { type: "go" }, never: { type: "never" } },
      start: { on: [{ all: [["go"]] }] },
      waits: { Go: { alternatives: [{ all: [["go"]] }] }, Never: { alternatives: [{ all: [["never"]] }] } },
    },
  );
  const engine = here.open([started], {}, {}, { opened: (db) => void databases.push(db) });
  for (let i = 0; i < 40; i++) await engine.deliver(event(`${i}`, "go"));
  await until(async () => (await engine.list({ status: "waiting" })).runs.length === 40);
  expect(databases.at(-1)!.prepare(`SELECT count(*) AS n FROM journal WHERE value LIKE '%"order"%'`).get()).toEqual({
    n: 40,
  });
});

test("what a wait does not wait for is looked at once, however much of it there is", async () => {
  let looked = 0;
  const tick = { type: "tick", correlation: go.events.go.correlation };
  const counted = {
    type: "go",
    correlation: (event: { readonly [name: string]: unknown }) => {
      looked += 1;
      return event["who"] as string;
    },
  };
  const workflow = workflowOf(data as never, { ...(byInput as object), events: { go: counted, tick } } as never);
  const engine = here.open([workflow], {});
  await engine.start("W", "ann", { id: "ann" });
  for (let i = 0; i < 300; i++) await engine.deliver(event(`${i}`, "tick", { who: "ann" }));
  await engine.deliver(event("go", "go", { who: "ann", data: 1 }));
  expect((await engine.ended("ann")).output).toEqual([1]);
  expect(looked).toBeLessThan(20);
});

test("a run of which a wait has taken too long goes on after a restart, where it waits next", async () => {
  const events = { go: { type: "go" } };
  const workflow = workflowOf(
    async (flow) => {
      const first = await flow.receive("First");
      const second = await flow.receive("Second");
      return [first.alternative, second.alternative];
    },
    {
      events,
      waits: {
        First: { alternatives: [{ all: [["go"]], within: 0.01 }] },
        Second: { alternatives: [{ all: [["go"]] }] },
      },
    },
  );
  const first = here.open([workflow], {});
  await first.start("W", null, { id: "a" });
  await until(
    async () =>
      (await first.show("a"))?.steps.at(-1)?.key === "Second" && (await first.show("a"))?.status === "waiting",
  );
  await first.close();
  const second = here.open([workflow], {});
  await second.deliver(event("1", "go"));
  await until(
    async () =>
      (await second.list({ status: "succeeded" })).runs.length +
        (await second.list({ status: "stranded" })).runs.length >
      0,
  );
  expect(await second.show("a")).toMatchObject({ status: "succeeded", output: [null, 0] });
});
