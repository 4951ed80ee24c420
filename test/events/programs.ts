import type { JsonObject } from "../../src/json.ts";
import type { EventProgram } from "./program.ts";

/** Whether the event's number is at least the variable `least`. */
const isEnough = ({ data }: JsonObject, { least }: JsonObject): boolean =>
  ((data as JsonObject).number as number) >= (least as number);

/** Every wait and start has the key, so the program can be partitioned. */
export const payments: EventProgram = {
  name: "payments",
  key: "key",
  events: [
    { name: "ordered", type: "ordered", attribute: "order" },
    { name: "paid", type: "paid", attribute: "order" },
    { name: "refused", type: "refused", attribute: "order" },
  ],
  waits: {
    Paid: { alternatives: [{ all: [["paid"]] }] },
    PaidInTime: { alternatives: [{ all: [["paid"]], within: 20 }] },
    Decision: { alternatives: [{ all: [["refused"]] }, { all: [["paid"], ["refused"]] }] },
    Both: { alternatives: [{ all: [["paid"], ["refused"]], within: 30 }] },
    Latest: { alternatives: [{ all: [["paid"]], within: 20 }], unused: "drop" },
    Ordered: { alternatives: [{ all: [["ordered"]] }] },
    Enough: { alternatives: [{ all: [[{ event: "paid", when: isEnough }]] }] },
  },
  starts: [{ workflow: "orders", on: [{ all: [["ordered"]] }] }],
};

/** No definition has a key: all runs compete for all events. */
export const tasks: EventProgram = {
  name: "tasks",
  events: [
    { name: "task", type: "task" },
    { name: "done", type: "done" },
    { name: "stopped", type: "stopped" },
  ],
  waits: {
    Task: { alternatives: [{ all: [["task"]] }] },
    TaskOrDone: { alternatives: [{ all: [["task", "done"]], within: 15 }] },
    First: {
      alternatives: [
        { all: [["done"]], within: 10 },
        { all: [["task"]], within: 25 },
      ],
    },
    Unstopped: { alternatives: [{ all: [["done"]], none: ["stopped"] }, { all: [["stopped"]] }] },
    Pair: { alternatives: [{ all: [["task"], ["done"]] }] },
    Big: { alternatives: [{ all: [[{ event: "task", when: isEnough }]], within: 25 }] },
    Fresh: { alternatives: [{ all: [["done"]], within: 15 }], unused: "drop" },
  },
  starts: [],
};

/** Runs start with all events of a combination; a second workflow is started by single ones. */
export const deliveries: EventProgram = {
  name: "deliveries",
  key: "key",
  events: [
    { name: "packed", type: "packed", attribute: "order" },
    { name: "booked", type: "booked", attribute: "order" },
    { name: "left", type: "left", attribute: "order" },
  ],
  waits: {
    Packed: { alternatives: [{ all: [["packed"]] }] },
    Ready: { alternatives: [{ all: [["packed"], ["booked"]], within: 30 }] },
    Left: { alternatives: [{ all: [["left"]], within: 20 }] },
  },
  starts: [
    { workflow: "orders", on: [{ all: [["packed"], ["booked"]] }], complete: true, gap: 10 },
    { workflow: "audit", on: [{ all: [["booked"]] }, { all: [["left"]] }] },
  ],
};

/** A value that the first event binds. */
export const meetings: EventProgram = {
  name: "meetings",
  events: [
    { name: "asked", type: "asked", attribute: "room" },
    { name: "agreed", type: "agreed", attribute: "room" },
    { name: "noise", type: "noise" },
  ],
  waits: {
    Asked: { alternatives: [{ all: [["asked"]] }] },
    Agreed: { alternatives: [{ all: [["agreed"]], within: 20 }, { all: [["noise"], ["agreed"]] }] },
    Both: { alternatives: [{ all: [["asked"], ["agreed"]] }] },
    Fresh: { alternatives: [{ all: [["agreed"], ["noise"]], within: 25 }], unused: "drop" },
  },
  starts: [],
};

/** The programs with which every adapter is tested. */
export const programs: readonly EventProgram[] = [payments, tasks, deliveries, meetings];
