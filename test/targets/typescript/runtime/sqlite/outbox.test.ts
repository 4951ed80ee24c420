import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { EventRefused, SinkAway } from "../../../../../targets/typescript/runtime/errors.ts";
import type { CloudEvent } from "../../../../../targets/typescript/runtime/events.ts";
import { type Place, place, until, workflowOf } from "./place.ts";

let here: Place;
beforeEach(() => {
  here = place();
});
afterEach(() => here.leave());

const events = { slow: { type: "slow" }, fast: { type: "fast" } };

/** Emits two events of a type. */
const twice = (type: "slow" | "fast") =>
  workflowOf(
    async (flow) => {
      await flow.emit("First", type, 1);
      await flow.emit("Second", type, 2);
      return type;
    },
    { id: type, events },
  );

const [slow, fast] = [twice("slow"), twice("fast")];
const idsOf = (sent: readonly CloudEvent[]) => sent.map(({ id }) => id);

test("a sink that is away stalls neither the run nor other sinks, and has its events in order when it is back", async () => {
  const taken: CloudEvent[] = [];
  let isAway = true;
  const send = (event: CloudEvent) => {
    if (isAway && event.type === "slow") return Promise.reject(new Error("It is away."));
    taken.push(event);
    return Promise.resolve();
  };
  const engine = here.open([slow, fast], {}, { send, sinkOf: (type) => type });
  for (const id of ["a", "b"]) {
    await engine.start("slow", {}, { id });
    expect((await engine.ended(id)).status).toBe("succeeded");
  }
  await engine.start("fast", {}, { id: "c" });
  await until(() => taken.length === 2);
  expect(idsOf(taken)).toEqual(["c/First", "c/Second"]);
  await until(async () => (await engine.unsent()).unsent === 4);
  expect((await engine.show("a"))!.unsent).toMatchObject([
    { event: "a/First", type: "slow", status: "waiting", reason: "It is away." },
    { event: "a/Second", status: "waiting", attempts: 0 },
  ]);
  isAway = false;
  await until(() => taken.length === 6);
  const rest = idsOf(taken).slice(2);
  expect(rest.filter((id) => id.startsWith("a/"))).toEqual(["a/First", "a/Second"]);
  expect(rest.filter((id) => id.startsWith("b/"))).toEqual(["b/First", "b/Second"]);
  await until(async () => (await engine.unsent()).unsent === 0);
});

test("what is not sent when the process ends is sent by the next one, under the same id", async () => {
  const asked: string[] = [];
  const never = (event: CloudEvent) => {
    asked.push(event.id);
    return new Promise<void>(() => undefined);
  };
  const first = here.open([fast], {}, { send: never });
  await first.start("fast", {}, { id: "a" });
  await first.ended("a");
  await until(() => asked.length > 0);
  await first.close(0.05);
  const next = here.open([fast], {});
  await until(() => here.sent.length === 2);
  expect([...asked, ...idsOf(here.sent)]).toEqual(["a/First", "a/First", "a/Second"]);
  await until(async () => (await next.unsent()).unsent === 0);
});

test("an engine that is closed sends first what its runs have emitted", async () => {
  const taken: string[] = [];
  const send = (event: CloudEvent) =>
    new Promise<void>((resolve) => {
      setTimeout(() => {
        taken.push(event.id);
        resolve();
      }, 20);
    });
  const engine = here.open([fast], {}, { send });
  await engine.start("fast", {}, { id: "a" });
  await engine.ended("a");
  await engine.close();
  expect(taken).toEqual(["a/First", "a/Second"]);
});

test("an event that its sink refuses is put aside with the reason, and sent again when its run is retried", async () => {
  const taken: CloudEvent[] = [];
  let isRefused = true;
  const send = async (event: CloudEvent) => {
    if (isRefused && event.id.endsWith("First")) throw new EventRefused("It is not wanted.");
    taken.push(event);
  };
  const engine = here.open([fast], {}, { send });
  await engine.start("fast", {}, { id: "a" });
  expect((await engine.ended("a")).status).toBe("succeeded");
  await until(async () => (await engine.unsent()).refused === 1 && (await engine.unsent()).unsent === 1);
  expect(idsOf(taken)).toEqual(["a/Second"]);
  expect((await engine.show("a"))!.unsent).toMatchObject([
    { event: "a/First", status: "refused", reason: "It is not wanted." },
  ]);
  isRefused = false;
  expect(await engine.retry("a")).toBe(true);
  await until(async () => (await engine.unsent()).unsent === 0);
  expect(idsOf(taken)).toEqual(["a/Second", "a/First"]);
  expect(await engine.retry("a")).toBe(false);
});

