import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Engine, EngineOptions, LogEntry } from "../../targets/typescript/runtime/engine.ts";
import type { CloudEvent } from "../../targets/typescript/runtime/events.ts";
import { openShell } from "../../targets/typescript/runtime/hosts/dbos/shell.ts";
import type { AnyWorkflow } from "../../targets/typescript/runtime/workflow.ts";
import { openOnDbos } from "./dbos.ts";
import { kills } from "./kills/kills.ts";
import { seeded } from "./kills/seeded.ts";
import { absence, type Postgres, startPostgres } from "./postgres.ts";
import { breaking, correlated, event, rest, until, workflowOf } from "./samples.ts";

// Several engines on one database of PostgreSQL, and what may happen to that.

const why = absence();

describe.skipIf(why !== undefined)(`engines on PostgreSQL${why ? ` (left out: ${why})` : ""}`, () => {
  let server: Postgres;
  const opened: Engine[] = [];
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((engine) => engine.close(0)));
  });
  afterAll(() => server.stop());

  const open = async (store: string, more: Partial<EngineOptions> = {}) => {
    const given = { store, workflows: [], functions: {}, send: () => undefined, log: () => undefined, ...more };
    const engine = await openOnDbos(given);
    opened.push(engine);
    return engine;
  };

  test("one of three processes is killed again and again: every run ends, and nothing is lost or done twice", {
    timeout: 120_000,
  }, async () => {
    const { wrong, runs } = await kills(server, 6, seeded(17));
    expect(wrong).toEqual([]);
    expect(runs).toBeGreaterThan(20);
  });

  test("a run goes on when the database is restarted in the middle, and what is asked meanwhile fails clearly", {
    timeout: 60_000,
  }, async () => {
    const store = await server.database();
    const log: LogEntry[] = [];
    const calls: number[] = [];
    const workflow = workflowOf(async (flow) => {
      let n = 0;
      for (let i = 0; i < 40; i++) {
        n = await flow.step(`Step ${i}`, () => calls.push(i));
        await flow.sleep(`Nap ${i}`, 0.05);
      }
      return n;
    });
    const engine = await open(store, { workflows: [workflow], log: (entry) => log.push(entry) });
    await engine.start("W", null, { id: "a" });
    await rest(300);
    await server.restart();
    expect(await engine.ended("a")).toMatchObject({ status: "succeeded" });
    expect(new Set(calls).size).toBe(40);
    expect(calls.length).toBeLessThanOrEqual(41);
  });

  test("a command beside a server cancels, retries and lists its runs", { timeout: 30_000 }, async () => {
    const store = await server.database();
    const { workflow, mend } = breaking();
    const serving = await open(store, { workflows: [workflow] });
    const asking = await open(store, { workflows: [workflow], isPaused: true });
    await serving.start("W", "wait", { id: "a" });
    await serving.start("W", null, { id: "b" });
    await serving.ended("b");
    expect(asking.list().map(({ id, status }) => [id, status])).toEqual([
      ["b", "failed"],
      ["a", expect.any(String)],
    ]);
    mend();
    expect(await asking.retry("b")).toBe(true);
    expect(await serving.ended("b")).toMatchObject({ output: "mended" });
    expect(await asking.cancel("a")).toBe(true);
    expect((await serving.ended("a")).status).toBe("cancelled");
    await asking.start("W", null, { id: "c" });
    expect(await serving.ended("c")).toMatchObject({ output: "mended" });
  });

  test("a run that DBOS gives a process before its engine is open waits for that", { timeout: 30_000 }, async () => {
    const [url, taken] = [await server.database(), [] as string[]];
    const launch = { url, database: "waybill", executor: "e", version: "1", log: () => undefined };
    const shell = await openShell(launch, {
      take: ({ id }) => taken.push(id) > 0,
      ended: async ({ id }) => ({ id, status: "succeeded", output: 1 }) as never,
    });
    try {
      shell.start({ ref: 1, id: "early" });
      await rest(300);
      expect(taken).toEqual([]);
      shell.serve();
      await until(() => taken.length === 1);
      shell.start({ ref: 2, id: "late" });
      await until(() => taken.length === 2);
    } finally {
      await shell.close();
    }
  });

  test("events that no run can wait for are forgotten after a while", { timeout: 30_000 }, async () => {
    const store = await server.database();
    let now = Date.now();
    const engine = await open(store, { workflows: [waiter], keepEvents: 10, now: () => now });
    await engine.deliver(eventFor("nobody"));
    const kept = async () => (await server.ask(store, "SELECT count(*)::int AS n FROM waybill.early"))[0]!["n"];
    await rest(200);
    expect(await kept()).toBe(1);
    now += 90_000_000;
    await vi.waitFor(async () => expect(await kept()).toBe(0), 5000);
  });

  test("an event that comes to one process goes to a run of another, each once", { timeout: 30_000 }, async () => {
    const store = await server.database();
    const [first, second] = [await open(store, { workflows: [waiter] }), await open(store, { workflows: [waiter] })];
    const ids = Array.from({ length: 10 }, (_, i) => `run-${i}`);
    for (const id of ids) await first.start("W", null, { id });
    await until(() => first.list({ status: "waiting" }).length === ids.length);
    for (const id of ids) expect(await second.deliver(eventFor(id))).toMatchObject({ delivered: [id] });
    for (const id of ids) expect(await first.deliver(eventFor(id))).toMatchObject({ status: "duplicate" });
    for (const id of ids) expect((await second.ended(id)).output).toEqual([`for ${id}`]);
  });

  test("two versions of a program side by side go on with their own runs, whoever takes in the events", {
    timeout: 30_000,
  }, async () => {
    const store = await server.database();
    const version = (n: string): AnyWorkflow => ({ ...waiter, version: n }) as AnyWorkflow;
    const old = await open(store, { workflows: [version("1")] });
    await old.start("W", null, { id: "old" });
    await until(() => old.show("old")?.status === "waiting");
    const later = await open(store, { workflows: [version("2")] });
    expect(later.show("old")).toMatchObject({ status: "waiting", version: "1" });
    await later.start("W", null, { id: "new" });
    await until(() => later.show("new")?.status === "waiting");
    await later.deliver(eventFor("old"));
    await old.deliver(eventFor("new"));
    expect(await old.ended("old")).toMatchObject({ output: ["for old"], version: "1" });
    expect(await later.ended("new")).toMatchObject({ output: ["for new"], version: "2" });
  });

  test.skipIf(!canMount())(
    `a run waits while the disk of the database is full, of which requests are told${canMount() ? "" : " (left out: no disk can be mounted)"}`,
    { timeout: 60_000 },
    async () => {
      const { store, free } = await onSmallDisk(server);
      const log: LogEntry[] = [];
      const filled = Promise.withResolvers<null>();
      let calls = 0;
      const workflow = workflowOf(async (flow) => {
        await flow.step("Wait", () => filled.promise);
        return flow.step("Draw", () => randomBytes(500_000 + calls++).toString("hex").length);
      });
      const engine = await open(store, { workflows: [workflow], log: (entry) => log.push(entry) });
      await engine.start("W", null, { id: "a" });
      await fill(server, store);
      await expect(engine.start("W", randomBytes(500_000).toString("hex"), { id: "b" })).rejects.toThrow(
        /cannot be used: .*No space left on device/,
      );
      filled.resolve(null);
      await rest(300);
      await server.ask(store, "DROP TABLE filler");
      expect(await engine.ended("a")).toMatchObject({ status: "succeeded", output: 1_000_000 });
      expect(calls).toBe(1);
      expect(log.filter(({ message }) => message.includes("No space left")).length).toBeLessThan(20);
      await engine.close(0);
      await free();
    },
  );

  test("a database that is not there, or of a later form, is told clearly", { timeout: 30_000 }, async () => {
    await expect(open("runs.db")).rejects.toThrow("The store has to be the address of a database");
    await expect(open("postgresql://waybill@127.0.0.1:1/none")).rejects.toThrow(
      "The database 127.0.0.1:1/none cannot be reached",
    );
    const store = await server.database();
    await (await open(store)).close();
    await server.ask(store, "UPDATE waybill.meta SET value = 99 WHERE name = 'form'");
    await expect(open(store)).rejects.toThrow("has form 99; this program knows stores up to form 1");
  });
});

