import { expect } from "vitest";
import type { Comparison } from "./comparison.ts";
import type { EventProgram } from "./program.ts";
import { deliveries, meetings, payments, tasks } from "./programs.ts";

/** A sequence of operations with the answers that it must give, whatever crashes. */
export interface EventScenario {
  readonly name: string;
  readonly program: EventProgram;
  run(comparison: Comparison): Promise<void>;
}

/** Expects the ids of the events that a wait has received, or null if it timed out; undefined if it still waits. */
function expectEvents(comparison: Comparison, wait: string, ids: readonly string[] | null | undefined): void {
  const answer = comparison.answerOf(wait) as { readonly events: readonly { readonly event: { id: string } }[] };
  const isTimeout = answer !== undefined && (answer as unknown as { alternative: unknown }).alternative === null;
  expect(isTimeout ? null : answer?.events.map(({ event }) => event.id), wait).toEqual(ids);
}

/** Begins runs one second apart. */
async function begin(comparison: Comparison, ids: readonly string[], value?: string): Promise<void> {
  for (const id of ids) {
    await comparison.pass(1);
    await comparison.begin(id, value);
  }
  await comparison.pass(1);
}

/** The scenarios of all programs. */
export const scenarios: readonly EventScenario[] = [
  {
    name: "an event that arrives before the wait is kept for the run",
    program: tasks,
    async run(store) {
      await begin(store, ["r1"]);
      await store.arrive({ type: "task", id: "t1" });
      await store.pass(1);
      await store.wait("r1", "Task", { id: "w1" });
      expectEvents(store, "w1", ["t1"]);
    },
  },
  {
    name: "an event that arrived before the run began is not for it",
    program: tasks,
    async run(store) {
      await store.arrive({ type: "task", id: "t1" });
      await begin(store, ["r1"]);
      await store.wait("r1", "Task", { id: "w1" });
      expectEvents(store, "w1", undefined);
      await store.pass(1);
      await store.arrive({ type: "task", id: "t2" });
      expectEvents(store, "w1", ["t2"]);
    },
  },
  {
    name: "the oldest run gets the event, within a run the first branch",
    program: tasks,
    async run(store) {
      await begin(store, ["r1", "r2"]);
      await store.wait("r2", "Task", { id: "young" });
      await store.wait("r1", "Task", { id: "second", position: [1] });
      await store.wait("r1", "Task", { id: "first", position: [0] });
      for (const id of ["t1", "t2", "t3"]) {
        await store.pass(1);
        await store.arrive({ type: "task", id });
      }
      expectEvents(store, "first", ["t1"]);
      expectEvents(store, "second", ["t2"]);
      expectEvents(store, "young", ["t3"]);
    },
  },
  {
    name: "the same event delivered again reaches nobody else",
    program: tasks,
    async run(store) {
      await begin(store, ["r1", "r2"]);
      await store.wait("r1", "Task", { id: "w1" });
      await store.wait("r2", "Task", { id: "w2" });
      await store.arrive({ type: "task", id: "t1" });
      await store.repeat({ specversion: "1.0", source: "/test", type: "task", id: "t1", data: "other" });
      expectEvents(store, "w1", ["t1"]);
      expectEvents(store, "w2", undefined);
    },
  },
  {
    name: "events are collected until a combination is complete",
    program: tasks,
    async run(store) {
      await begin(store, ["r1"]);
      await store.wait("r1", "Pair", { id: "w1" });
      await store.arrive({ type: "done", id: "d1" });
      await store.pass(1);
      await store.arrive({ type: "done", id: "d2" });
      expectEvents(store, "w1", undefined);
      await store.pass(1);
      await store.arrive({ type: "task", id: "t1" });
      expectEvents(store, "w1", ["d1", "t1"]);
    },
  },
  {
    name: "an event that must not arrive closes its alternative",
    program: tasks,
    async run(store) {
      await begin(store, ["r1"]);
      await store.arrive({ type: "stopped", id: "s1" });
      await store.pass(1);
      await store.arrive({ type: "done", id: "d1" });
      await store.wait("r1", "Unstopped", { id: "w1" });
      expectEvents(store, "w1", ["s1"]);
      await store.wait("r1", "Unstopped", { id: "w2" });
      expectEvents(store, "w2", ["d1"]);
    },
  },
  {
    name: "alternatives time out one after the other",
    program: tasks,
    async run(store) {
      await begin(store, ["r1"]);
      await store.wait("r1", "First", { id: "w1" });
      await store.pass(12);
      await store.arrive({ type: "done", id: "d1" });
      expectEvents(store, "w1", undefined);
      await store.pass(20);
      expectEvents(store, "w1", null);
      await store.wait("r1", "TaskOrDone", { id: "w2" });
      expectEvents(store, "w2", ["d1"]);
    },
  },
  {
    name: "a condition sees the variables of its wait",
    program: tasks,
    async run(store) {
      await begin(store, ["r1", "r2"]);
      await store.wait("r1", "Big", { id: "w1", variables: { least: 5 } });
      await store.wait("r2", "Big", { id: "w2", variables: { least: 1 } });
      await store.arrive({ type: "task", id: "t1", data: { number: 3 } });
      expectEvents(store, "w1", undefined);
      expectEvents(store, "w2", ["t1"]);
    },
  },
  {
    name: "a condition that fails ends its wait and leaves the event",
    program: tasks,
    async run(store) {
      await begin(store, ["r1", "r2"]);
      await store.wait("r1", "Big", { id: "w1", variables: { least: 1 } });
      await store.wait("r2", "Task", { id: "w2" });
      await store.arrive({ type: "task", id: "t1", data: null });
      expect(store.answerOf("w1")).toEqual({ isFailed: true });
      expectEvents(store, "w2", ["t1"]);
    },
  },
  {
    name: "unused events are discarded with the wait that drops them",
    program: tasks,
    async run(store) {
      await begin(store, ["r1"]);
      await store.arrive({ type: "task", id: "t1" });
      await store.wait("r1", "Fresh", { id: "w1" });
      await store.pass(1);
      await store.arrive({ type: "done", id: "d1" });
      expectEvents(store, "w1", ["d1"]);
      await store.wait("r1", "Task", { id: "w2" });
      expectEvents(store, "w2", undefined);
      await store.wait("r1", "Fresh", { id: "w3" });
      await store.pass(20);
      expectEvents(store, "w3", null);
    },
  },
  {
    name: "unused events are discarded when the wait times out",
    program: tasks,
    async run(store) {
      await begin(store, ["r1"]);
      await store.wait("r1", "Fresh", { id: "w1" });
      await store.arrive({ type: "task", id: "t1" });
      await store.pass(16);
      expectEvents(store, "w1", null);
      await store.wait("r1", "Task", { id: "w2" });
      expectEvents(store, "w2", undefined);
    },
  },
  {
    name: "a wait that is given up leaves its events to others",
    program: tasks,
    async run(store) {
      await begin(store, ["r1", "r2"]);
      await store.wait("r1", "Pair", { id: "w1" });
      await store.wait("r2", "Task", { id: "w2" });
      await store.cancel("w1");
      await store.pass(1);
      await store.arrive({ type: "task", id: "t1" });
      expectEvents(store, "w2", ["t1"]);
    },
  },
  {
    name: "a run that ends leaves unused events to others",
    program: tasks,
    async run(store) {
      await begin(store, ["r1", "r2"]);
      await store.wait("r1", "Pair", { id: "w1" });
      await store.arrive({ type: "task", id: "t1" });
      await store.leave("r1");
      await store.wait("r2", "Task", { id: "w2" });
      expectEvents(store, "w2", ["t1"]);
    },
  },
  {
    name: "two hundred timed-out waits change nothing for the next event",
    program: tasks,
    async run(store) {
      const ids = Array.from({ length: 200 }, (_, i) => `r${i}`);
      await begin(store, ids);
      for (const id of ids) await store.wait(id, "TaskOrDone", { id: `${id} timed out` });
      await store.wait("r7", "Task", { id: "open" });
      await store.pass(60);
      await store.arrive({ type: "task", id: "t1" });
      expectEvents(store, "r0 timed out", null);
      expectEvents(store, "open", ["t1"]);
    },
  },
  {
    name: "a wait that drops unused events discards two hundred",
    program: tasks,
    async run(store) {
      await begin(store, ["r1"]);
      for (let i = 0; i < 200; i++) await store.arrive({ type: "task" });
      await store.wait("r1", "Fresh", { id: "w1" });
      await store.arrive({ type: "done", id: "d1" });
      expectEvents(store, "w1", ["d1"]);
      await store.wait("r1", "Task", { id: "w2" });
      expectEvents(store, "w2", undefined);
    },
  },
  {
    name: "the correlation value of the run selects its events",
    program: payments,
    async run(store) {
      await begin(store, ["r1"], "a");
      await begin(store, ["r2"], "b");
      await store.wait("r1", "Paid", { id: "w1" });
      await store.wait("r2", "Paid", { id: "w2" });
      await store.arrive({ type: "paid", id: "p1", order: "b" });
      await store.arrive({ type: "paid", id: "p2" });
      expectEvents(store, "w1", undefined);
      expectEvents(store, "w2", ["p1"]);
    },
  },
  {
    name: "a value of the wait takes precedence, and stays the wait's",
    program: payments,
    async run(store) {
      await begin(store, ["r1"], "a");
      await store.wait("r1", "Paid", { id: "w1", values: { key: "b" } });
      await store.wait("r1", "Paid", { id: "w2", values: { key: null } });
      await store.arrive({ type: "paid", id: "p1", order: "a" });
      expectEvents(store, "w1", undefined);
      expectEvents(store, "w2", ["p1"]);
      await store.arrive({ type: "paid", id: "p2", order: "b" });
      expectEvents(store, "w1", ["p2"]);
    },
  },
  {
    name: "a number and its string are one value",
    program: payments,
    async run(store) {
      await begin(store, ["r1"], "7");
      await store.wait("r1", "Paid", { id: "w1" });
      await store.arrive({ type: "paid", id: "p1", order: 7 });
      expectEvents(store, "w1", ["p1"]);
    },
  },
  {
    name: "names of prototypes are values like others",
    program: payments,
    async run(store) {
      await begin(store, ["constructor"], "__proto__");
      await begin(store, ["__proto__"], "constructor");
      await store.wait("constructor", "Paid", { id: "w1" });
      await store.wait("__proto__", "Paid", { id: "w2" });
      await store.arrive({ type: "paid", id: "constructor", order: "constructor" });
      await store.arrive({ type: "paid", id: "__proto__", order: "__proto__" });
      expectEvents(store, "w1", ["__proto__"]);
      expectEvents(store, "w2", ["constructor"]);
    },
  },
  {
    name: "an event starts a run, which then receives it and waits for others of its value",
    program: payments,
    async run(store) {
      await store.arrive({ type: "ordered", id: "o1", order: "a" });
      expect([...store.runs]).toHaveLength(1);
      const [run] = store.runs.keys();
      await store.wait(run!, "Ordered", { id: "w1" });
      expectEvents(store, "w1", ["o1"]);
      await store.wait(run!, "Paid", { id: "w2" });
      await store.arrive({ type: "paid", id: "p1", order: "b" });
      await store.arrive({ type: "paid", id: "p2", order: "a" });
      expectEvents(store, "w2", ["p2"]);
    },
  },
  {
    name: "a waiting run takes the event that would start another",
    program: payments,
    async run(store) {
      await begin(store, ["r1"], "a");
      await store.wait("r1", "Ordered", { id: "w1" });
      await store.arrive({ type: "ordered", id: "o1", order: "a" });
      expectEvents(store, "w1", ["o1"]);
      expect([...store.runs.keys()]).toEqual(["r1"]);
    },
  },
  {
    name: "all events of a combination start one run, within the gap",
    program: deliveries,
    async run(store) {
      await store.arrive({ type: "packed", id: "p1", order: "a" });
      await store.pass(20);
      await store.arrive({ type: "booked", id: "b1", order: "a" });
      expect([...store.runs]).toHaveLength(0);
      await store.pass(5);
      await store.arrive({ type: "packed", id: "p2", order: "a" });
      expect([...store.runs]).toHaveLength(1);
      const [run] = store.runs.keys();
      await store.wait(run!, "Ready", { id: "w1" });
      expectEvents(store, "w1", ["b1", "p2"]);
    },
  },
  {
    name: "the first event of a run binds its value",
    program: meetings,
    async run(store) {
      await begin(store, ["r1"]);
      await store.wait("r1", "Both", { id: "w1" });
      await store.arrive({ type: "agreed", id: "g1", room: "b" });
      await store.arrive({ type: "asked", id: "k1", room: "a" });
      expectEvents(store, "w1", undefined);
      await store.arrive({ type: "agreed", id: "g2", room: "a" });
      expectEvents(store, "w1", ["k1", "g2"]);
      await store.wait("r1", "Agreed", { id: "w2" });
      expectEvents(store, "w2", undefined);
      await store.arrive({ type: "agreed", id: "g3", room: "a" });
      expectEvents(store, "w2", ["g3"]);
    },
  },
];
