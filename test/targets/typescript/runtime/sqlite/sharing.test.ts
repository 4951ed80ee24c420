import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Engine } from "../../../../../targets/typescript/runtime/engine.ts";
import type { CloudEvent, Pattern } from "../../../../../targets/typescript/runtime/events.ts";
import type { AnyWorkflow } from "../../../../../targets/typescript/runtime/workflow.ts";
import { detailsOf, event, type Place, place, until, workflowOf } from "./place.ts";

// Several runs may use one event: only the oldest of those that use it gets it.

let here: Place;
beforeEach(() => {
  here = place();
});
afterEach(() => here.leave());

const who = (event: { readonly [name: string]: unknown }) => event["who"] as string;
const correlated = { events: { go: { type: "go", correlation: who } }, correlation: () => "ann" } as never;
const anybody = { events: { go: { type: "go" } } };

/** A workflow that naps several times, waits for an event, and returns its data. */
const waiterOf = (more: Partial<AnyWorkflow>, pattern: Pattern): AnyWorkflow =>
  workflowOf(
    (async (flow: never, _: never, input: { readonly naps?: number; readonly wants?: number }) => {
      const { naps = 0, wants = null } = input;
      const own = flow as {
        sleep(name: string, seconds: number): Promise<void>;
        receive(name: string, options: object): Promise<{ events: readonly { event: CloudEvent }[] }>;
      };
      for (let i = 0; i < naps; i++) await own.sleep(`Nap ${i}`, 0.001);
      const { events } = await own.receive("Wait", { variables: { wants } });
      return events.map(({ event }) => event.data ?? null);
    }) as never,
    { ...more, waits: { Wait: { alternatives: [{ all: [[pattern]] }] } } },
  );

const byToken = waiterOf(correlated, "go");
const conditional = waiterOf(anybody, {
  event: "go",
  when: ({ data }, { wants }) => wants === null || data === wants,
});

/** Starts runs and waits until all of them wait. */
async function started(engine: Engine, inputs: { readonly [id: string]: object }): Promise<void> {
  for (const [id, input] of Object.entries(inputs)) {
    await engine.start("W", input as never, { id });
    await until(
      async () =>
        (await engine.show(id))?.status === "waiting" && (await engine.show(id))?.waitingFor.until === undefined,
    );
  }
}

/** The output of each run; null while it is active. */
const outputs = async (engine: Engine) =>
  Object.fromEntries((await detailsOf(engine)).map(({ id, output = null }) => [id, output]));

test("of several runs with its correlation value the oldest has an event, and the next one the next", async () => {
  const engine = here.open([byToken], {});
  await started(engine, { a: {}, b: {}, c: {} });
  await engine.deliver(event("1", "go", { who: "ann", data: 1 }));
  await engine.ended("a");
  await engine.deliver(event("2", "go", { who: "ann", data: 2 }));
  await engine.ended("b");
  expect(await outputs(engine)).toEqual({ a: [1], b: [2], c: null });
});

test.each([
  ["anybody", "ann"],
  ["ann", "anybody"],
])(
  "an event that a run of one workflow and one of another may use is for the older one: %s, then %s",
  async (...order) => {
    const flows = {
      anybody: waiterOf({ ...anybody, id: "A" }, "go"),
      ann: waiterOf({ ...(correlated as object), id: "B" }, "go"),
    };
    const engine = here.open(Object.values(flows), {});
    for (const id of order) {
      await engine.start(flows[id as keyof typeof flows].id, {}, { id });
      await until(async () => (await engine.show(id))?.status === "waiting");
    }
    const [older, younger] = order as [string, string];
    await engine.deliver(event("1", "go", { who: "ann", data: 1 }));
    await engine.ended(older);
    expect(await outputs(engine)).toEqual({ [older]: [1], [younger]: null });
    await engine.deliver(event("2", "go", { who: "ann", data: 2 }));
    await engine.ended(younger);
    expect(await outputs(engine)).toEqual({ [older]: [1], [younger]: [2] });
  },
);

