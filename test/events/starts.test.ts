import { describe, expect, test } from "vitest";
import { pendingEffects } from "../../src/events/pending.ts";
import { keyedEvents, TestBroker } from "./harness.ts";

const waits = { A: { alternatives: [{ all: [["a"]] }] }, B: { alternatives: [{ all: [["b"]] }] } };

/** The workflows and events of the starts so far. */
const startsOf = ({ starts }: TestBroker): readonly string[] =>
  starts.map(({ workflow, events }) => `${workflow}: ${events.map(({ event }) => event["id"]).join()}`);

describe("an event that no wait uses", () => {
  const starts = [
    { workflow: "one", on: [{ all: [["a"]] }] },
    { workflow: "two", on: [{ all: [["b"], ["a"]] }] },
  ];

  test("starts a run of each workflow, which both may use it", () => {
    const broker = new TestBroker({ waits, starts });
    broker.arrive("a", { id: "1" });
    expect(startsOf(broker)).toEqual(["one: 1", "two: 1"]);
    const [first, second] = broker.starts.map(({ run }) => run) as [string, string];
    broker.wait(second, "A");
    broker.wait(first, "A");
    broker.wait(first, "A", { id: "again" });
    broker.wait("other", "A");
    expect([first, second, "again", "other"].map((id) => broker.received(id))).toEqual([
      ["1"],
      ["1"],
      undefined,
      undefined,
    ]);
    broker.confirm(first, second);
    expect(broker.kept()).toEqual([]);
  });

  test("is forgotten with the run that it has started", () => {
    const broker = new TestBroker({ waits, starts: starts.slice(0, 1) });
    broker.arrive("a", { id: "1" });
    broker.leave(broker.starts[0]!.run);
    broker.wait("other", "A", { since: 0 });
    expect(broker.kept()).toEqual([]);
    expect(broker.received("other")).toBeUndefined();
  });

  test("starts nothing if a wait uses it, until that releases it", () => {
    const broker = new TestBroker({ waits, starts });
    broker.wait("r", "A");
    broker.arrive("a", { id: "1" });
    expect(startsOf(broker)).toEqual([]);
    broker.cancel("r");
    expect(startsOf(broker)).toEqual(["one: 1", "two: 1"]);
  });

  test("is considered once", () => {
    const broker = new TestBroker({ waits, starts: [{ workflow: "b", on: [{ all: [["b"]] }] }] });
    broker.arrive("a", { id: "1" });
    Object.assign(broker, { rules: new TestBroker({ waits, starts }).rules });
    broker.wait("r", "A");
    broker.cancel("r");
    expect(startsOf(broker)).toEqual([]);
  });

  test("gives the run its correlation value", () => {
    const broker = new TestBroker({ waits, events: keyedEvents, starts: starts.slice(0, 1) });
    broker.arrive("a", { id: "1", key: "x" });
    expect(broker.starts[0]).toMatchObject({ value: "x" });
    broker.wait(broker.starts[0]!.run, "B");
    broker.arrive("b", { id: "2", key: "y" });
    broker.arrive("b", { id: "3", key: "x" });
    expect(broker.received(broker.starts[0]!.run)).toEqual(["3"]);
  });

  test("starts nothing outside the window, whose end is not part of it", () => {
    const broker = new TestBroker({ waits, starts: [{ ...starts[0]!, from: 1_000, until: 2_000 }] });
    for (const at of [999, 1_000, 1_999, 2_000]) {
      broker.now = at;
      broker.arrive("a", { id: `${at}` });
    }
    expect(startsOf(broker)).toEqual(["one: 1000", "one: 1999"]);
    expect(broker.kept()).toEqual(["999", "1000", "1999", "2000"]);
  });

  test("starts nothing if no run can start, and stays available", () => {
    const broker = new TestBroker({ waits, starts });
    broker.rules.newRun = () => undefined;
    broker.arrive("a", { id: "1" });
    broker.wait("r", "A");
    expect([startsOf(broker), broker.received("r")]).toEqual([[], ["1"]]);
  });
});

