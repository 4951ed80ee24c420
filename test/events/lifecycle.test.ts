import { describe, expect, test } from "vitest";
import { pendingEffects } from "../../src/events/pending.ts";
import { keyedEvents, TestBroker } from "./harness.ts";

const waits = {
  A: { alternatives: [{ all: [["a"]] }] },
  B: { alternatives: [{ all: [["b"]], within: 10 }] },
  C: { alternatives: [{ all: [["c"]], within: 10 }], unused: "drop" as const },
  Both: { alternatives: [{ all: [["a"], ["b"]] }] },
  Quiet: { alternatives: [{ all: [["c"]], none: ["a"] }] },
};

describe("a wait that has ended", () => {
  test("keeps its events until it is confirmed", () => {
    const broker = new TestBroker({ waits });
    broker.arrive("a", { id: "1" });
    const effects = broker.wait("r", "A");
    expect(pendingEffects(JSON.parse(JSON.stringify(broker.partition)))).toEqual(JSON.parse(JSON.stringify(effects)));
    broker.confirm("r", "r");
    expect(broker.partition).toMatchObject({ events: [], waits: [] });
    expect(pendingEffects(broker.partition)).toEqual([]);
  });

  test("releases its events if it is cancelled: they fulfill the waits of others", () => {
    const broker = new TestBroker({ waits });
    broker.wait("r", "Both", { age: [1] });
    broker.arrive("a", { id: "1" });
    broker.arrive("b", { id: "2" });
    broker.wait("old", "A", { age: [0] });
    broker.wait("new", "B", { age: [2] });
    broker.cancel("r");
    expect([broker.received("old"), broker.received("new")]).toEqual([["1"], ["2"]]);
    expect(broker.cancel("r")).toEqual([]);
  });

  test("keeps them if it is cancelled after it was confirmed", () => {
    const broker = new TestBroker({ waits });
    broker.arrive("a", { id: "1" });
    broker.wait("r", "A");
    broker.confirm("r");
    broker.cancel("r");
    broker.wait("other", "A", { since: 0 });
    expect(broker.received("other")).toBeUndefined();
  });

  test("releases them if its run leaves", () => {
    const broker = new TestBroker({ waits });
    broker.arrive("a", { id: "1" });
    broker.wait("r", "A");
    broker.wait("r", "B", { id: "open" });
    broker.wait("other", "A", { since: 0 });
    broker.leave("r");
    expect(broker.received("other")).toEqual(["1"]);
    expect(broker.partition.waits.map(({ id }) => id)).toEqual(["other"]);
  });

  test("helps earlier waits that exclude its events", () => {
    const broker = new TestBroker({ waits });
    broker.wait("r", "Quiet", { age: [0] });
    broker.arrive("a", { id: "1" });
    broker.arrive("c", { id: "2" });
    expect(broker.received("r")).toBeUndefined();
    broker.wait("other", "A", { age: [1], since: 0 });
    expect(broker.received("r")).toEqual(["2"]);
  });
});

describe("events that a wait does not use", () => {
  test("stay available by default", () => {
    const broker = new TestBroker({ waits });
    for (const [type, id] of [
      ["a", "1"],
      ["b", "2"],
    ] as const)
      broker.arrive(type, { id });
    broker.wait("r", "B");
    broker.confirm("r");
    broker.wait("r", "A", { id: "next" });
    expect(broker.received("next")).toEqual(["1"]);
  });

  test("are discarded with `drop`, up to the event that ends the wait", () => {
    const broker = new TestBroker({ waits });
    for (const [type, id] of [
      ["a", "1"],
      ["c", "2"],
      ["a", "3"],
    ] as const)
      broker.arrive(type, { id });
    broker.wait("r", "C");
    broker.wait("r", "A", { id: "next" });
    broker.wait("other", "A", { since: 0 });
    expect([broker.received("r"), broker.received("next"), broker.received("other")]).toEqual([
      ["2"],
      ["3"],
      undefined,
    ]);
    broker.confirm("r", "next");
    expect(broker.sweep()).toEqual([{ kind: "forget", events: [1] }]);
    expect(broker.partition).toMatchObject({ events: [], waits: [{ id: "other" }] });
  });

  test("are discarded with `drop` when the wait times out", () => {
    const broker = new TestBroker({ waits });
    broker.wait("r", "C");
    broker.arrive("a", { id: "1" });
    broker.now = 10_500;
    broker.arrive("a", { id: "too late" });
    broker.expire("r");
    broker.wait("r", "A", { id: "next" });
    expect([broker.received("r"), broker.received("next")]).toEqual(["timeout", ["too late"]]);
  });

  test("are not discarded if they are of other definitions, values, or times", () => {
    const broker = new TestBroker({ waits, events: keyedEvents });
    broker.arrive("a", { id: "early", key: "x" });
    broker.join("r", "x");
    broker.arrive("other", { id: "foreign", key: "x" });
    broker.arrive("a", { id: "y", key: "y" });
    broker.arrive("a", { id: "discarded", key: "x" });
    broker.arrive("c", { id: "used", key: "x" });
    broker.wait("r", "C");
    broker.do({ kind: "setToken", run: "r", value: "y", at: 0 });
    broker.confirm("r");
    broker.leave("r");
    broker.sweep();
    expect(broker.kept()).toEqual(["early", "foreign", "y"]);
  });

  test("are not discarded by a wait that is cut off or fails", () => {
    const failing = { ...waits.C, alternatives: [{ all: [[{ event: "c", when: () => JSON.parse("") as boolean }]] }] };
    const broker = new TestBroker({ waits: { ...waits, Failing: failing } });
    broker.arrive("a", { id: "1" });
    broker.wait("cut off", "C");
    broker.cancel("cut off");
    broker.wait("failed", "Failing");
    broker.arrive("c", { id: "2" });
    expect(broker.received("failed")).toBe("failed");
    broker.wait("r", "A");
    expect(broker.received("r")).toEqual(["1"]);
  });

  test("are available again if the end is released", () => {
    const broker = new TestBroker({ waits });
    broker.wait("r", "C");
    broker.arrive("a", { id: "1" });
    broker.now = 10_000;
    broker.expire("r");
    broker.wait("other", "A", { since: 0 });
    expect(broker.received("other")).toBeUndefined();
    broker.cancel("r");
    expect(broker.received("other")).toEqual(["1"]);
  });

  test("are discarded for one of two runs that an event has started", () => {
    const starts = ["one", "two"].map((workflow) => ({ workflow, on: [{ all: [["a"]] }] }));
    const broker = new TestBroker({ waits, starts });
    broker.arrive("a", { id: "1" });
    const [one, two] = broker.starts.map(({ run }) => run) as [string, string];
    broker.wait(one, "C");
    broker.arrive("c", { id: "2" });
    broker.confirm(one);
    broker.sweep();
    broker.wait(one, "A", { id: "first" });
    broker.wait(two, "A", { id: "second" });
    expect([broker.received("first"), broker.received("second")]).toEqual([undefined, ["1"]]);
  });

  test("stay discarded if a wait with the same id begins before they are deleted", () => {
    const broker = new TestBroker({ waits });
    for (const [type, id] of [
      ["a", "1"],
      ["c", "2"],
    ] as const)
      broker.arrive(type, { id });
    broker.wait("r", "C");
    broker.confirm("r");
    broker.answers.clear();
    broker.wait("r", "A");
    expect(broker.received("r")).toBeUndefined();
    broker.sweep();
    expect(broker.kept()).toEqual([]);
  });

  test("help waits that exclude them", () => {
    const broker = new TestBroker({ waits });
    broker.wait("other", "Quiet");
    broker.arrive("a", { id: "1" });
    broker.arrive("c", { id: "2" });
    broker.arrive("c", { id: "3" });
    broker.wait("r", "C");
    expect([broker.received("r"), broker.received("other")]).toEqual([["2"], ["3"]]);
  });
});

