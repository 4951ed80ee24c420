import { describe, expect, test } from "vitest";
import { step } from "../../src/events/broker.ts";
import { changesBetween } from "../../src/events/changes.ts";
import type { Command } from "../../src/events/commands.ts";
import { createMemoryBroker } from "../../src/events/memory.ts";
import type { Partition, StoredEvent, StoredWait } from "../../src/events/partition.ts";
import type { JsonObject } from "../../src/json.ts";
import { cpuTime } from "../cpu.ts";
import { maxEntries } from "./broker-and-model.ts";
import { TestBroker } from "./harness.ts";
import { type EventProgram, rulesOf } from "./program.ts";

// What one command costs and changes, whatever has accumulated. The limits are several times what is measured.

const number = ({ data }: JsonObject): number => (data as JsonObject)["number"] as number;

const program: EventProgram = {
  name: "scale",
  events: ["a", "b", "c"].map((type) => ({ name: type, type })),
  waits: {
    A: { alternatives: [{ all: [["a"]], within: 10 }] },
    Big: { alternatives: [{ all: [[{ event: "a", when: (event) => number(event) > 5 }]] }] },
    Pair: { alternatives: [{ all: [["a"], ["b"]] }] },
    Fresh: { alternatives: [{ all: [["b"]], within: 10 }], unused: "drop" },
    Quiet: { alternatives: [{ all: [["b"]], none: ["a"] }] },
    Failing: { alternatives: [{ all: [[{ event: "c", when: ({ data }) => (data as JsonObject)["x"] === 1 }]] }] },
  },
  starts: [{ workflow: "pair", on: [{ all: [["a"], ["c"]] }], complete: true, gap: 5 }],
};

const rules = rulesOf(program);

const keptEvents = (count: number): readonly StoredEvent[] =>
  Array.from({ length: count }, (_, i) => ({
    order: i + 1,
    at: 0,
    key: `k${i}`,
    event: { type: "a", data: { number: i % 5 } },
    isFree: true,
    collectedBy: ["pair"],
  }));

const openWaits = (count: number, name: string): readonly StoredWait[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `w${i}`,
    run: `r${i}`,
    step: name,
    age: [i],
    position: [],
    since: 0,
    at: 0,
    variables: {},
  }));

/** A partition with many entries. */
function large(events: readonly StoredEvent[], waits: readonly StoredWait[]): Partition {
  const runs = Object.fromEntries(waits.map(({ run }) => [run, { after: 0 }]));
  const seen = Object.fromEntries(events.map(({ key, at }) => [key!, at]));
  return { next: events.length + 1, events, waits, runs, seen };
}

const newWait = (name: string, at = 60_000) => ({
  id: "new",
  run: "new",
  step: name,
  age: [-1],
  position: [],
  since: 0,
  at,
  variables: {},
});

/** The entries that a command changes, and those that follow if the partition is unsettled. */
function changeOf(partition: Partition, command: Command): number {
  const after = step(partition, command, rules);
  const { put, deleted } = changesBetween(partition, after.partition);
  return put.length + deleted.length;
}

describe("one command changes few entries", () => {
  const accumulated = {
    "100,000 kept events": () => large(keptEvents(100_000), []),
    "100,000 timed-out waits": () => large([], openWaits(100_000, "A")),
    "20,000 waits that cannot end, and events": () => large(keptEvents(10_000), openWaits(20_000, "Quiet")),
    "20,000 waits whose conditions will fail": () => large([], openWaits(20_000, "Failing")),
  };
  const commands: readonly Command[] = [
    { kind: "arrive", at: 60_000, event: { type: "a", id: "new", data: { number: 9 } }, key: "new" },
    { kind: "arrive", at: 60_000, event: { type: "b" } },
    { kind: "arrive", at: 60_000, event: { type: "c", data: null } },
    { kind: "wait", wait: newWait("Big") },
    { kind: "wait", wait: newWait("Pair") },
    { kind: "wait", wait: newWait("Quiet") },
    { kind: "expire", id: "w7", at: 60_000 },
    { kind: "cancelWait", id: "w7", at: 60_000, discards: true },
    { kind: "sweep", before: 50_000, limit: maxEntries },
  ];

  test.each(Object.entries(accumulated))("among %s", { timeout: 120_000 }, (_, create) => {
    const partition = create();
    for (const command of commands) {
      expect(changeOf(partition, command), JSON.stringify(command)).toBeLessThanOrEqual(maxEntries);
    }
  });

  test("also a wait that discards everything, and what follows for others", () => {
    const waits = [...openWaits(300, "Quiet"), { ...newWait("Fresh", 0), age: [10_000] }];
    const partition = {
      ...large([...keptEvents(3_000), { order: 3_001, at: 0, event: { type: "b" }, isFree: true }], waits),
      next: 3_002,
    };
    let { partition: after, effects } = step(partition, { kind: "expire", id: "new", at: 10_000 }, rules);
    expect(changesBetween(partition, after).put.length).toBeLessThanOrEqual(maxEntries);
    expect(effects).toMatchObject([{ wait: { id: "new" } }]);
    for (const event of Array.from({ length: 30 }, () => ({ type: "b" })))
      ({ partition: after, effects } = step(after, { kind: "arrive", at: 10_000, event }, rules));
    expect(effects).toMatchObject([{ wait: { id: "w29" } }]);
  });
});