describe("several events that start a run together", () => {
  const both = { workflow: "both", on: [{ all: [["a"], ["b"]] }], complete: true };

  test("are collected, in any order, and are then the run's", () => {
    const broker = new TestBroker({ waits, starts: [both] });
    for (const [type, id] of [
      ["b", "1"],
      ["b", "2"],
      ["a", "3"],
    ] as const)
      broker.arrive(type, { id });
    expect(startsOf(broker)).toEqual(["both: 1,3"]);
    broker.arrive("a", { id: "4" });
    expect(startsOf(broker)).toEqual(["both: 1,3", "both: 2,4"]);
    broker.wait("other", "A", { since: 0 });
    expect(broker.received("other")).toBeUndefined();
    const [, second] = broker.starts.map(({ run }) => run) as [string, string];
    broker.wait(second, "B");
    expect(broker.received(second)).toEqual(["2"]);
  });

  test("are available to waits until they start one", () => {
    const broker = new TestBroker({ waits, starts: [both] });
    broker.arrive("a", { id: "1" });
    broker.wait("r", "A");
    broker.arrive("b", { id: "2" });
    expect([startsOf(broker), broker.received("r")]).toEqual([[], ["1"]]);
    broker.cancel("r");
    expect(startsOf(broker)).toEqual(["both: 1,2"]);
  });

  test("have the same correlation value", () => {
    const broker = new TestBroker({ waits, events: keyedEvents, starts: [both] });
    for (const [type, id, key] of [
      ["a", "1", "x"],
      ["b", "2", "y"],
      ["b", "3", "x"],
    ] as const)
      broker.arrive(type, { id, key });
    expect(startsOf(broker)).toEqual(["both: 1,3"]);
    expect(broker.starts[0]).toMatchObject({ value: "x" });
  });

  test("arrive within the gap: it begins again with each event", () => {
    const broker = new TestBroker({ waits, starts: [{ ...both, gap: 10 }] });
    for (const [at, type] of [
      [0, "b"],
      [10, "b"],
      [20, "a"],
      [40, "a"],
      [50.001, "b"],
      [60, "a"],
    ] as const) {
      broker.now = at * 1_000;
      broker.arrive(type, { id: `${at}` });
    }
    expect(startsOf(broker)).toEqual(["both: 0,20", "both: 50.001,60"]);
  });

  test("may be collected by several workflows: each starts a run with them", () => {
    const starts = [both, { ...both, workflow: "more", on: [{ all: [["a"], ["b"], ["c"]] }] }];
    const broker = new TestBroker({ waits, starts });
    for (const [type, id] of [
      ["a", "1"],
      ["b", "2"],
      ["c", "3"],
    ] as const)
      broker.arrive(type, { id });
    expect(startsOf(broker)).toEqual(["both: 1,2", "more: 1,2,3"]);
  });

  test("start one of several combinations", () => {
    const on = [{ all: [["a"], ["b"]] }, { all: [["a"], ["c"]] }];
    const broker = new TestBroker({ waits, starts: [{ ...both, on }] });
    for (const [type, id] of [
      ["c", "1"],
      ["a", "2"],
      ["b", "3"],
    ] as const)
      broker.arrive(type, { id });
    expect(startsOf(broker)).toEqual(["both: 1,2"]);
  });
});

describe("a start that a store may not have carried out", () => {
  const starts = [{ workflow: "one", on: [{ all: [["a"]] }] }];

  test.each(["join", "wait", "leave"] as const)("is repeated until the run's %s", (kind) => {
    const broker = new TestBroker({ waits, starts });
    const effects = broker.arrive("a", { id: "1" });
    expect(broker.arrive("a", { id: "1" })).toEqual([]);
    expect(pendingEffects(JSON.parse(JSON.stringify(broker.partition)))).toEqual(JSON.parse(JSON.stringify(effects)));
    const { run } = broker.starts[0]!;
    if (kind === "join") broker.do({ kind: "join", run });
    else if (kind === "wait") broker.wait(run, "B");
    else broker.leave(run);
    expect(pendingEffects(broker.partition)).toEqual([]);
  });
});
