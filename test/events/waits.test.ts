import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/json.ts";
import { keyedEvents, TestBroker } from "./harness.ts";

const isBig = ({ data }: JsonObject, { least = 10 }: JsonObject): boolean =>
  ((data as JsonObject)["number"] as number) >= (least as number);

describe("the wait that is examined first", () => {
  const waits = { A: { alternatives: [{ all: [["a"]] }] } };

  test("is that of the oldest run, whatever the order in which they wait", () => {
    const broker = new TestBroker({ waits });
    broker.wait("young", "A", { age: [2] });
    broker.wait("old", "A", { age: [1] });
    broker.wait("middle", "A", { age: [1, 5] });
    for (const id of ["1", "2", "3"]) broker.arrive("a", { id });
    expect(["old", "middle", "young"].map((id) => broker.received(id))).toEqual([["1"], ["2"], ["3"]]);
  });

  test("of runs of one age is that of the run whose id comes first", () => {
    const broker = new TestBroker({ waits });
    for (const run of ["y", "x"]) broker.wait(run, "A");
    broker.arrive("a", { id: "1" });
    expect(broker.received("x")).toEqual(["1"]);
  });

  test("of one run is the one with the first position; a branch is before its own branches", () => {
    const broker = new TestBroker({ waits });
    broker.wait("r", "A", { id: "1.0", position: [1, 0] });
    broker.wait("r", "A", { id: "0.7", position: [0, 7] });
    broker.wait("r", "A", { id: "1", position: [1] });
    for (const id of ["e1", "e2", "e3"]) broker.arrive("a", { id });
    expect(["0.7", "1", "1.0"].map((id) => broker.received(id))).toEqual([["e1"], ["e2"], ["e3"]]);
  });

  test("does not keep an event that does not fulfill it from the others", () => {
    const broker = new TestBroker({
      waits: { ...waits, Both: { alternatives: [{ all: [["a"], ["b"]] }] } },
    });
    broker.wait("old", "Both", { age: [0] });
    broker.wait("young", "A", { age: [1] });
    broker.arrive("a", { id: "1" });
    expect(broker.received("young")).toEqual(["1"]);
    broker.arrive("b", { id: "2" });
    expect(broker.received("old")).toBeUndefined();
  });
});

