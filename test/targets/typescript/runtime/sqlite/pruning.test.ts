import { readFileSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { applicationId, forms } from "../../../../../targets/typescript/runtime/sqlite/schema.ts";
import { event, type Place, place, until, workflowOf } from "./place.ts";

let here: Place;
beforeEach(() => {
  here = place();
});
afterEach(() => here.leave());

const secret = "correct horse battery staple";

/** A run whose step and output contain its input. */
const echo = workflowOf(async (flow, _functions, input) => flow.step("Echo", () => input as never));

const waiting = workflowOf(async (flow) => (await flow.receive("Wait")).events.map(({ event: { id } }) => id), {
  id: "waiting",
  events: { go: { type: "go" } },
  waits: { Wait: { alternatives: [{ all: [["go"]] }] } },
});

/** The content of the file and its log. */
const content = () => ["", "-wal"].map((suffix) => readFileSync(here.store + suffix, "latin1")).join("");

const inPast = () => Date.now() + 1000;

test("ended runs are pruned in slices, and other runs are kept", async () => {
  const engine = here.open([echo, waiting], {});
  await Promise.all(Array.from({ length: 600 }, (_, i) => engine.start("W", i, { id: `r${i}` })));
  await Promise.all(Array.from({ length: 600 }, (_, i) => engine.ended(`r${i}`)));
  await engine.start("waiting", null, { id: "active" });
  await until(async () => (await engine.show("active"))?.status === "waiting");
  expect(await engine.prune(Date.parse("2000-01-01"))).toBe(0);
  expect(await engine.prune(inPast())).toBe(600);
  expect((await engine.list()).runs.map(({ id }) => id)).toEqual(["active"]);
  expect(await engine.prune(inPast())).toBe(0);
  await engine.deliver(event("1", "go"));
  expect((await engine.ended("active")).output).toEqual(["1"]);
});

test("what is pruned is gone from the file and its log, which shrink", async () => {
  const engine = here.open([echo], {});
  const large = { secret, padding: "x".repeat(3_000_000) };
  for (const id of ["a", "b", "c"]) await engine.start("W", id === "c" ? secret : large, { id });
  for (const id of ["a", "b", "c"]) await engine.ended(id);
  expect(content()).toContain(secret);
  expect(await engine.prune(inPast())).toBe(3);
  expect(content()).not.toContain(secret);
  expect(content()).not.toContain("xxxxxxxx");
  expect(statSync(here.store).size).toBeLessThan(400_000);
});

test("one run is forgotten with its data, but not while it is active", async () => {
  const engine = here.open([echo, waiting], {});
  await engine.start("W", secret, { id: "a" });
  await engine.start("W", "kept", { id: "b" });
  await engine.start("waiting", null, { id: "c" });
  for (const id of ["a", "b"]) await engine.ended(id);
  expect(await engine.forget("x")).toBe("missing");
  expect(await engine.forget("c")).toBe("active");
  expect(await engine.forget("a")).toBe("forgotten");
  expect(await engine.forget("a")).toBe("missing");
  expect(content()).not.toContain(secret);
  expect((await engine.list()).runs.map(({ id }) => id)).toEqual(["c", "b"]);
  expect((await engine.show("b"))?.output).toBe("kept");
});

test("a run is not forgotten while an event that it has emitted is not sent", async () => {
  const emitting = workflowOf(
    async (flow) => {
      await flow.emit("Tell", "told", null);
      return null;
    },
    { events: { told: { type: "told", source: "/" } } },
  );
  let isAway = true;
  const send = () => {
    if (isAway) throw new Error("away");
  };
  const engine = here.open([emitting], {}, { send });
  await engine.start("W", null, { id: "a" });
  await engine.ended("a");
  expect(await engine.forget("a")).toBe("active");
  expect(await engine.prune(inPast())).toBe(0);
  isAway = false;
  await until(async () => (await engine.unsent()).unsent === 0);
  expect(await engine.forget("a")).toBe("forgotten");
});

test("a store of an earlier version overwrites what it deletes, and shrinks when it has been compacted", async () => {
  const before = new DatabaseSync(here.store);
  for (const text of forms) before.exec(text);
  before.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${forms.length}`);
  before.close();
  const engine = here.open([echo], {});
  const run = async (id: string) => {
    await engine.start("W", { secret, padding: "x".repeat(1_000_000) }, { id });
    await engine.ended(id);
  };
  await run("a");
  await engine.prune(inPast());
  expect(content()).not.toContain(secret);
  expect(statSync(here.store).size).toBeGreaterThan(1_000_000);
  await engine.compact();
  expect(statSync(here.store).size).toBeLessThan(400_000);
  await run("b");
  await engine.prune(inPast());
  expect(content()).not.toContain(secret);
  expect(statSync(here.store).size).toBeLessThan(400_000);
});

test("only its owner can read a new store and its log, whatever the mask of the process is", async () => {
  const mask = process.umask(0);
  try {
    const engine = here.open([echo], {});
    await engine.start("W", 1, { id: "a" });
    await engine.ended("a");
  } finally {
    process.umask(mask);
  }
  for (const suffix of ["", "-wal"]) expect(statSync(here.store + suffix).mode & 0o777).toBe(0o600);
});
