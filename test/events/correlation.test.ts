import { describe, expect, test } from "vitest";
import { partitionOf, partitionsOf } from "../../src/events/routing.ts";
import { keyedEvents, plainEvents, TestBroker } from "./harness.ts";

const waits = {
  A: { alternatives: [{ all: [["a"]] }] },
  B: { alternatives: [{ all: [["b"]] }] },
  Both: { alternatives: [{ all: [["a"], ["b"]] }] },
};

describe("the correlation value of a run", () => {
  test("selects its events; numbers and strings are compared as text", () => {
    const broker = new TestBroker({ waits, events: keyedEvents });
    broker.join("x", "7");
    broker.join("y", true);
    for (const run of ["x", "y"]) broker.wait(run, "A");
    broker.arrive("a", { id: "1" });
    broker.arrive("a", { id: "2", key: null });
    broker.arrive("a", { id: "3", key: "true" });
    broker.arrive("a", { id: "4", key: 7 });
    expect([broker.received("x"), broker.received("y")]).toEqual([["4"], ["3"]]);
  });

  test("is bound by an event if there is none, for later waits", () => {
    const broker = new TestBroker({ waits, events: keyedEvents });
    broker.wait("r", "A");
    broker.arrive("a", { id: "1", key: "x" });
    expect(broker.answers.get("r")).toMatchObject({ value: "x" });
    broker.wait("r", "B", { id: "next" });
    broker.arrive("b", { id: "2", key: "y" });
    broker.arrive("b", { id: "3", key: "x" });
    expect(broker.received("next")).toEqual(["3"]);
  });

  test("that an event binds selects the events of the groups behind it", () => {
    const broker = new TestBroker({ waits, events: keyedEvents });
    broker.wait("r", "Both");
    for (const [type, id, key] of [
      ["b", "1", "y"],
      ["a", "2", "x"],
      ["b", "3", "z"],
      ["b", "4", "x"],
    ] as const)
      broker.arrive(type, { id, key });
    expect(broker.received("r")).toEqual(["2", "4"]);
  });

  test("is not bound by an event that another wait has used", () => {
    const broker = new TestBroker({ waits, events: keyedEvents });
    broker.wait("r", "Both");
    for (const [type, id, key] of [
      ["a", "1", "x"],
      ["a", "2", "y"],
      ["b", "3", "y"],
    ] as const)
      broker.arrive(type, { id, key });
    expect(broker.received("r")).toBeUndefined();
    broker.wait("other", "A", { since: 0 });
    expect([broker.received("other"), broker.received("r")]).toEqual([["1"], ["2", "3"]]);
  });

  test("is replaced by that of each event that the run uses; a wait keeps the one with which it began", () => {
    const broker = new TestBroker({ waits, events: keyedEvents });
    broker.join("r", "x");
    broker.wait("r", "A", { id: "own", values: { key: "y" } });
    broker.wait("r", "B", { id: "before" });
    broker.arrive("a", { id: "1", key: "y" });
    expect(broker.received("own")).toEqual(["1"]);
    broker.wait("r", "B", { id: "after" });
    broker.arrive("b", { id: "2", key: "y" });
    broker.arrive("b", { id: "3", key: "x" });
    expect([broker.received("before"), broker.received("after")]).toEqual([["3"], ["2"]]);
  });

  test("of the last of several events counts", () => {
    const events = [
      { name: "a", type: "a", attribute: "key", key: "first" },
      { name: "b", type: "b", attribute: "key", key: "second" },
    ];
    const broker = new TestBroker({ waits, events });
    broker.wait("r", "Both", { values: { first: "x", second: "y" } });
    broker.arrive("b", { id: "1", key: "y" });
    broker.arrive("a", { id: "2", key: "x" });
    expect(broker.answers.get("r")).toMatchObject({ value: "x" });
  });

  test("is used by waits that began without one as soon as there is one", () => {
    const broker = new TestBroker({ waits, events: keyedEvents });
    broker.wait("r", "Both", { id: "open" });
    broker.arrive("b", { id: "1", key: "y" });
    broker.do({ kind: "setToken", run: "r", value: "x", at: 0 });
    broker.arrive("a", { id: "2", key: "y" });
    expect(broker.received("open")).toBeUndefined();
    broker.arrive("a", { id: "3", key: "x" });
    broker.arrive("b", { id: "4", key: "x" });
    expect(broker.received("open")).toEqual(["3", "4"]);
  });

  test("that is set makes waits match what has arrived before", () => {
    const broker = new TestBroker({ waits, events: keyedEvents });
    broker.wait("r", "Both");
    for (const [type, id, key] of [
      ["a", "1", "x"],
      ["a", "2", "y"],
      ["b", "3", "y"],
    ] as const)
      broker.arrive(type, { id, key });
    expect(broker.received("r")).toBeUndefined();
    broker.do({ kind: "setToken", run: "r", value: "y", at: 0 });
    expect(broker.received("r")).toEqual(["2", "3"]);
  });

  test("without the event that has bound it is the one before", () => {
    const broker = new TestBroker({ waits, events: keyedEvents });
    broker.join("r", "x");
    broker.wait("r", "A", { id: "1", values: { key: "y" } });
    broker.wait("r", "A", { id: "2", values: { key: "z" } });
    broker.arrive("a", { key: "y" });
    broker.arrive("a", { key: "z" });
    const value = () => broker.partition.runs["r"]!.value;
    expect(value()).toBe("z");
    broker.cancel("1");
    expect(value()).toBe("z");
    broker.cancel("2");
    expect(value()).toBe("x");
  });

  test("of an event that the run has received stays when events before it are released", () => {
    const broker = new TestBroker({ waits, events: keyedEvents });
    broker.wait("r", "A", { id: "1", values: { key: "y" } });
    broker.wait("r", "A", { id: "2", values: { key: "z" } });
    broker.arrive("a", { key: "y" });
    broker.arrive("a", { key: "z" });
    broker.confirm("2");
    broker.cancel("1");
    expect(broker.partition.runs).toEqual({ r: { value: "z" } });
  });
});

