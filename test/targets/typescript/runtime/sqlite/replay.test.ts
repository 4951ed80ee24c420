import fc from "fast-check";
import { expect, test } from "vitest";
import type { Flow } from "../../../../../targets/typescript/runtime/flow.ts";
import type { Json } from "../../../../../targets/typescript/runtime/json.ts";
import { runInMemory } from "../../../../../targets/typescript/runtime/memory.ts";
import type { AnyWorkflow, Workflow } from "../../../../../targets/typescript/runtime/workflow.ts";
import { place } from "./place.ts";

test("a pure function is called again after a restart, unless it failed", async () => {
  const { open, leave } = place();
  const calls: string[] = [];
  /** Messages of exceptions differ between versions of the JavaScript engine. */
  const pure = (name: string, result: (process: number) => Json) => {
    calls.push(name);
    return result(calls.filter((each) => each === name).length);
  };
  const workflow = {
    id: "W",
    version: "1",
    name: "W",
    anyInput: true,
    run: async (flow: Flow): Promise<Json> => {
      const values = [
        await flow.compute("value", () => pure("value", () => ({ n: 1 }))),
        await flow.compute("error", () => pure("error", (time) => ({ error: `message ${time}` }))),
        await flow.compute("inside", () => pure("inside", (time) => ({ params: { error: `message ${time}` } }))),
      ];
      await flow.sleep("rest", 0.3);
      return values;
    },
  } as AnyWorkflow;
  const first = open([workflow], {});
  const { id } = await first.start("W", null);
  await expect.poll(async () => (await first.show(id))?.status).toBe("waiting");
  await first.close();
  expect(calls).toEqual(["value", "error", "error", "inside", "inside"]);
  const second = open([workflow], {});
  await expect.poll(async () => (await second.show(id))?.status).toBe("succeeded");
  expect((await second.show(id))?.output).toEqual([
    { n: 1 },
    { error: "message 2" },
    { params: { error: "message 2" } },
  ]);
  expect(calls.slice(5)).toEqual(["value", "error", "inside"]);
  await leave();
});

test("the time of all retries includes a restart, and a resumed run retries as often as before", async () => {
  const { open, leave } = place();
  const began = 1_700_000_000_000;
  let instant = began;
  let life = 1;
  const now = () => instant;
  const calls: number[] = [];
  const never = () => new Promise<Json>(() => undefined);
  const workflow = {
    id: "W",
    version: "1",
    name: "W",
    anyInput: true,
    run: async (flow: Flow): Promise<Json> => {
      const call = (): Promise<Json> => {
        calls.push((instant - began) / 1000);
        if (life === 1 && calls.length === 3) return never();
        instant += 20_000;
        throw new Error("no");
      };
      await flow.step("A", call, { retries: [{ within: 100 }] }).catch(() => undefined);
      return await flow.step("B", () => (life === 2 ? never() : "done"));
    },
  } as AnyWorkflow;
  const first = open([workflow], {}, { now });
  const { id } = await first.start("W", null);
  await expect.poll(() => calls).toEqual([0, 20, 40]);
  await first.close(0);
  instant = began + 70_000;
  life = 2;
  const second = open([workflow], {}, { now });
  await expect.poll(() => calls).toEqual([0, 20, 40, 70, 90]);
  await second.close(0);
  instant += 1_000_000;
  life = 3;
  const third = open([workflow], {}, { now });
  await expect.poll(async () => (await third.show(id))?.output).toBe("done");
  expect(calls).toEqual([0, 20, 40, 70, 90]);
  await leave();
});

/** A random program of every kind of step. */
type Little =
  | { readonly kind: "call"; readonly delay: number; readonly failures: number }
  | { readonly kind: "sleep"; readonly delay: number }
  | { readonly kind: "timeout"; readonly delay: number; readonly allowed: number }
  | { readonly kind: "fork"; readonly join: number; readonly branches: readonly (readonly Little[])[] }
  | { readonly kind: "each"; readonly width: number; readonly count: number; readonly body: readonly Little[] }
  | { readonly kind: "loop"; readonly rounds: number; readonly body: readonly Little[] }
  | { readonly kind: "attempt"; readonly body: readonly Little[] }
  | { readonly kind: "invoke"; readonly body: readonly Little[] };

