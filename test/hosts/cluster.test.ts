import { expect, test, vi } from "vitest";
import type { LogEntry } from "../../targets/typescript/runtime/engine.ts";
import type { CloudEvent } from "../../targets/typescript/runtime/events.ts";
import { openShell } from "../../targets/typescript/runtime/hosts/dbos/adapter.ts";
import type { AnyWorkflow } from "../../targets/typescript/runtime/workflow.ts";
import { enginesOnPostgres } from "./dbos.ts";
import { runWithKills } from "./kills/dbos.ts";
import { breakingWorkflow, correlated, event, seeded, sleep, until, workflowOf } from "./samples.ts";

// Several engines on one PostgreSQL database.

enginesOnPostgres("several processes", ({ server, open, withoutEngines: alone }) => {
  test("every run ends exactly once although one of three processes is killed repeatedly", {
    timeout: 120_000,
  }, async () => {
    const { faults: wrong, runs } = await runWithKills(server(), 6, seeded(17));
    expect(wrong).toEqual([]);
    expect(runs).toBeGreaterThan(20);
  });

  test("a command cancels, retries and lists runs of a server", { timeout: 30_000 }, async () => {
    const store = await server().createDatabase();
    const { workflow, fix } = breakingWorkflow();
    const serving = await open(store, { workflows: [workflow] });
    const paused = await open(store, { workflows: [workflow], isPaused: true });
    await serving.start("W", "wait", { id: "a" });
    await serving.start("W", null, { id: "b" });
    await serving.ended("b");
    expect((await paused.list()).runs.map(({ id, status }) => [id, status])).toEqual([
      ["b", "failed"],
      ["a", expect.any(String)],
    ]);
    fix();
    expect(await paused.retry("b")).toBe(true);
    expect(await serving.ended("b")).toMatchObject({ output: "fixed" });
    expect(await paused.cancel("a")).toBe(true);
    expect((await serving.ended("a")).status).toBe("cancelled");
    await paused.start("W", null, { id: "c" });
    expect(await serving.ended("c")).toMatchObject({ output: "fixed" });
  });

  test("a run that DBOS assigns before the engine is open waits for it", { timeout: 30_000 }, () =>
    alone(async () => {
      const [url, assigned] = [await server().createDatabase(), [] as string[]];
      const launch = { url, database: "waybill", executor: "e", version: "1", log: () => undefined };
      const shell = await openShell(launch, {
        take: async ({ id }) => assigned.push(id) > 0,
        ended: async ({ id }) => ({ id, status: "succeeded", output: 1 }) as never,
      });
      try {
        shell.start({ ref: 1, id: "early" });
        await sleep(300);
        expect(assigned).toEqual([]);
        shell.serve();
        await until(() => assigned.length === 1);
        shell.start({ ref: 2, id: "late" });
        await until(() => assigned.length === 2);
      } finally {
        await shell.close();
      }
    }),
  );

  test("events without a waiting run are deleted after a while", { timeout: 30_000 }, async () => {
    const store = await server().createDatabase();
    let now = Date.now();
    const engine = await open(store, { workflows: [waiter], keepEvents: 10, now: () => now });
    await engine.deliver(eventFor("nobody"));
    const kept = async () => (await server().query(store, "SELECT count(*)::int AS n FROM waybill.kept"))[0]!["n"];
    await sleep(200);
    expect(await kept()).toBe(1);
    now += 90_000_000;
    await vi.waitFor(async () => expect(await kept()).toBe(0), 5000);
  });

  test("an event is delivered once to a run of another process", { timeout: 30_000 }, async () => {
    const store = await server().createDatabase();
    const [first, second] = [await open(store, { workflows: [waiter] }), await open(store, { workflows: [waiter] })];
    const ids = Array.from({ length: 10 }, (_, i) => `run-${i}`);
    for (const id of ids) await first.start("W", null, { id });
    await until(async () => (await first.list({ status: "waiting" })).runs.length === ids.length);
    for (const id of ids) expect(await second.deliver(eventFor(id))).toMatchObject({ delivered: [id] });
    for (const id of ids) expect(await first.deliver(eventFor(id))).toMatchObject({ status: "duplicate" });
    for (const id of ids) expect((await second.ended(id)).output).toEqual([`for ${id}`]);
  });

  test.each([
    ["ahead of", 3_600_000],
    ["behind", -3_600_000],
  ])(
    "a timer fires on time in a process whose clock is %s that of the previous one",
    {
      timeout: 30_000,
    },
    async (_, milliseconds) => {
      const store = await server().createDatabase();
      const workflow = workflowOf(async (flow) => {
        await flow.sleep("Nap", 1.5);
        return "rested";
      });
      const log: LogEntry[] = [];
      const shifted = (by: number) => ({ clock: () => Date.now() + by });
      const first = await open(
        store,
        { workflows: [workflow], log: (entry) => log.push(entry) },
        shifted(-milliseconds),
      );
      const began = performance.now();
      await first.start("W", null, { id: "a" });
      await until(async () => (await first.show("a"))?.status === "waiting");
      await first.close(0);
      const second = await open(store, { workflows: [workflow] }, shifted(milliseconds));
      expect(await second.ended("a")).toMatchObject({ output: "rested" });
      expect(performance.now() - began).toBeGreaterThanOrEqual(1490);
      const { created, updated } = (await second.show("a"))!;
      expect(Date.parse(updated) - Date.parse(created)).toBeGreaterThanOrEqual(1490);
      expect(Math.abs(Date.parse(updated) - Date.now())).toBeLessThan(5000);
      expect(log.map(({ message }) => message)).toContainEqual(
        `The clock of this machine is 3600 s ${milliseconds < 0 ? "ahead of" : "behind"} that of the database, which counts.`,
      );
    },
  );

  test("unsent events of a dead process are sent by another one, unchanged and in order", {
    timeout: 30_000,
  }, async () => {
    const store = await server().createDatabase();
    const workflow = workflowOf(
      async (flow) => {
        for (let i = 0; i < 4; i++) await flow.emit("Tell", "told", i);
        return null;
      },
      { events: { told: { type: "told" } } },
    );
    const sent: { readonly by: string; readonly event: CloudEvent }[] = [];
    /** Sends one event without an acknowledgment. */
    const dying = (event: CloudEvent) => {
      sent.push({ by: "first", event });
      return new Promise<void>(() => undefined);
    };
    const first = await open(store, { workflows: [workflow], send: dying }, { isKilled: () => true });
    for (const id of ["a", "b"]) await first.start("W", null, { id });
    for (const id of ["a", "b"]) await first.ended(id);
    await until(() => sent.length === 2);
    expect(await first.unsent()).toMatchObject({ unsent: 8 });
    await first.close(0);
    const send = (event: CloudEvent) => void sent.push({ by: "second", event });
    const second = await open(store, { workflows: [workflow], send });
    await until(async () => (await second.unsent()).unsent === 0);
    const own = sent.filter(({ by }) => by === "second").map(({ event }) => event);
    expect(new Set(own.map(({ id }) => id)).size).toBe(8);
    expect(own).toHaveLength(8);
    const dataOf = (run: string) => own.filter(({ id }) => id.startsWith(`${run}/`)).map(({ data }) => data);
    expect([dataOf("a"), dataOf("b")]).toEqual([
      [0, 1, 2, 3],
      [0, 1, 2, 3],
    ]);
    for (const { by, event } of sent) if (by === "first") expect(own).toContainEqual(event);
  });

  test("two versions of a program continue their own runs, whichever process receives the events", {
    timeout: 30_000,
  }, async () => {
    const store = await server().createDatabase();
    const version = (n: string): AnyWorkflow => ({ ...waiter, version: n }) as AnyWorkflow;
    const old = await open(store, { workflows: [version("1")] });
    await old.start("W", null, { id: "old" });
    await until(async () => (await old.show("old"))?.status === "waiting");
    const later = await open(store, { workflows: [version("2")] });
    expect(await later.show("old")).toMatchObject({ status: "waiting", version: "1" });
    await later.start("W", null, { id: "new" });
    await until(async () => (await later.show("new"))?.status === "waiting");
    await later.deliver(eventFor("old"));
    await old.deliver(eventFor("new"));
    expect(await old.ended("old")).toMatchObject({ output: ["for old"], version: "1" });
    expect(await later.ended("new")).toMatchObject({ output: ["for new"], version: "2" });
  });
});

/** Waits for an event that correlates with the run's id. */
const waiter = workflowOf(
  async (flow) => {
    const { events } = await flow.receive("Wait");
    return events.map((each) => each.event.id);
  },
  { ...correlated, waits: { Wait: { alternatives: [{ all: [["go"]] }] } } },
);

const eventFor = (who: string): CloudEvent => event(`for ${who}`, { who });
