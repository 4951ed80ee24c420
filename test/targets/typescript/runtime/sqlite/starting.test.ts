import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Engine } from "../../../../../targets/typescript/runtime/engine.ts";
import type { Pattern } from "../../../../../targets/typescript/runtime/events.ts";
import type { Flow } from "../../../../../targets/typescript/runtime/flow.ts";
import type { AnyWorkflow } from "../../../../../targets/typescript/runtime/workflow.ts";
import { detailsOf, event, type Place, place, until, workflowOf } from "./place.ts";

// Runs wait for an event that also starts runs: the oldest run that uses it gets it, else it starts a run, never both.

let here: Place;
beforeEach(() => {
  here = place();
});
afterEach(() => here.leave());

const who = (event: { readonly [name: string]: unknown }) => event["who"] as string;
const big: Pattern = { event: "go", when: ({ data }) => Number(data) > 5 };
const other = { type: "other" };

/**
 * A workflow that is started by an event and waits for another one; first, if the start event says so, for a different
 * one.
 */
const startedOf = (go: object, pattern: Pattern): AnyWorkflow =>
  workflowOf(
    async (flow: Flow) => {
      const first = await flow.receive("First");
      if (first.events[0]!.event["busy"]) await flow.receive("Busy");
      const second = await flow.receive("Second");
      return [first, second].map(({ events }) => events[0]!.event.data ?? null);
    },
    {
      events: { go: { type: "go", ...go }, other },
      start: { on: [{ all: [["go"]] }] },
      waits: {
        First: { alternatives: [{ all: [["go"]] }] },
        Busy: { alternatives: [{ all: [["other"]] }] },
        Second: { alternatives: [{ all: [[pattern]] }] },
      },
    },
  );

const flows = {
  "under a condition": startedOf({}, big),
  "with a correlation value": startedOf({ correlation: who }, "go"),
  "with both": startedOf({ correlation: who }, big),
  "whatever it is": startedOf({}, "go"),
};
const names = Object.keys(flows) as (keyof typeof flows)[];

/** The events that started and ended each run, oldest first. */
const pairs = async (engine: Engine) => (await detailsOf(engine)).map(({ output = null }) => output).reverse();
const resting = (engine: Engine, count: number) =>
  until(
    async () =>
      (await engine.list({})).runs.length === count && (await engine.list({ status: "running" })).runs.length === 0,
  );

describe.each(names)("a run waits for an event %s that starts runs, too", (name) => {
  test("it has what it uses, and no other is started by that", async () => {
    const engine = here.open([flows[name]], {});
    await engine.deliver(event("1", "go", { who: "ann", data: 1 }));
    await resting(engine, 1);
    await engine.deliver(event("2", "go", { who: "ann", data: 6 }));
    await until(async () => (await engine.list({ status: "succeeded" })).runs.length === 1);
    expect(await pairs(engine)).toEqual([[1, 6]]);
    await engine.deliver(event("3", "go", { who: "ann", data: 7 }));
    await resting(engine, 2);
    expect(await pairs(engine)).toEqual([[1, 6], null]);
  });

  test("one that it does not wait for when it comes starts another, and is not for it later, also in a store that is opened again", async () => {
    const engine = here.open([flows[name]], {});
    await engine.deliver(event("1", "go", { who: "ann", data: 1, busy: true }));
    await resting(engine, 1);
    await engine.deliver(event("2", "go", { who: "ann", data: 6, busy: true }));
    await resting(engine, 2);
    await engine.close();
    const again = here.open([flows[name]], {});
    await again.deliver(event("3", "other"));
    await again.deliver(event("4", "other"));
    await resting(again, 2);
    expect(await pairs(again)).toEqual([null, null]);
    await again.deliver(event("5", "go", { who: "ann", data: 7 }));
    await until(async () => (await again.list({ status: "succeeded" })).runs.length === 1);
    expect(await pairs(again)).toEqual([[1, 7], null]);
  });

  test("a kill after any commit changes nothing of that", async () => {
    for (let life = 1; life < 10; life++) {
      const at = place();
      try {
        await killed(at, flows[name], life);
      } finally {
        await at.leave();
      }
    }
  }, 60_000);
});

test("a run that starts late has what came with its correlation value meanwhile, and an older one that has it too uses it once", async () => {
  const follow = { type: "follow", correlation: who };
  const flow = workflowOf(
    async (flow: Flow) => {
      const first = await flow.receive("First");
      if (first.events[0]!.event["busy"]) await flow.receive("Busy");
      const second = await flow.receive("Second");
      return [first, second].map(({ events }) => events[0]!.event.data ?? null);
    },
    {
      events: { go: { type: "go", correlation: who }, other, follow },
      start: { on: [{ all: [["go"]] }] },
      waits: {
        First: { alternatives: [{ all: [["go"]] }] },
        Busy: { alternatives: [{ all: [["other"]] }] },
        Second: { alternatives: [{ all: [["follow"]] }] },
      },
    },
  );
  const engine = here.open([flow], {}, {}, { most: 0 });
  await engine.deliver(event("1", "go", { who: "ann", data: 1, busy: true }));
  await resting(engine, 1);
  await Promise.all([
    engine.deliver(event("2", "go", { who: "ann", data: 2 })),
    engine.deliver(event("3", "follow", { who: "ann", data: 3 })),
    engine.deliver(event("4", "follow", { who: "bob", data: 4 })),
  ]);
  await until(async () => (await engine.list({ status: "succeeded" })).runs.length === 1);
  await engine.deliver(event("5", "other"));
  await resting(engine, 2);
  expect(await pairs(engine)).toEqual([null, [2, 3]]);
  await engine.deliver(event("6", "follow", { who: "ann", data: 6 }));
  await until(async () => (await engine.list({ status: "succeeded" })).runs.length === 2);
  expect(await pairs(engine)).toEqual([
    [1, 6],
    [2, 3],
  ]);
});

test("what no condition holds for starts another run", async () => {
  const engine = here.open([flows["under a condition"]], {});
  for (const data of [1, 2, 3]) {
    await engine.deliver(event(`${data}`, "go", { data }));
    await resting(engine, data);
  }
  await engine.deliver(event("6", "go", { data: 6 }));
  await until(async () => (await engine.list({ status: "succeeded" })).runs.length === 1);
  expect(await pairs(engine)).toEqual([[1, 6], null, null]);
});

async function killed(at: Place, workflow: AnyWorkflow, life: number): Promise<void> {
  let [left, isDead] = [Number.POSITIVE_INFINITY, false];
  let db: DatabaseSync | undefined;
  const opened = (now: DatabaseSync) => {
    db = now;
  };
  const committed = () => {
    left -= 1;
    isDead ||= left === 0;
    return isDead;
  };
  const used = () => db!.prepare(`SELECT count(*) AS n FROM journal WHERE value LIKE '%"order"%'`).get()?.["n"];
  const first = at.open([workflow], {}, {}, { committed, opened });
  await first.deliver(event("1", "go", { who: "ann", data: 1 }));
  await resting(first, 1);
  left = life;
  const second = event("2", "go", { who: "ann", data: 6 });
  void first.deliver(second).catch(() => undefined);
  await until(() => isDead || used() === 2);
  await first.close();
  const again = at.open([workflow], {}, {}, { opened });
  await again.deliver(second);
  await until(async () => (await again.list({ status: "succeeded" })).runs.length === 1);
  expect(await pairs(again)).toEqual([[1, 6]]);
  expect(db!.prepare("SELECT count(*) AS n FROM kept").get()).toEqual({ n: 0 });
}