const delay = fc.integer({ min: 0, max: 3 });
const { body } = fc.letrec<{ little: Little; body: readonly Little[] }>((tie) => ({
  body: fc.array(tie("little"), { minLength: 1, maxLength: 3 }),
  little: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.record({ kind: fc.constant("call" as const), delay, failures: fc.integer({ min: 0, max: 2 }) }),
    fc.record({ kind: fc.constant("sleep" as const), delay }),
    fc.record({
      kind: fc.constant("timeout" as const),
      delay: fc.integer({ min: 0, max: 6 }),
      allowed: fc.integer({ min: 1, max: 4 }),
    }),
    fc.record({
      kind: fc.constant("fork" as const),
      join: fc.integer({ min: 1, max: 3 }),
      branches: fc.array(tie("body"), { minLength: 3, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constant("each" as const),
      width: fc.integer({ min: 1, max: 3 }),
      count: fc.integer({ min: 0, max: 3 }),
      body: tie("body"),
    }),
    fc.record({ kind: fc.constant("loop" as const), rounds: fc.integer({ min: 1, max: 3 }), body: tie("body") }),
    fc.record({ kind: fc.constant("attempt" as const), body: tie("body") }),
    fc.record({ kind: fc.constant("invoke" as const), body: tie("body") }),
  ),
}));

/** The environment of functions: the caller, the duration and the failure of each call. */
interface World {
  call(key: string, delay: number, fails: boolean): Promise<string>;
  /** Records the results that a run has learned, in order. */
  learn(what: string): void;
}

/** Executes a program; step names are positions in it. */
async function perform(flow: Flow, world: World, steps: readonly Little[], place: string): Promise<Json> {
  const values: Json[] = [];
  for (const [i, step] of steps.entries()) values.push(await act(flow, world, step, `${place}${i}`));
  return values;
}

async function act(flow: Flow, world: World, step: Little, name: string): Promise<Json> {
  const value = await caught(flow, () => doIt(flow, world, step, name));
  world.learn(`${name} ${JSON.stringify(value)}`);
  return value;
}

/** Converts a failure to a value; an abort is rethrown. */
async function caught(flow: Flow, act: () => Promise<Json>): Promise<Json> {
  try {
    return await act();
  } catch (error) {
    if (flow.signal.aborted) throw error;
    return (error as Error).name;
  }
}

async function doIt(flow: Flow, world: World, step: Little, name: string): Promise<Json> {
  switch (step.kind) {
    case "call": {
      const retries = [{ limit: 1, base: 0.001 }];
      return flow.step(name, ({ key }) => world.call(key, step.delay, (attemptOf(key) - 1) % 3 < step.failures), {
        retries,
      });
    }
    case "sleep":
      await flow.sleep(name, step.delay / 1000);
      return "slept";
    case "timeout":
      return flow.step(name, ({ key }) => world.call(key, step.delay, false), { timeout: step.allowed / 1000 });
    case "fork": {
      const branches = Object.fromEntries(
        step.branches.map((inner, i) => [`b${i}`, (flow: Flow) => perform(flow, world, inner, `${name}b${i}.`)]),
      );
      return (await flow.fork(name, branches, { join: step.join })) as Json;
    }
    case "each": {
      const items = Array.from({ length: step.count }, (_, i) => i);
      return flow.forEach(name, items, (flow, item) => perform(flow, world, step.body, `${name}e${item}.`), {
        width: step.width,
      });
    }
    case "loop":
      return loop(flow, world, step, name);
    case "attempt":
      return flow.attempt(name, (flow) => perform(flow, world, step.body, `${name}a.`), { timeout: 1000 });
    case "invoke":
      return flow.invoke(name, programOf(world, step.body, `${name}i.`), null);
  }
}

async function loop(
  flow: Flow,
  world: World,
  { rounds, body }: Little & { readonly kind: "loop" },
  name: string,
): Promise<Json> {
  let data: { readonly left: number; readonly last: Json } = { left: rounds, last: null };
  for (;;) {
    data = await flow.round(`${name}loop`, data);
    if (data.left === 0) return data.last;
    data = { left: data.left - 1, last: await perform(flow, world, body, `${name}l.`) };
  }
}

/** How often a step has been entered, by its key. */
const attemptOf = (key: string): number => Number(/#(\d+)$/.exec(key)?.[1] ?? 1);

const programOf = (world: World, steps: readonly Little[], place = ""): AnyWorkflow =>
  ({
    id: `little${place}`,
    version: "1",
    anyInput: true,
    name: "little",
    run: (flow) => perform(flow, world, steps, place),
  }) satisfies Workflow<never, Json> as AnyWorkflow;

/** An environment whose calls take real time and are counted. */
function worldOf(learnt: string[]): World & { readonly calls: string[] } {
  const calls: string[] = [];
  return {
    calls,
    async call(key, delay, fails) {
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay));
      calls.push(key);
      if (fails) throw new Error("no");
      return key.slice(key.indexOf("/"));
    },
    learn: (what) => void learnt.push(what),
  };
}