describe("alternatives", () => {
  test("are fulfilled by the earliest event; of two by one event, the first counts", () => {
    const waits = { W: { alternatives: [{ all: [["b"]] }, { all: [["a", "b"]] }] } };
    const broker = new TestBroker({ waits });
    for (const [type, id] of [
      ["a", "1"],
      ["b", "2"],
    ] as const)
      broker.arrive(type, { id });
    broker.wait("w1", "W");
    expect(broker.answers.get("w1")).toMatchObject({ alternative: 1, events: [{ name: "a", event: { id: "1" } }] });
    broker.wait("w2", "W");
    expect(broker.answers.get("w2")).toMatchObject({ alternative: 0, events: [{ name: "b" }] });
  });

  test("with several groups take the earliest event of each, and leave the others", () => {
    const broker = new TestBroker({ waits: { W: { alternatives: [{ all: [["a"], ["b"]] }] } } });
    for (const [type, id] of [
      ["b", "1"],
      ["b", "2"],
      ["a", "3"],
    ] as const)
      broker.arrive(type, { id });
    broker.wait("w", "W");
    expect(broker.received("w")).toEqual(["1", "3"]);
    expect(broker.answers.get("w")!.groups.map(({ event }) => event["id"])).toEqual(["3", "1"]);
    broker.confirm("w");
    expect(broker.kept()).toEqual(["2"]);
  });

  test("may have one event for several groups, which the answer contains once", () => {
    const broker = new TestBroker({ waits: { W: { alternatives: [{ all: [["a"], ["a", "b"]] }] } } });
    broker.arrive("a", { id: "1" });
    broker.wait("w", "W");
    expect(broker.answers.get("w")).toMatchObject({ events: [{ name: "a" }], groups: [{ name: "a" }, { name: "a" }] });
  });

  test("with an excluded event are not fulfilled after it", () => {
    const waits = { W: { alternatives: [{ all: [["a"]], none: ["b"] }] } };
    const broker = new TestBroker({ waits });
    broker.wait("late", "W");
    for (const [type, id] of [
      ["b", "1"],
      ["a", "2"],
    ] as const)
      broker.arrive(type, { id });
    expect(broker.received("late")).toBeUndefined();
    const other = new TestBroker({ waits });
    for (const [type, id] of [
      ["a", "1"],
      ["b", "2"],
    ] as const)
      other.arrive(type, { id });
    other.wait("early", "W");
    expect(other.received("early")).toEqual(["1"]);
  });

  test("are open until the end of their last instant", () => {
    const waits = {
      W: {
        alternatives: [
          { all: [["a"]], within: 2 },
          { all: [["b"]], within: 4 },
        ],
      },
    };
    const broker = new TestBroker({ waits });
    for (const run of ["1", "2", "3"]) broker.wait(run, "W");
    broker.now = 2_000;
    broker.arrive("a", { id: "in time" });
    broker.now = 2_001;
    broker.arrive("a", { id: "late" });
    broker.now = 4_000;
    broker.arrive("b", { id: "at the end" });
    expect(["1", "2", "3"].map((id) => broker.received(id))).toEqual([["in time"], ["at the end"], undefined]);
    broker.now = 3_999;
    broker.expire("3");
    expect(broker.received("3")).toBeUndefined();
    broker.now = 4_000;
    broker.expire("3");
    expect(broker.received("3")).toBe("timeout");
  });

  test("without a limit never expire", () => {
    const waits = { W: { alternatives: [{ all: [["a"]], within: 2 }, { all: [["b"]] }] } };
    const broker = new TestBroker({ waits });
    broker.wait("w", "W");
    broker.now = 1e12;
    expect(broker.expire("w")).toEqual([]);
  });

  test("with no time take what is there at once", () => {
    const broker = new TestBroker({ waits: { W: { alternatives: [{ all: [["a"]], within: 0 }] } } });
    broker.arrive("a", { id: "1" });
    for (const run of ["1", "2"]) broker.wait(run, "W");
    expect(broker.received("1")).toEqual(["1"]);
    broker.expire("2");
    expect(broker.received("2")).toBe("timeout");
  });
});

describe("conditions", () => {
  const waits = {
    Big: { alternatives: [{ all: [[{ event: "a", when: isBig }]] }] },
    BigOrB: { alternatives: [{ all: [["b"]] }, { all: [[{ event: "a", when: isBig }]] }] },
    A: { alternatives: [{ all: [["a"]] }] },
  };

  test("see the variables of the wait", () => {
    const broker = new TestBroker({ waits });
    broker.wait("1", "Big", { variables: { least: 5 } });
    broker.wait("2", "Big", { variables: { least: 2 } });
    broker.arrive("a", { id: "e", data: { number: 3 } });
    expect([broker.received("1"), broker.received("2")]).toEqual([undefined, ["e"]]);
  });

  test("that throw end their wait; the event is for others", () => {
    const broker = new TestBroker({ waits });
    for (const [run, name] of [
      ["1", "Big"],
      ["2", "A"],
    ] as const)
      broker.wait(run, name);
    broker.arrive("a", { id: "e" });
    expect([broker.received("1"), broker.received("2")]).toEqual(["failed", ["e"]]);
    expect(broker.answers.get("1")).toMatchObject({ alternative: null, error: { name: "ExpressionError" } });
  });

  test("that throw for an event behind one that fulfills the wait do not count", () => {
    const broker = new TestBroker({ waits });
    broker.arrive("b", { id: "1" });
    broker.arrive("a", { id: "2" });
    broker.wait("w", "BigOrB");
    expect(broker.received("w")).toEqual(["1"]);
  });

  test("are not evaluated for events with another correlation value", () => {
    const broker = new TestBroker({ waits, events: keyedEvents });
    broker.join("r", "x");
    broker.wait("r", "Big");
    broker.arrive("a", { id: "e", key: "y" });
    expect(broker.received("r")).toBeUndefined();
  });
});

