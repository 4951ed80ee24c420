import { afterEach, beforeEach, expect, test } from "vitest";
import type { Flow } from "../../../../../targets/typescript/runtime/flow.ts";
import type { Json } from "../../../../../targets/typescript/runtime/json.ts";
import { sumOfCounts } from "../../../../../targets/typescript/runtime/run-counts.ts";
import { event, type Place, place, until, workflowOf } from "./place.ts";

// What operators see of a run: its steps, runs that match a search, and a retry from a step.

let here: Place;
let failures: number;
const calls: string[] = [];
beforeEach(() => {
  here = place();
  failures = 0;
  calls.length = 0;
});
afterEach(() => here.leave());

const call = (flow: Flow, name: string, result: Json = name): Promise<Json> =>
  flow.step(
    name,
    ({ key }) => {
      calls.push(key);
      if (name === "Bad" && failures-- > 0) throw Object.assign(new Error("It is broken."), { name: "Broken" });
      return result;
    },
    { retries: [{ limit: 1, base: 0.01 }] },
  );

const sequence = workflowOf(async (flow) => {
  await call(flow, "A", { text: "x".repeat(2000) });
  await call(flow, "Bad");
  return call(flow, "C");
});

const open = (workflow = sequence) => here.open([workflow], {});

test("the steps of a run have results, errors, attempts and durations, in pages", async () => {
  const engine = open();
  failures = 1;
  await engine.start("W", {}, { id: "a" });
  await engine.ended("a");
  const all = await engine.steps("a");
  expect(all!.steps.map(({ key, status, attempt }) => [key, status, attempt])).toEqual([
    ["A", "done", 1],
    ["Bad", "failed", 1],
    ["Bad#retry", "fired", undefined],
    ["Bad#2", "done", 2],
    ["C", "done", 1],
  ]);
  expect(all!.steps[1]!.error).toEqual({ name: "Broken", message: "It is broken." });
  expect(all!.steps[4]!.result).toBe("C");
  expect(Date.parse(all!.steps[0]!.began!)).toBeLessThanOrEqual(Date.parse(all!.steps[0]!.at));
  expect(all).toMatchObject({ pending: [] });
  expect(all!.next).toBeUndefined();

  const first = await engine.steps("a", { limit: 2 });
  expect(first!.steps.map(({ key }) => key)).toEqual(["A", "Bad"]);
  const second = await engine.steps("a", { limit: 3, after: first!.next });
  expect(second!.steps.map(({ key }) => key)).toEqual(["Bad#retry", "Bad#2", "C"]);
  expect(second!.next).toBeUndefined();
  await engine.close();
});

test("results share 1 MB in a page: larger ones are omitted with their size", async () => {
  const engine = open();
  await engine.start("W", {}, { id: "a" });
  await engine.ended("a");
  const [step] = (await engine.steps("a", { limit: 1000 }))!.steps;
  expect(step).toMatchObject({ key: "A", status: "done", size: 2011 });
  expect(step).not.toHaveProperty("result");
  expect((await engine.steps("a", { limit: 1 }))!.steps[0]!.result).toEqual({ text: "x".repeat(2000) });
  await engine.close();
});

test.each([{ limit: 0 }, { limit: 1001 }, { limit: 1.5 }, { after: "x" }, { after: "-1" }])(
  "steps are refused with %j",
  async (filter) => {
    const engine = open();
    await engine.start("W", {}, { id: "a" });
    await expect(engine.steps("a", filter)).rejects.toThrow(RangeError);
    await engine.close();
  },
);

test("a run that does not exist has no steps", async () => {
  const engine = open();
  expect(await engine.steps("nothing")).toBeUndefined();
  await engine.close();
});

test("what has begun and has no result is pending: calls, timers and waits for events", async () => {
  const { promise, resolve } = Promise.withResolvers<Json>();
  const workflow = workflowOf(
    async (flow) => {
      await flow.fork("Both", {
        call: (inner) => inner.step("Slow", () => promise),
        nap: async (inner) => {
          await inner.sleep("Nap", 60);
          return null;
        },
        wait: (inner) => inner.receive("Wait"),
      });
      return null;
    },
    { events: { go: { type: "go" } }, waits: { Wait: { alternatives: [{ all: [["go"]] }] } } },
  );
  const engine = open(workflow);
  await engine.start("W", {}, { id: "a" });
  await until(async () => (await engine.steps("a"))!.pending.length === 3);
  const { steps, pending } = (await engine.steps("a"))!;
  expect(steps).toEqual([]);
  expect(pending.map(({ key, events }) => [key, events])).toEqual([
    ["Both#call/Slow", undefined],
    ["Both#nap/Nap", undefined],
    ["Both#wait/Wait", ["go"]],
  ]);
  expect(Date.parse(pending[1]!.until!) - Date.parse(pending[1]!.began!)).toBeGreaterThanOrEqual(59_000);
  resolve(1);
  await engine.close();
});

test("retry from a step repeats it and all later ones, with new keys", async () => {
  const engine = open();
  failures = 2;
  await engine.start("W", {}, { id: "a" });
  expect((await engine.ended("a")).status).toBe("failed");
  expect(await engine.retry("a", { from: "A" })).toBe(true);
  expect(await engine.ended("a")).toMatchObject({ status: "succeeded", output: "C" });
  expect(calls).toEqual(["a/A", "a/Bad", "a/Bad", "a/A~1", "a/Bad~1", "a/C"]);
  expect((await engine.steps("a"))!.steps.map(({ key }) => key)).toEqual(["A", "Bad", "C"]);
  await engine.close();
});