test("a run that is killed after every commit learns the same again, and goes on", async () => {
  const property = fc.asyncProperty(body, fc.integer({ min: 1, max: 4 }), async (steps, each) => {
    const here = place();
    try {
      let before: readonly string[] = [];
      for (let life = 0; ; life++) {
        const learnt: string[] = [];
        let left = each + (life === 0 ? 1 : 0);
        let killed: (isKilled: boolean) => void = () => undefined;
        const kill = new Promise<boolean>((resolve) => {
          killed = resolve;
        });
        const committed = () => {
          left -= 1;
          if (left === 0) killed(true);
          return left <= 0;
        };
        const engine = here.open([programOf(worldOf(learnt), steps)], {}, {}, { committed });
        if (life === 0) await engine.start("little", null, { id: "run" });
        const isKilled = await Promise.race([
          kill,
          engine.ended("run").then(
            () => false,
            () => true,
          ),
        ]);
        await new Promise((resolve) => setImmediate(resolve));
        await engine.close();
        const now = lasting(learnt);
        const shared = Math.min(now.length, before.length);
        expect(now.slice(0, shared)).toEqual(before.slice(0, shared));
        if (now.length > shared) before = now;
        if (!isKilled) break;
        if (life > 300) throw new Error("The run does not end.");
      }
    } finally {
      await here.leave();
    }
  });
  await fc.assert(property, { seed: 7, numRuns: 12, endOnFailure: true });
}, 60_000);

/** Results outside of loops: those of earlier rounds are not learned again. */
const lasting = (learnt: readonly string[]): readonly string[] => learnt.filter((what) => !/^\S*l\./.test(what));

test("a run that is killed anywhere comes out as one that is not, and in memory", async () => {
  const still = (steps: readonly Little[]): readonly Little[] =>
    steps.map((step): Little => {
      if (step.kind === "timeout") return { kind: "call", delay: 0, failures: 0 };
      if (step.kind === "fork") return { ...step, join: step.branches.length, branches: step.branches.map(still) };
      return "body" in step ? { ...step, body: still(step.body) } : step;
    });
  const property = fc.asyncProperty(body.map(still), fc.integer({ min: 2, max: 40 }), async (steps, moment) => {
    const here = place();
    try {
      const memory = worldOf([]);
      const surroundings = {
        runId: "run",
        now: Date.now,
        sleep: (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000)),
        listen: () => () => undefined,
        send: () => undefined,
      };
      const wanted = await runInMemory(programOf(memory, steps) as Workflow<unknown, Json>, {}, surroundings, null);
      let left = moment;
      const first = worldOf([]);
      const engine = here.open([programOf(first, steps)], {}, {}, { committed: () => --left <= 0 });
      await engine.start("little", null, { id: "run" }).catch(() => undefined);
      await Promise.race([
        engine.ended("run").catch(() => undefined),
        new Promise((resolve) => setTimeout(resolve, 100)),
      ]);
      await engine.close();
      const second = worldOf([]);
      const again = here.open([programOf(second, steps)], {}, {}, {});
      await again.start("little", null, { id: "run" });
      const { output } = await again.ended("run");
      expect({ output }).toEqual(wanted);
      expect([...new Set([...first.calls, ...second.calls])].sort()).toEqual([...new Set(memory.calls)].sort());
    } finally {
      await here.leave();
    }
  });
  await fc.assert(property, { seed: 11, numRuns: 15, endOnFailure: true });
}, 60_000);
