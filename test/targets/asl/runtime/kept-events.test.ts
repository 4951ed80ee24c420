import { expect, test } from "vitest";
import { commonPartition } from "../../../../src/events/routing.ts";
import type { JsonObject } from "../../../../src/json.ts";
import { type Definition, isDecidedBySingleEvents, rulesOf } from "../../../../targets/asl/runtime/definition.ts";
import { type Entry, eventEntries, headEntry, startEntry, waitEntry } from "../../../../targets/asl/runtime/items.ts";
import { openTable } from "../../../../targets/asl/runtime/table.ts";
import { createDynamoDB } from "../../../../targets/asl/simulator/dynamodb/index.ts";
import { createScene } from "./receiving.ts";

// An event that alone ends a wait is decided without the events that are kept for other waits.

const correlation = (event: JsonObject) => event["key"] ?? null;
const wait = (step: string, event: string) => ({
  step,
  unused: "keep" as const,
  alternatives: [{ all: [[{ event }]], none: [] }],
});
const definition: Definition = {
  group: "w",
  workflows: [
    {
      id: "w",
      events: ["a", "b", "c"].map((type) => ({ name: type, type, key: "key", correlation })),
      waits: [wait("A", "a"), wait("B", "b")],
    },
  ],
};
const layout = { rules: rulesOf(definition, () => undefined), kept: 1e9 };

const event = (order: number) => ({ order, at: 1000, event: { specversion: "1.0", type: "c" }, isFree: true });
const waiting = { id: "wait", run: "r", step: "A", age: [0], position: [], since: 0, at: 1000, variables: {} };
const ended = { ...waiting, end: { at: 1000, alternative: 0, groups: [{ name: "c", order: 1 }], uses: [] } };

/** Reads a partition with some entries and five kept events. */
async function readWith(entries: readonly Entry[], head: JsonObject = {}, maxItems = 3) {
  const dynamodb = createDynamoDB({ clock: { now: () => 2000, sleep: async () => {} } });
  const events = [1, 2, 3, 4, 5].flatMap((order) => eventEntries(event(order), true, layout));
  for (const { sk, attributes, ttl } of [headEntry({ next: 6, ...head }, 1, 1000), ...events, ...entries])
    dynamodb.perform("putItem", {
      TableName: "events",
      Item: { pk: { S: "w" }, sk: { S: sk }, ...attributes, ttl: { N: String(ttl) } },
    });
  dynamodb.resetUsage();
  const { partition, isPartial } = await openTable(dynamodb, "events", "w", layout, maxItems).read(
    commonPartition,
    2000,
    true,
  );
  return { events: partition.events.length, waits: partition.waits.length, isPartial, ...dynamodb.usage().requests };
}

const form1Wait: Entry = {
  sk: "wait#1",
  attributes: {
    body: { S: JSON.stringify({ key: "1", step: "A", run: "r", started: 0, position: [], variables: {} }) },
  },
  ttl: 9999,
};

test.each([
  ["of open waits", [waitEntry({ wait: waiting }, layout)], {}, 3, { events: 0, waits: 1, isPartial: true, query: 2 }],
  ["of few events", [waitEntry({ wait: waiting }, layout)], {}, 9, { events: 5, waits: 1, query: 1 }],
  [
    "that is unsettled",
    [waitEntry({ wait: waiting }, layout)],
    { isUnsettled: true },
    3,
    { events: 5, waits: 1, query: 2 },
  ],
  ["with a wait that is over", [waitEntry({ wait: ended }, layout)], {}, 3, { events: 5, waits: 1, query: 2 }],
  [
    "with a run to start",
    [startEntry("r", { start: { workflow: "w", at: 1000, events: [{ name: "c", order: 1 }] } }, 1000)],
    {},
    3,
    { events: 5, waits: 0, query: 3 },
  ],
  ["with an item of form 1", [form1Wait], {}, 3, { events: 5, waits: 1, query: 3 }],
])("a partition %s", async (_, entries, head, maxItems, expected) => {
  expect(await readWith(entries, head, maxItems)).toEqual({ isPartial: undefined, ...expected });
});

test("an event that gives a run another value concerns kept events, for which another of its waits is", async () => {
  for (const maxItems of [2, undefined]) {
    const scene = createScene(definition, { maxItems });
    for (const id of ["1", "2", "3"]) await scene.event("c", id, { key: "other" });
    await scene.wait("A", { task: "first", position: [0] });
    await scene.wait("B", { task: "second", position: [1] });
    await scene.event("a", "4", { key: "x" });
    await scene.event("b", "5", { key: "y" });
    await scene.wait("A", { task: "third", position: [2], values: { key: "y" } });
    expect([...scene.told]).toEqual([["first", "0: 4"]]);
    await scene.event("a", "6", { key: "y" });
    expect([...scene.told].slice(1).sort()).toEqual([
      ["second", "0: 5"],
      ["third", "0: 6"],
    ]);
  }
});

test.each([
  ["waits for single events", {}, true],
  ["a wait for two events", { alternatives: [{ all: [[{ event: "a" }], [{ event: "b" }]], none: [] }] }, false],
  ["a wait that excludes an event", { alternatives: [{ all: [[{ event: "a" }]], none: [{ event: "b" }] }] }, false],
  ["a wait that discards events", { unused: "drop" as const }, false],
])("whether kept events may be omitted: %s", (_, change, expected) => {
  const [workflow] = definition.workflows;
  const waits = [wait("A", "a"), { ...wait("B", "b"), ...change }];
  expect(isDecidedBySingleEvents({ ...definition, workflows: [{ ...workflow!, waits }] })).toBe(expected);
});

test("runs that start by two events need those that are kept", () => {
  const [workflow] = definition.workflows;
  const startedBy = (...all: readonly string[]): Definition => {
    const on = [{ all: all.map((name) => [{ event: name }]), none: [] }];
    return { ...definition, workflows: [{ ...workflow!, start: { machine: "W", on, complete: all.length > 1 } }] };
  };
  expect([isDecidedBySingleEvents(startedBy("a")), isDecidedBySingleEvents(startedBy("a", "b"))]).toEqual([
    true,
    false,
  ]);
});