test("retry from a wait receives its events again", async () => {
  const workflow = workflowOf(
    async (flow) => {
      const { events } = await flow.receive("Wait");
      await call(flow, "Bad");
      return (events[0]!.event.data as Json) ?? null;
    },
    { events: { go: { type: "go" } }, waits: { Wait: { alternatives: [{ all: [["go"]] }] } } },
  );
  const engine = open(workflow);
  failures = 2;
  await engine.start("W", {}, { id: "a" });
  await until(async () => (await engine.show("a"))!.status === "waiting");
  await engine.deliver({ ...event("1", "go"), data: 7 });
  expect((await engine.ended("a")).status).toBe("failed");
  const [wait] = (await engine.steps("a"))!.steps;
  expect(Date.parse(wait!.began!)).toBeLessThanOrEqual(Date.parse(wait!.at));
  expect(await engine.retry("a", { from: "Wait" })).toBe(true);
  expect(await engine.ended("a")).toMatchObject({ status: "succeeded", output: 7 });
  await engine.close();
});

test("retry from a step is refused if the run has not failed, or the step is not recorded", async () => {
  const engine = open();
  await engine.start("W", {}, { id: "a" });
  await engine.ended("a");
  await expect(engine.retry("a", { from: "A" })).rejects.toThrow("Only a failed run can be repeated from a step.");
  failures = 2;
  await engine.start("W", {}, { id: "b" });
  await engine.ended("b");
  await expect(engine.retry("b", { from: "C" })).rejects.toThrow("The step is not recorded");
  await expect(engine.retry("b", { from: "__proto__" })).rejects.toThrow("The step is not recorded");
  expect((await engine.show("b"))!.status).toBe("failed");
  expect(await engine.retry("nothing", { from: "A" })).toBe(false);
  await engine.close();
});

test("retry from a step before a loop begins the loop anew", async () => {
  const workflow = workflowOf(async (flow) => {
    await call(flow, "A");
    let data = { n: 0 };
    for (;;) {
      data = await flow.round("Loop", data);
      await call(flow, "Body");
      if (data.n === 2) break;
      data = { n: data.n + 1 };
    }
    return call(flow, "Bad");
  });
  const engine = open(workflow);
  failures = 2;
  await engine.start("W", {}, { id: "a" });
  expect((await engine.ended("a")).error).toMatchObject({ name: "Broken" });
  calls.length = 0;
  expect(await engine.retry("a", { from: "A" })).toBe(true);
  expect(await engine.ended("a")).toMatchObject({ status: "succeeded" });
  expect(calls.map((key) => key.replace(/^a\/|#.*|~.*/g, ""))).toEqual(["A", "Body", "Body", "Body", "Bad"]);
  await engine.close();
});

test("runs are found by their error, the period of their start, and their correlation value", async () => {
  const workflow = workflowOf(
    async (flow) => {
      await call(flow, "Bad");
      await flow.receive("Wait");
      return null;
    },
    {
      correlation: (input: Json) => (input as { readonly k?: Json }).k,
      events: { go: { type: "go", correlation: ({ k }) => k ?? null } },
      waits: { Wait: { alternatives: [{ all: [["go"]] }] } },
    },
  );
  const engine = open(workflow);
  await engine.start("W", { k: "red" }, { id: "red" });
  await until(async () => (await engine.show("red"))!.status === "waiting");
  failures = 2;
  await engine.start("W", { k: 7 }, { id: "seven" });
  await engine.ended("seven");
  const found = async (filter: Parameters<typeof engine.list>[0]) =>
    (await engine.list(filter)).runs.map(({ id }) => id);
  expect(await found({ error: "is BROKEN" })).toEqual(["seven"]);
  expect(await found({ error: "broken", status: "waiting" })).toEqual([]);
  expect(await found({ error: "other" })).toEqual([]);
  expect(await found({ value: "red" })).toEqual(["red"]);
  expect(await found({ value: "7" })).toEqual(["seven"]);
  expect(await found({ value: "7", status: "waiting" })).toEqual([]);
  expect(await found({ value: "' OR 1 = 1 --" })).toEqual([]);
  const created = Date.parse((await engine.show("seven"))!.created);
  expect(await found({ from: created })).toContain("seven");
  expect(await found({ until: created })).not.toContain("seven");
  expect(await found({ from: created + 1 })).toEqual([]);
  expect(sumOfCounts((await engine.counts()).values())).toMatchObject({ waiting: 1, failed: 1, running: 0 });
  expect(await engine.counts({ workflow: "other" })).toEqual(new Map());
  await engine.close();
});

test("a search of many runs goes through all of them in pages", async () => {
  const engine = open();
  for (let i = 0; i < 30; i++) {
    failures = i % 10 === 0 ? 2 : 0;
    await engine.start("W", {}, { id: `r${i}` });
    await engine.ended(`r${i}`);
  }
  const first = await engine.list({ error: "broken", limit: 2 });
  expect(first.runs.map(({ id }) => id)).toEqual(["r20", "r10"]);
  const second = await engine.list({ error: "broken", limit: 2, after: first.next });
  expect(second.runs.map(({ id }) => id)).toEqual(["r0"]);
  expect(second.next).toBeUndefined();
  await engine.close();
});
