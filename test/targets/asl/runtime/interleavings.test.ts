import { expect, test } from "vitest";
import type {
  AlternativeDefinition,
  Definition,
  StartDefinition,
  WorkflowEvents,
} from "../../../../targets/asl/runtime/definition.ts";
import { explore, type Setting } from "./interleavings.ts";
import { behindWait } from "./receiving.ts";

const eventA: AlternativeDefinition = { all: [[{ event: "a" }]], none: [] };
const both: AlternativeDefinition = { all: [[{ event: "a" }], [{ event: "b" }]], none: [] };

const workflow: WorkflowEvents = {
  id: "w",
  events: [
    { name: "a", type: "a" },
    { name: "b", type: "b" },
  ],
  waits: [
    { step: "A", unused: "keep", alternatives: [eventA] },
    { step: "Both", unused: "keep", alternatives: [both] },
  ],
};
const definition: Definition = { group: "w", workflows: [workflow] };

const first = { step: "A", index: 0 };
const second = { step: "A", index: 1 };
const one = { type: "a", id: "1" };
const two = { type: "a", id: "2" };

const other = { type: "b", id: "3" };

/** Like `definition`, but events also start runs. */
const starting = (start: Partial<StartDefinition>): Definition => ({
  ...definition,
  workflows: [{ ...workflow, start: { machine: "W", on: [eventA], complete: false, ...start } }],
});
const complete = { on: [both], complete: true };
const byAny = starting({});
const byAll = starting(complete);
const soon = starting({ ...complete, gap: 1 });
const early = starting({ until: 2000 });
const behind = starting({ behind: behindWait("A") });
const behindAll = starting({ ...complete, behind: behindWait("Both") });
const calm = { crashes: 0, ends: 0 };
const pauses = { count: 1, each: 2000 };

const few: readonly (readonly [string, Partial<Setting> & Omit<Setting, "definition">])[] = [
  ["a wait and an event", { waits: [first], events: [one], crashes: 0, ends: 0 }],
  ["a wait and an event, and a function that breaks off", { waits: [first], events: [one], crashes: 1, ends: 0 }],
  ["a wait that times out, and an event", { waits: [first], events: [one], crashes: 0, ends: 1 }],
  ["an event that starts a run", { definition: byAny, waits: [], events: [one], first: "A", ...calm }],
  [
    "an event that starts a run, and a function that breaks off",
    { definition: byAny, waits: [], events: [one], first: "A", crashes: 1, ends: 0 },
  ],
  [
    "an event that a run begins with, behind its wait, and a function that breaks off",
    { definition: behind, waits: [], events: [one], crashes: 1, ends: 0 },
  ],
  [
    "a wait that times out beside an event that a run begins with",
    { definition: behind, waits: [first], events: [one], crashes: 0, ends: 1 },
  ],
  [
    "events that a run begins with, behind its wait",
    { definition: behindAll, waits: [], events: [one, other], ...calm },
  ],
  ["events that start a run together", { definition: byAll, waits: [], events: [one, other], ...calm }],
  ["an event that may come too late to start a run", { definition: early, waits: [], events: [one], pauses, ...calm }],
  [
    "a wait that times out beside an event that starts a run",
    { definition: byAny, waits: [first], events: [one], crashes: 0, ends: 1 },
  ],
  [
    "a function that breaks off beside an event that starts a run",
    { definition: byAny, waits: [first], events: [one], crashes: 1, ends: 0 },
  ],
  [
    "events that may be too far apart to start a run",
    { definition: soon, waits: [], events: [one, other], pauses, ...calm },
  ],
  [
    "a wait beside an event that may come too late",
    { definition: early, waits: [first], events: [one], pauses, ...calm },
  ],
];

// These take minutes: `npm run interleavings`.
const many: typeof few = [
  ["all that can happen to a wait", { waits: [first], events: [one], crashes: 1, ends: 1 }],
  ["a wait and two events", { waits: [first], events: [one, two], crashes: 0, ends: 0 }],
  ["two events, a wait that times out", { waits: [first], events: [one, two], crashes: 0, ends: 1 }],
  ["two iterations that wait, and an event", { waits: [first, second], events: [one], crashes: 0, ends: 0 }],
  [
    "a wait beside an event that starts a run",
    { definition: byAny, waits: [first], events: [one], first: "A", ...calm },
  ],
  ["two events that start runs", { definition: byAny, waits: [], events: [one, two], ...calm }],
  [
    "events that start a run together, and a function that breaks off",
    { definition: byAll, waits: [], events: [one, other], crashes: 1, ends: 0 },
  ],
  ["two events that runs begin with", { definition: behind, waits: [], events: [one, two], ...calm }],
  ["a wait beside an event that a run begins with", { definition: behind, waits: [first], events: [one], ...calm }],
  [
    "events that a run begins with, and a function that breaks off",
    { definition: behindAll, waits: [], events: [one, other], crashes: 1, ends: 0 },
  ],
  [
    "events that start a run together, which waits",
    { definition: byAll, waits: [], events: [one, other], first: "A", ...calm },
  ],
  [
    "a wait beside events that start a run together",
    { definition: byAll, waits: [first], events: [one, other], ...calm },
  ],
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