test("an event that a sink cannot digest keeps those of other runs back for a moment only", async () => {
  const taken: string[] = [];
  const send = async (event: CloudEvent) => {
    if (event.id.startsWith("a/")) throw new Error("It breaks on this one.");
    taken.push(event.id);
  };
  const engine = here.open([fast], {}, { send });
  for (const id of ["a", "b", "c"]) await engine.start("fast", {}, { id });
  await until(() => taken.length === 4);
  await until(async () => (await engine.unsent()).unsent === 2);
});

test("a damaged event is put aside; the others are sent", async () => {
  const paused = here.open([fast], {}, { isPaused: true });
  await paused.close();
  const db = new DatabaseSync(here.store);
  db.exec(`INSERT INTO runs (ref, id, workflow, status, created, updated, input) VALUES (1, 'a', 1, 'succeeded', 1, 1, '{}');
    INSERT INTO outbox (run, type, text, at) VALUES (1, 'fast', '{"id', 1), (1, 'fast', '{"id":"a/Second","type":"fast"}', 1)`);
  db.close();
  const engine = here.open([fast], {});
  await until(async () => here.sent.length === 1 && (await engine.unsent()).unsent === 1);
  expect((await engine.show("a"))!.unsent).toMatchObject([{ status: "refused", event: "" }]);
});

test("runs are kept until what they have emitted is sent", async () => {
  let isAway = true;
  const send = () => (isAway ? Promise.reject(new Error("It is away.")) : Promise.resolve());
  const engine = here.open([fast], {}, { send });
  await engine.start("fast", {}, { id: "a" });
  await engine.ended("a");
  expect(await engine.prune(Date.now() + 1000)).toBe(0);
  isAway = false;
  await until(async () => (await engine.unsent()).unsent === 0);
  expect(await engine.prune(Date.now() + 1000)).toBe(1);
});

test("many events that a sink never takes keep none of the others back", async () => {
  const taken: string[] = [];
  const send = async (event: CloudEvent) => {
    if (event.id.startsWith("bad")) throw new Error("It breaks on this one.");
    taken.push(event.id);
  };
  const engine = here.open([fast], {}, { send });
  const bad = Array.from({ length: 40 }, (_, i) => `bad-${i}`);
  await Promise.all(bad.map((id) => engine.start("fast", {}, { id })));
  await engine.start("fast", {}, { id: "good" });
  await until(() => taken.length === 2, 30_000);
  expect(taken).toEqual(["good/First", "good/Second"]);
  await until(async () => (await engine.unsent()).unsent === 80);
  await engine.close(0.1);
});

test("a run of which the first event is not taken has all others behind it, however many, in order, and other runs go on", async () => {
  const taken: string[] = [];
  let isBad = true;
  const send = async (event: CloudEvent) => {
    if (isBad && event.id === "many/Emit") throw new Error("It breaks on this one.");
    taken.push(event.id);
  };
  const many = workflowOf(
    async (flow) => {
      for (let i = 0; i < 600; i++) await flow.emit("Emit", "fast", i);
      return "fast";
    },
    { id: "many", events },
  );
  const engine = here.open([many, fast], {}, { send });
  await engine.start("many", {}, { id: "many" });
  await engine.ended("many");
  await engine.start("fast", {}, { id: "good" });
  await until(() => taken.length === 2);
  expect(taken).toEqual(["good/First", "good/Second"]);
  isBad = false;
  await until(() => taken.length === 602, 10_000);
  const [first, ...more] = taken.slice(2);
  expect([first, more]).toEqual(["many/Emit", more.map((_, i) => `many/Emit#${i + 2}`)]);
});

test("a sink that says when it takes events again is not asked before", async () => {
  const asked: [string, number][] = [];
  const began = Date.now();
  const send = async (event: CloudEvent) => {
    asked.push([event.id, Date.now() - began]);
    if (asked.length === 1) throw new SinkAway("It is away.", 2);
  };
  const engine = here.open([fast], {}, { send });
  for (const id of ["a", "b"]) await engine.start("fast", {}, { id });
  await until(async () => (await engine.unsent()).unsent === 0, 10_000);
  expect(asked).toHaveLength(5);
  expect(asked[1]![1] - asked[0]![1]).toBeGreaterThanOrEqual(1990);
});