test("waits that one event ends are ended in pieces, in their order", () => {
  const broker = new TestBroker(program);
  for (let i = 0; i < 50; i++) broker.wait(`r${i}`, "Failing", { age: [i] });
  const woken = broker.arrive("c", { id: "1", data: null }).length;
  expect(woken).toBeLessThan(25);
  expect(broker.partition.isUnsettled).toBe(true);
  broker.partition = JSON.parse(JSON.stringify(broker.partition)) as Partition;
  while (broker.partition.isUnsettled) expect(broker.do({ kind: "settle", at: 0 }).length).toBeLessThan(25);
  expect([...broker.answers.keys()]).toEqual(Array.from({ length: 50 }, (_, i) => `r${i}`));
  expect(broker.starts).toEqual([]);
  expect(broker.partition.events).toMatchObject([{ isFree: true, collectedBy: ["pair"] }]);
});

test("a command that comes before the rest is settled loses nothing", () => {
  const broker = new TestBroker(program);
  for (let i = 0; i < 50; i++) broker.wait(`r${i}`, "Failing", { age: [i] });
  broker.arrive("c", { id: "1", data: null });
  broker.arrive("a", { id: "2" });
  expect(broker.partition.isUnsettled).toBe(true);
  while (broker.partition.isUnsettled) broker.do({ kind: "settle", at: 0 });
  expect(broker.answers.size).toBe(50);
  expect(broker.starts.map(({ events }) => events.map(({ event }) => event["id"]))).toEqual([["1", "2"]]);
});

test("a condition is evaluated once for an event and a wait", () => {
  let calls = 0;
  const when = (event: JsonObject) => {
    calls += 1;
    return number(event) > 5;
  };
  const waits = {
    Big: { alternatives: [{ all: [[{ event: "a", when }]] }, { all: [["b"], ["c"]] }] },
    A: { alternatives: [{ all: [["a"]] }] },
  };
  const broker = new TestBroker({ waits });
  for (let i = 0; i < 10; i++) broker.wait(`r${i}`, "Big");
  for (let i = 0; i < 100; i++) broker.arrive("a", { data: { number: i % 5 } });
  expect(calls).toBe(1_000);
  for (let i = 0; i < 20; i++) broker.arrive("b");
  broker.do({ kind: "setToken", run: "r3", value: "x", at: 0 });
  broker.wait("other", "A");
  broker.cancel("other");
  expect(calls).toBe(1_000);
});

test("partitions that begin alike do not mix up their events", () => {
  const before = step(large([], openWaits(1, "Big")), { kind: "settle", at: 0 }, rules).partition;
  const arrive = (value: number) =>
    step(before, { kind: "arrive", at: 0, event: { type: "a", data: { number: value } } }, rules).effects.length;
  expect([arrive(1), arrive(9), arrive(1), arrive(9)]).toEqual([0, 1, 0, 1]);
});

describe("processor time", () => {
  const measure = (work: () => void): number => {
    const start = cpuTime();
    work();
    return cpuTime() - start;
  };

  test("of a wait among 10,000 kept events", () => {
    for (const name of ["Big", "Pair", "Fresh"]) {
      const partition = JSON.parse(JSON.stringify(large(keptEvents(10_000), []))) as Partition;
      expect(
        measure(() => step(partition, { kind: "wait", wait: newWait(name) }, rules)),
        name,
      ).toBeLessThan(200);
    }
  });

  test("of an event among 10,000 waits", () => {
    for (const name of ["A", "Big", "Pair", "Quiet"]) {
      const partition = JSON.parse(JSON.stringify(large([], openWaits(10_000, name)))) as Partition;
      const event = { type: "a", data: { number: 1 } };
      expect(
        measure(() => step(partition, { kind: "arrive", at: 0, event }, rules)),
        name,
      ).toBeLessThan(400);
    }
  });

  test("of 5,000 events for 1,000 waits, of which each ends one or none", { timeout: 120_000 }, () => {
    const broker = createMemoryBroker(rules, () => 0);
    for (let i = 0; i < 1_000; i++) {
      broker.join(`r${i}`, undefined);
      const name = i % 2 === 0 ? "Quiet" : "Failing";
      broker.wait({ id: `w${i}`, run: `r${i}`, step: name, age: [i], position: [], variables: {} }, () => undefined);
    }
    const events = Array.from({ length: 5_000 }, (_, i) => ({ type: i < 300 ? "b" : "d", id: `${i}` }));
    const time = measure(() => {
      for (const event of events) broker.arrive(event);
    });
    expect(time).toBeLessThan(30_000);
  });

  test("of 1,000 events of which each of 200 waits needs another one", { timeout: 120_000 }, () => {
    const broker = createMemoryBroker(rules, () => 0);
    for (let i = 0; i < 200; i++) {
      broker.join(`r${i}`, undefined);
      broker.wait({ id: `w${i}`, run: `r${i}`, step: "Pair", age: [i], position: [], variables: {} }, () => undefined);
    }
    const time = measure(() => {
      for (let i = 0; i < 1_000; i++) broker.arrive({ type: "a", id: `${i}` });
    });
    expect(time).toBeLessThan(30_000);
  });
});