/** A small disk for the user of the server. */
function mounted(): string {
  const disk = mkdtempSync(join(tmpdir(), "waybill-disk-"));
  const options = "size=24m,uid=65534,gid=65534,mode=0700";
  execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", disk], { stdio: "ignore" });
  return disk;
}

/** Whether this user may do that here. */
function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  try {
    execFileSync("umount", [mounted()]);
    return true;
  } catch {
    return false;
  }
}

/** A database on a disk of its own that has room for little more. */
async function onSmallDisk(server: Postgres): Promise<{ readonly store: string; free(): Promise<void> }> {
  const disk = mounted();
  const beside = await server.database();
  await server.ask(beside, `CREATE TABLESPACE small LOCATION '${disk}'`);
  await server.ask(beside, "CREATE DATABASE small TABLESPACE small");
  const free = async () => {
    await server.ask(beside, "DROP DATABASE small WITH (FORCE)");
    await server.ask(beside, "DROP TABLESPACE small");
    execFileSync("umount", [disk]);
  };
  return { store: beside.replace(/[^/]*$/, "small"), free };
}

/** Fills the disk of a database. */
async function fill(server: Postgres, store: string): Promise<void> {
  await server.ask(store, "CREATE TABLE filler (text text); ALTER TABLE filler ALTER text SET STORAGE EXTERNAL");
  for (const bytes of [1_000_000, 10_000])
    for (let isFull = false; !isFull; )
      isFull = await server.ask(store, `INSERT INTO filler SELECT repeat('x', ${bytes})`).then(
        () => false,
        () => true,
      );
}

/** Waits for the event with its id. */
const waiter = workflowOf(async (flow) => {
  const { events } = await flow.receive("Wait", { alternatives: [{ all: [["go"]] }] });
  return events.map((each) => each.event.id);
}, correlated);

const eventFor = (who: string): CloudEvent => event(`for ${who}`, { who });