describe("a wait that is cancelled", () => {
  test("discards what arrived until then if it is said to", () => {
    const broker = new TestBroker({ waits });
    broker.wait("r", "C");
    broker.arrive("a", { id: "1" });
    broker.now = 5_000;
    broker.cancel("r", { discards: true });
    broker.arrive("a", { id: "2" });
    broker.sweep();
    expect(broker.kept()).toEqual(["2"]);
  });

  test("may do so later, for what arrived until its end", () => {
    const broker = new TestBroker({ waits });
    broker.wait("r", "C");
    broker.arrive("a", { id: "1" });
    broker.now = 10_000;
    broker.expire("r");
    broker.cancel("r", { closes: true });
    broker.now = 11_000;
    broker.arrive("a", { id: "2" });
    broker.arrive("c", { id: "3" });
    expect(broker.partition.waits).toMatchObject([{ id: "r", isClosed: true }]);
    broker.cancel("r", { discards: true });
    broker.sweep();
    expect(broker.kept()).toEqual(["2", "3"]);
    expect(broker.partition.waits).toEqual([]);
  });

  test("does neither if its step keeps unused events", () => {
    const broker = new TestBroker({ waits });
    broker.wait("r", "B");
    broker.arrive("a", { id: "1" });
    broker.cancel("r", { discards: true, closes: true });
    expect(broker.partition).toMatchObject({ waits: [], events: [{ order: 1, isFree: true }] });
  });
});

describe("retention", () => {
  test("deletes old events that nothing holds, and their keys", () => {
    const starts = [{ workflow: "one", on: [{ all: [["d"]] }] }];
    const broker = new TestBroker({ waits, starts });
    broker.wait("user", "B");
    for (const [type, id] of [
      ["a", "unused"],
      ["b", "used"],
      ["d", "start"],
    ] as const)
      broker.arrive(type, { id });
    broker.now = 5_000;
    broker.arrive("a", { id: "young" });
    expect(broker.sweep(5_000)).toEqual([{ kind: "forget", events: [1] }]);
    expect(broker.kept()).toEqual(["used", "start", "young"]);
    expect(Object.keys(broker.partition.seen)).toEqual([JSON.stringify(["/test", "young"])]);
    const before = broker.partition;
    expect(broker.sweep(5_000)).toEqual([]);
    expect(broker.partition).toBe(before);
  });

  test("remembers a key as long as its event is young, even if a run has it", () => {
    const broker = new TestBroker({ waits });
    broker.arrive("a", { id: "1" });
    broker.wait("r", "A");
    broker.confirm("r");
    broker.sweep(0);
    broker.arrive("a", { id: "1" });
    expect(broker.kept()).toEqual([]);
  });

  test("takes place in pieces", () => {
    const broker = new TestBroker({ waits });
    for (let i = 0; i < 60; i++) broker.arrive("a", { id: `${i}` });
    const sizes = [];
    for (let i = 0; i < 6; i++) {
      const { events, seen } = broker.partition;
      sizes.push(events.length + Object.keys(seen).length);
      broker.sweep(1, 25);
    }
    expect(sizes).toEqual([120, 95, 70, 45, 20, 0]);
  });
});
