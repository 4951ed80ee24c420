import { expect, test } from "vitest";
import type { Definition } from "../../../../targets/asl/runtime/model.ts";
import { explore, type Setting } from "./interleavings.ts";

const definition: Definition = {
  workflow: "w",
  events: new Map([
    ["a", { type: "a" }],
    ["b", { type: "b" }],
  ]),
  waits: new Map([["A", { unused: "keep", alternatives: [{ all: [[{ event: "a" }]], none: [] }] }]]),
  sharded: false,
};

const first = { step: "A", index: 0 };
const second = { step: "A", index: 1 };
const one = { type: "a", id: "1" };
const two = { type: "a", id: "2" };

const few: readonly (readonly [string, Omit<Setting, "definition">])[] = [
  ["a wait and an event", { waits: [first], events: [one], crashes: 0, ends: 0 }],
  ["a wait and an event, and a function that breaks off", { waits: [first], events: [one], crashes: 1, ends: 0 }],
  ["a wait that times out, and an event", { waits: [first], events: [one], crashes: 0, ends: 1 }],
];

// These take minutes: `npm run interleavings`.
const many: typeof few = [
  ["all that can happen to a wait", { waits: [first], events: [one], crashes: 1, ends: 1 }],
  ["a wait and two events", { waits: [first], events: [one, two], crashes: 0, ends: 0 }],
  ["two events, a wait that times out", { waits: [first], events: [one, two], crashes: 0, ends: 1 }],
  ["two iterations that wait, and an event", { waits: [first, second], events: [one], crashes: 0, ends: 0 }],
  ["two branches that wait, one of which loses", { waits: [first, second], events: [one], crashes: 0, ends: 1 }],
];

test.each(process.env["INTERLEAVINGS"] ? many : few)(
  "%s: no event is lost, none is used twice, none is left with who is gone",
  async (_, setting) => {
    const { ends, faults } = await explore({ definition, ...setting });
    expect([...faults]).toEqual([]);
    expect(ends).toBeGreaterThan(1);
  },
);