test("a run whose wait for any event is over, and that waits under a condition besides, is not sure to use the next one", async () => {
  const both = waiterOf(anybody, "go");
  const two = workflowOf(
    (async (flow: never) => {
      const own = flow as {
        fork(name: string, branches: object): Promise<unknown>;
        receive(name: string): Promise<unknown>;
      };
      await own.fork("Both", {
        any: () => own.receive("Any"),
        big: () => own.receive("Big"),
      });
      return null;
    }) as never,
    {
      ...anybody,
      id: "Two",
      waits: {
        Any: { alternatives: [{ all: [["go"]], within: 0.05 }] },
        Big: { alternatives: [{ all: [[{ event: "go", when: () => false }]] }] },
      },
    },
  );
  const engine = here.open([both, two], {});
  await engine.start("Two", {}, { id: "a" });
  await until(async () => (await engine.show("a"))?.waitingFor.until !== undefined);
  await until(async () => (await engine.show("a"))?.waitingFor.until === undefined);
  await engine.start("W", {}, { id: "b" });
  await until(async () => (await engine.show("b"))?.status === "waiting");
  await engine.deliver(event("1", "go", { data: 5 }));
  await engine.ended("b");
  expect(await outputs(engine)).toEqual({ a: null, b: [5] });
});

test("two events at once go to two runs", async () => {
  const engine = here.open([byToken], {});
  await started(engine, { a: {}, b: {}, c: {} });
  await Promise.all([1, 2].map((data) => engine.deliver(event(`${data}`, "go", { who: "ann", data }))));
  await Promise.all([engine.ended("a"), engine.ended("b")]);
  expect(await outputs(engine)).toEqual({ a: [1], b: [2], c: null });
});

test("an event that is for anybody goes to the oldest run of which the condition holds for it", async () => {
  const engine = here.open([conditional], {});
  await started(engine, { a: { wants: 1 }, b: { wants: 2 }, c: { wants: 2 }, d: {} });
  await engine.deliver(event("2", "go", { data: 2 }));
  await engine.ended("b");
  expect(await outputs(engine)).toEqual({ a: null, b: [2], c: null, d: null });
  await engine.deliver(event("3", "go", { data: 3 }));
  await engine.ended("d");
  expect(await outputs(engine)).toEqual({ a: null, b: [2], c: null, d: [3] });
});

test("what no condition holds for is there for a run that waits later", async () => {
  const engine = here.open([conditional], {});
  await started(engine, { a: { wants: 1 } });
  await engine.start("W", { naps: 30 } as never, { id: "b" });
  await engine.deliver(event("2", "go", { data: 2 }));
  await engine.ended("b");
  expect(await outputs(engine)).toEqual({ a: null, b: [2] });
});

describe.each([
  ["with its correlation value", byToken, { a: { naps: 20 }, b: {} }],
  ["whose conditions hold", conditional, { a: { naps: 20, wants: 1 }, b: { wants: 1 } }],
])("of several runs %s", (_, workflow, inputs) => {
  const go = event("1", "go", { who: "ann", data: 1 });

  test("the oldest has an event also where it has to come into memory first", async () => {
    const engine = here.open([workflow], {}, {}, { most: 1 });
    await started(engine, inputs);
    await engine.deliver(go);
    await engine.ended("a");
    expect(await outputs(engine)).toEqual({ a: [1], b: null });
  });

  test.each([1, 2, 3])(
    "the oldest has an event whatever has been written of that in %d commits before a crash",
    async (life) => {
      const first = here.open([workflow], {});
      await started(first, inputs);
      await first.close();
      let isDead = false;
      let commits = 0;
      const committed = () => {
        commits += 1;
        isDead ||= commits === life;
        return isDead;
      };
      const second = here.open([workflow], {}, {}, { committed });
      second.deliver(go).catch(() => undefined);
      await until(async () => isDead || (await second.show("a"))?.status === "succeeded");
      await second.close();
      const third = here.open([workflow], {});
      await third.deliver(go);
      await third.ended("a");
      expect(await outputs(third)).toEqual({ a: [1], b: null });
      await third.deliver(event("2", "go", { who: "ann", data: 1 }));
      await third.ended("b");
      expect(await outputs(third)).toEqual({ a: [1], b: [1] });
    },
  );
});
