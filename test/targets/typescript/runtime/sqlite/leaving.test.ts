import type { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Engine } from "../../../../../targets/typescript/runtime/engine.ts";
import type { Flow } from "../../../../../targets/typescript/runtime/flow.ts";
import { event, type Place, place, until, workflowOf } from "./place.ts";

// An uncorrelated event arrives while a run stops waiting for it: the next waiting run gets it, however the wait ends.

let here: Place;
beforeEach(() => {
  here = place();
});
afterEach(() => here.leave());

const events = { go: { type: "go" }, never: { type: "never" } };
const waits = {
  go: { alternatives: [{ all: [["go"]] }] },
  never: { alternatives: [{ all: [["never"]] }] },
  brief: { alternatives: [{ all: [["go"]], within: 0.05 }] },
};
const waitFor = async (flow: Flow, name: string) => {
  const { events } = await flow.receive(name);
  return events.map(({ event }) => event.data ?? null);
};
const plain = workflowOf((flow) => waitFor(flow, "go"), { id: "Plain", events, waits });
const child = workflowOf((flow) => waitFor(flow, "go"), { id: "Child", events, waits });

/** Makes the current step fail. */
let fail = (): void => undefined;
const functions = { failing: () => new Promise((_, reject) => (fail = () => reject(new Error("It fails.")))) };
const failing = async (flow: Flow, { failing }: { readonly [name: string]: () => never }) => {
  await flow.step("Failing", () => failing!());
  return null;
};

const elders = {
  "that is cancelled": { body: (flow: Flow) => waitFor(flow, "go"), end: (engine: Engine) => engine.cancel("a") },
  "of which the wait takes too long": {
    body: async (flow: Flow) => [await waitFor(flow, "brief"), await waitFor(flow, "never")],
    end: () => new Promise((resolve) => setTimeout(resolve, 0)),
  },
  "that fails in another branch": {
    body: (flow: Flow, given: never) =>
      flow.fork("Both", {
        wait: (inner: Flow) => waitFor(inner, "go"),
        fail: (inner: Flow) => failing(inner, given),
      } as never),
    end: () => fail(),
  },
  "of which another branch fails, and that goes on": {
    body: async (flow: Flow, given: never) => {
      const branches = { wait: (inner: Flow) => waitFor(inner, "go"), fail: (inner: Flow) => failing(inner, given) };
      await flow.fork("Both", branches as never).catch(() => null);
      return waitFor(flow, "never");
    },
    end: () => fail(),
  },
  "of which a subflow waits as another branch fails": {
    body: async (flow: Flow, given: never) => {
      const branches = {
        wait: (inner: Flow) => inner.invoke("Sub", child as never, null),
        fail: (inner: Flow) => failing(inner, given),
      };
      await flow.fork("Both", branches as never).catch(() => null);
      return waitFor(flow, "never");
    },
    end: () => fail(),
  },
};

const elderOf = (name: keyof typeof elders) =>
  workflowOf(elders[name].body as never, { id: "Elder", ...(name.includes("subflow") ? {} : { events, waits }) });

const isWaiting = async (engine: Engine, id: string) =>
  (await engine.show(id))?.status === "waiting" ||
  (await engine.show(id))?.steps.some(({ status }) => status === "waiting") === true;

async function bothWaiting(engine: Engine): Promise<void> {
  await engine.start("Elder", null, { id: "a" });
  await until(async () => (await isWaiting(engine, "a")) && (await engine.show("a"))!.waitingFor.events.includes("go"));
  await engine.start("Plain", null, { id: "b" });
  await until(async () => await isWaiting(engine, "b"));
}

const blocked = (milliseconds: number) => {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
};
const settled = async () => {
  for (let i = 0; i < 10; i++) await Promise.resolve();
};
const names = Object.keys(elders) as (keyof typeof elders)[];

test.each(names)("an event that comes to a run %s is for the next one", async (name) => {
  const engine = here.open([elderOf(name), plain, child], functions);
  await bothWaiting(engine);
  if (name.includes("too long")) blocked(60);
  const ended = elders[name].end(engine);
  if (name.includes("too long")) await ended;
  await settled();
  await Promise.all([ended, engine.deliver(event("1", "go", { data: 1 }))]);
  expect((await engine.ended("b")).output).toEqual([1]);
});

test.each([1000, 0])(
  "an event that has come to a run which is cancelled at once is for the next one; %s in memory",
  async (most) => {
    const first = here.open([elderOf("that is cancelled"), plain], functions, {}, { most });
    await bothWaiting(first);
    await Promise.all([first.deliver(event("1", "go", { data: 1 })), first.cancel("a")]);
    expect((await first.ended("b")).output).toEqual([1]);
  },
);

test("an event that a run has had while its process died, and that is cancelled before its code is there again, is for the next one", async () => {
  const elder = elderOf("that is cancelled");
  const first = here.open([elder, plain], functions, {}, { most: 0 });
  await bothWaiting(first);
  await first.close();
  const paused = here.open([elder, plain], functions, { isPaused: true });
  await paused.deliver(event("1", "go", { data: 1 }));
  expect(await paused.cancel("a")).toBe(true);
  await paused.close();
  const second = here.open([elder, plain], functions);
  expect((await second.ended("b")).output).toEqual([1]);
});