describe("events for a run", () => {
  const waits = { A: { alternatives: [{ all: [["a"]] }] } };

  test("arrived since it began, by order or by time", () => {
    const broker = new TestBroker({ waits });
    broker.arrive("a", { id: "1" });
    broker.join("ordered");
    broker.wait("ordered", "A");
    expect(broker.received("ordered")).toBeUndefined();
    broker.cancel("ordered");
    broker.wait("timed", "A", { since: 1 });
    expect(broker.received("timed")).toBeUndefined();
    broker.wait("always", "A", { since: 0 });
    expect(broker.received("always")).toEqual(["1"]);
  });

  test("are one event if they have the same source and id, also after it has been used", () => {
    const broker = new TestBroker({ waits });
    for (const run of ["1", "2", "3"]) broker.wait(run, "A");
    broker.arrive("a", { id: "e", data: "first" });
    broker.confirm("1");
    broker.arrive("a", { id: "e", data: "second" });
    broker.arrive("a", { id: "e", source: "/other" });
    expect(["1", "2", "3"].map((id) => broker.received(id))).toEqual([["e"], ["e"], undefined]);
    expect(broker.answers.get("1")!.events[0]!.event["data"]).toBe("first");
    expect(broker.answers.get("2")!.events[0]!.event["source"]).toBe("/other");
  });

  test("are distinct without an id", () => {
    const broker = new TestBroker({ waits });
    for (const run of ["1", "2"]) broker.wait(run, "A");
    for (const id of [null, null]) broker.arrive("a", { id });
    expect(broker.answers.size).toBe(2);
  });

  test("of a program without the step stay until one with it settles", () => {
    const broker = new TestBroker({ waits });
    broker.wait("r", "Later");
    broker.arrive("a", { id: "1" });
    expect(broker.expire("r")).toEqual([]);
    Object.assign(broker, { rules: new TestBroker({ waits: { Later: waits.A } }).rules });
    broker.do({ kind: "settle", at: 0 });
    expect(broker.received("r")).toBeUndefined();
    broker.do({ kind: "settle", at: 0, isForced: true });
    expect(broker.received("r")).toEqual(["1"]);
  });
});

describe("a wait that begins again", () => {
  const waits = { A: { alternatives: [{ all: [["a"]] }] } };

  test("with the same data is the same, and receives its answer again", () => {
    const broker = new TestBroker({ waits });
    broker.wait("r", "A", { age: [5], data: "token" });
    broker.arrive("a", { id: "1" });
    broker.wait("old", "A", { age: [1] });
    broker.now = 1_000;
    expect(broker.wait("r", "A", { age: [5], data: "token" })).toMatchObject([{ kind: "wake" }]);
    expect([broker.received("r"), broker.received("old")]).toEqual([["1"], undefined]);
  });

  test("with other data replaces it, and its events are available again", () => {
    const broker = new TestBroker({ waits });
    broker.wait("r", "A", { age: [5], data: "token" });
    broker.arrive("a", { id: "1" });
    broker.wait("old", "A", { age: [1] });
    broker.wait("r", "A", { age: [5], data: "new token" });
    expect(broker.received("old")).toEqual(["1"]);
    expect(broker.partition.waits.find(({ id }) => id === "r")).toMatchObject({ data: "new token" });
    expect(broker.partition.waits.find(({ id }) => id === "r")).not.toHaveProperty("end");
  });
});

test("names of prototypes are names like others", () => {
  const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
  const events = names.map((name) => ({ name, type: name, attribute: "__proto__", key: name }));
  const waits = Object.fromEntries(names.map((name) => [name, { alternatives: [{ all: [[name]] }] }]));
  const broker = new TestBroker({ events, waits });
  for (const name of names) {
    broker.join(name, name);
    broker.wait(name, name, { values: JSON.parse(`{"__proto__":"other"}`) as JsonObject });
    const event = Object.assign(Object.create(null), { type: name, source: name, id: name }) as JsonObject;
    Object.defineProperty(event, "__proto__", { value: name, enumerable: true });
    broker.do({ kind: "arrive", at: 0, event, key: name });
    broker.partition = JSON.parse(JSON.stringify(broker.partition)) as typeof broker.partition;
    expect(broker.received(name)).toEqual(name === "__proto__" ? undefined : [name]);
    broker.leave(name);
  }
  expect(broker.partition.runs).toEqual({});
});
