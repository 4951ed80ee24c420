import { afterEach, beforeEach, expect, test } from "vitest";
import type { Engine } from "../../../../../targets/typescript/runtime/engine.ts";
import { event, type Place, place, until, workflowOf } from "./place.ts";

// An event is matched with the waits of the oldest run first. Only the first waits are read.

let here: Place;
beforeEach(() => {
  here = place();
});
afterEach(() => here.leave());

const count = 60;

/** Waits for an event whose number is at least the run's. A condition over numbers below 0 fails. */
const choosy = workflowOf(
  async (flow, _, least: number) => {
    const { events } = await flow.receive("Wait", { variables: { least } });
    return events[0]!.event.id;
  },
  {
    events: { go: { type: "go" } },
    waits: {
      Wait: {
        alternatives: [
          {
            all: [
              [
                {
                  event: "go",
                  when({ number }, { least }) {
                    if ((number as number) < 0) throw new Error("below 0");
                    return (number as number) >= (least as number);
                  },
                },
              ],
            ],
          },
        ],
      },
    },
  },
);

/** Waits in many branches at once. */
const branching = workflowOf(
  async (flow) => {
    const items = Array.from({ length: count }, (_, i) => i);
    return flow.forEach("Each", items, async (inner) => (await inner.receive("Wait")).events[0]!.event.id);
  },
  { events: { go: { type: "go" } }, waits: { Wait: { alternatives: [{ all: [["go"]] }] } } },
);

const startAll = async (engine: Engine): Promise<void> => {
  for (let i = 0; i < count; i++) await engine.start("W", count - i, { id: `run-${i}` });
  await until(async () => (await engine.list({ status: "waiting" })).runs.length === count);
};

test.each([2, 1000])("with %i runs in memory, the oldest run whose condition holds uses an event", async (most) => {
  const engine = here.open([choosy], {}, {}, { most });
  await startAll(engine);
  for (const [i, number] of [1, 30, 2, 30, 60, 60].entries()) {
    const { delivered } = await engine.deliver(event(`e${i}`, "go", { number }));
    expect(delivered).toHaveLength(1);
  }
  await until(async () => (await engine.list({ status: "succeeded" })).runs.length === 6);
  const all = (await engine.list({ status: "succeeded" })).runs.map(({ id }) => Number(id.slice(4)));
  expect(all.sort((a, b) => a - b)).toEqual([0, 1, 30, 31, 58, 59]);
  expect((await engine.deliver(event("none", "go", { number: 0 }))).delivered).toEqual([]);
});

test("an event whose condition fails ends all waits, of any run", async () => {
  const engine = here.open([choosy], {});
  await startAll(engine);
  const { delivered } = await engine.deliver(event("below", "go", { number: -1 }));
  expect(delivered).toHaveLength(count);
  await until(async () => (await engine.list({ status: "failed" })).runs.length === count);
});

test("waits of one run use events in the order of their positions", async () => {
  const engine = here.open([branching], {});
  await engine.start("W", null, { id: "first" });
  await engine.start("W", null, { id: "second" });
  await until(async () => (await engine.list({ status: "waiting" })).runs.length === 2);
  const ids = Array.from({ length: 2 * count }, (_, i) => `e${i}`);
  for (const id of ids) await engine.deliver(event(id, "go"));
  expect((await engine.ended("first")).output).toEqual(ids.slice(0, count));
  expect((await engine.ended("second")).output).toEqual(ids.slice(count));
});