test("an event that comes to a run which commits out to be stranded is for the next one, and is kept for it too where nobody has used it", async () => {
  let name = "First";
  const breaks = workflowOf(
    async (flow) => {
      await flow.step(name, () => null);
      return waitFor(flow, "go");
    },
    { id: "Elder", events, waits },
  );
  const engine = here.open([breaks, plain], {}, {}, { most: 0 });
  await bothWaiting(engine);
  name = "Other";
  await engine.deliver(event("1", "go", { data: 1 }));
  expect((await engine.ended("b")).output).toEqual([1]);
  expect((await engine.show("a"))?.status).toBe("stranded");
  await engine.deliver(event("2", "go", { data: 2 }));
  await engine.start("Plain", null, { id: "c" });
  await until(async () => (await engine.show("c"))?.status === "waiting");
  await engine.deliver(event("3", "go", { data: 3 }));
  expect((await engine.ended("c")).output).toEqual([3]);
  name = "First";
  expect(await engine.retry("a")).toBe(true);
  expect((await engine.ended("a")).output).toEqual([2]);
});

test.each(["is cancelled", "is stranded", "takes too long to wait"])(
  "what a run leaves that %s is not for one that began after it had come",
  async (how) => {
    let name = "First";
    const elder = workflowOf(
      async (flow) => {
        await flow.step(name, () => null);
        await flow.receive("Both");
        return waitFor(flow, "never");
      },
      {
        id: "Elder",
        events,
        waits: {
          ...waits,
          Both: { alternatives: [{ all: [["go"], ["never"]], ...(how.includes("wait") ? { within: 0.2 } : {}) }] },
        },
      },
    );
    const engine = here.open([elder, plain], {}, {}, { most: 0 });
    await engine.start("Elder", null, { id: "a" });
    await until(
      async () => (await isWaiting(engine, "a")) && (await engine.show("a"))!.waitingFor.events.includes("go"),
    );
    await engine.deliver(event("1", "go", { data: 1 }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    await engine.start("Plain", null, { id: "b" });
    await until(async () => (await engine.show("b"))?.status === "waiting");
    if (how === "is stranded") name = "Other";
    if (how === "is cancelled") await engine.cancel("a");
    if (how === "is stranded") {
      await engine.deliver(event("2", "never"));
      await engine.ended("a");
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    await engine.deliver(event("3", "go", { data: 3 }));
    expect((await engine.ended("b")).output).toEqual([3]);
  },
);

test("an event that a run has of which the code is missing is for the next one when it is cancelled", async () => {
  const elder = elderOf("that is cancelled");
  const first = here.open([elder, plain], functions, {}, { most: 0 });
  await bothWaiting(first);
  await first.close();
  const paused = here.open([elder, plain], functions, { isPaused: true });
  await paused.deliver(event("1", "go", { data: 1 }));
  await paused.close();
  const second = here.open([plain], functions);
  expect(await second.cancel("a")).toBe(true);
  expect((await second.ended("b")).output).toEqual([1]);
});

test.each(names)(
  "a kill after any commit loses no event that comes to a run %s",
  async (name) => {
    for (let life = 1; life < 12; life++) {
      const at = place();
      try {
        await killed(at, name, life);
      } finally {
        await at.leave();
      }
    }
  },
  60_000,
);

/** Kills the process after `life` commits since the event arrived; the sender does not know and resends it. */
async function killed(at: Place, name: keyof typeof elders, life: number): Promise<void> {
  let [left, isDead] = [Number.POSITIVE_INFINITY, false];
  const committed = () => {
    left -= 1;
    isDead ||= left === 0;
    return isDead;
  };
  let db: DatabaseSync | undefined;
  const opened = (now: DatabaseSync) => {
    db = now;
  };
  /** The run that has received the event; the older one may have been cut off instead. */
  const users = () =>
    db!.prepare(`SELECT run FROM journal WHERE value LIKE '%"order"%' ORDER BY run DESC LIMIT 1`).all();
  const workflows = [elderOf(name), plain, child];
  const first = at.open(workflows, functions, {}, { committed, opened });
  await bothWaiting(first);
  if (name.includes("too long")) blocked(60);
  left = life;
  const given = event("1", "go", { data: 1 });
  const asked = [elders[name].end(first), settled().then(() => first.deliver(given))];
  for (const one of asked) void Promise.resolve(one).catch(() => undefined);
  await until(() => isDead || users().length > 0);
  await first.close();
  const second = at.open(workflows, functions, {}, { opened });
  await second.deliver(given);
  await until(() => users().length > 0);
  if (users()[0]!["run"] === 2) expect((await second.ended("b")).output).toEqual([1]);
  expect(users()).toHaveLength(1);
  for (const id of ["a", "b"]) await until(async () => (await second.show(id))?.status !== "running");
  expect((await second.list({ status: "stranded" })).runs).toEqual([]);
}