describe("a value of a wait", () => {
  test("takes precedence unless it is null, an object or an array", () => {
    const broker = new TestBroker({ waits, events: keyedEvents });
    broker.join("r", "x");
    for (const [id, key] of [
      ["null", null],
      ["object", {}],
      ["array", ["y"]],
      ["own", "y"],
    ] as const)
      broker.wait("r", "A", { id, values: { key } });
    for (const [id, key] of [
      ["1", "y"],
      ["2", "x"],
      ["3", "x"],
      ["4", "x"],
    ] as const)
      broker.arrive("a", { id, key });
    expect(["null", "object", "array", "own"].map((id) => broker.received(id))).toEqual([["2"], ["3"], ["4"], ["1"]]);
  });
});

describe("keys of a wait", () => {
  const events = [
    { name: "a", type: "a", attribute: "one", key: "one", scope: "wait" as const },
    { name: "b", type: "b", attribute: "one", key: "one", scope: "wait" as const, further: { two: "two" } },
    { name: "c", type: "c", attribute: "two", key: "two", scope: "wait" as const },
  ];
  const scoped = { ...waits, Three: { alternatives: [{ all: [["a"], ["b"], ["c"]] }] } };

  test("are bound by the first event that has them, and end with the wait", () => {
    const broker = new TestBroker({ waits: scoped, events });
    broker.wait("r", "Both", { id: "first" });
    for (const [type, id, one] of [
      ["b", "1", "x"],
      ["a", "2", "y"],
      ["b", "3", "y"],
    ] as const)
      broker.arrive(type, { id, one, two: "t" });
    expect(broker.received("first")).toBeUndefined();
    broker.arrive("a", { id: "4", one: "x" });
    expect(broker.received("first")).toEqual(["1", "4"]);
    expect(broker.answers.get("first")).not.toHaveProperty("value");
    broker.wait("r", "Both", { id: "second" });
    expect(broker.received("second")).toEqual(["2", "3"]);
  });

  test("are compared one by one if a definition has several", () => {
    const broker = new TestBroker({ waits: scoped, events });
    broker.wait("r", "Three");
    broker.arrive("a", { id: "1", one: "x" });
    broker.arrive("b", { id: "2", one: "y", two: "s" });
    broker.arrive("b", { id: "3", one: "x" });
    broker.arrive("b", { id: "4", one: "x", two: "t" });
    broker.arrive("c", { id: "5", two: "s" });
    expect(broker.received("r")).toBeUndefined();
    broker.arrive("c", { id: "6", two: "t" });
    expect(broker.received("r")).toEqual(["1", "4", "6"]);
  });

  test("may have values that are given", () => {
    const broker = new TestBroker({ waits: scoped, events });
    broker.wait("r", "Both", { values: { two: "t" } });
    broker.arrive("a", { id: "1", one: "x" });
    broker.arrive("b", { id: "2", one: "x", two: "s" });
    broker.arrive("b", { id: "3", one: "x", two: "t" });
    expect(broker.received("r")).toEqual(["1", "3"]);
  });
});

describe("partitions", () => {
  const eventsOf = (program: ConstructorParameters<typeof TestBroker>[0]) =>
    new TestBroker({ waits: { A: { alternatives: [{ all: [["a"]] }] } }, ...program }).rules.waitRule({ step: "A" })!
      .events;

  test("of a group with a key are those of the values of events", () => {
    const routing = { events: eventsOf({ events: keyedEvents }), key: "key" };
    expect([...partitionsOf({ type: "a", key: 7 }, routing)]).toEqual([
      ...partitionsOf({ type: "a", key: "7" }, routing),
    ]);
    expect(partitionsOf({ type: "a" }, routing).size).toBe(0);
    expect(partitionsOf({ type: "other", key: "7" }, routing).size).toBe(0);
    expect(partitionOf(undefined, "7", routing)).toBe([...partitionsOf({ type: "a", key: 7 }, routing)][0]);
    expect(partitionOf({ key: 8 }, "7", routing)).toBe(partitionOf(undefined, "8", routing));
    expect(partitionOf({ key: null }, "7", routing)).toBe(partitionOf(undefined, "7", routing));
  });

  test("of any other group are one", () => {
    const routing = { events: eventsOf({ events: plainEvents }) };
    expect([...partitionsOf({ type: "a", key: 7 }, routing)]).toEqual([partitionOf({ key: 8 }, "7", routing)]);
    expect(partitionsOf({ type: "other" }, routing).size).toBe(0);
  });
});
