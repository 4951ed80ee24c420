import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LogEntry } from "../../targets/typescript/runtime/engine.ts";
import { enginesOnPostgres } from "./engines.ts";
import { losingWayTo } from "./losing.ts";
import type { Postgres } from "./postgres.ts";
import { correlated, event, rest, workflowOf } from "./samples.ts";

// What may happen to the database of an engine, and on the way there.

enginesOnPostgres("a database", ({ server, open }) => {
  test("a run goes on when the database is restarted in the middle, and what is asked meanwhile fails clearly", {
    timeout: 60_000,
  }, async () => {
    const store = await server().database();
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
    await server().restart();
    expect(await engine.ended("a")).toMatchObject({ status: "succeeded" });
    expect(new Set(calls).size).toBe(40);
    expect(calls.length).toBeLessThanOrEqual(41);
  });

  describe.each([
    ["was done", true],
    ["was not done", false],
  ])("a commit that nobody has answered, and that %s", (_, isDone) => {
    const steps = workflowOf(async (flow) => {
      const one = await flow.step("First", () => ++calls);
      return flow.step("Second", () => one + ++calls);
    });
    let calls = 0;
    const onLosingWay = async () => {
      calls = 0;
      const store = await server().database();
      const way = await losingWayTo(store);
      const engine = await open(way.url, { workflows: [steps] });
      return { store, way, engine };
    };

    test("has what it records there once", { timeout: 30_000 }, async () => {
      const { store, way, engine } = await onLosingWay();
      const lost = way.lose({ after: "Second", isDone });
      await engine.start("W", null, { id: "a" });
      await lost;
      expect((await engine.ended("a")).output).toBe(3);
      expect(await server().ask(store, "SELECT key FROM waybill.journal ORDER BY seq")).toEqual([
        { key: "First" },
        { key: "Second" },
      ]);
      expect(calls).toBe(2);
      await engine.close(0);
      await way.close();
    });

    test("strands the run of which something could not be written", { timeout: 30_000 }, async () => {
      const { store, way, engine } = await onLosingWay();
      await server().ask(
        store,
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'it is refused'; END $$;
          CREATE TRIGGER refusing BEFORE INSERT ON waybill.journal FOR EACH ROW WHEN (NEW.key = 'Second') EXECUTE FUNCTION refuse()`,
      );
      const lost = way.lose({ after: "it is refused", isDone });
      await engine.start("W", null, { id: "a" });
      await lost;
      expect(await engine.ended("a")).toMatchObject({ status: "stranded", reason: "it is refused" });
      await server().ask(store, "DROP TRIGGER refusing ON waybill.journal");
      expect(await engine.retry("a")).toBe(true);
      expect((await engine.ended("a")).output).toBe(4);
      await engine.close(0);
      await way.close();
    });
  });

  test.skipIf(!canMount())(
    `a run waits while the disk of the database is full, of which requests are told${canMount() ? "" : " (left out: no disk can be mounted)"}`,
    { timeout: 60_000 },
    async () => {
      const { store, free } = await onSmallDisk(server());
      const log: LogEntry[] = [];
      const filled = Promise.withResolvers<null>();
      let calls = 0;
      const workflow = workflowOf(async (flow) => {
        await flow.step("Wait", () => filled.promise);
        return flow.step("Draw", () => randomBytes(500_000 + calls++).toString("hex").length);
      });
      const engine = await open(store, { workflows: [workflow], log: (entry) => log.push(entry) });
      await engine.start("W", null, { id: "a" });
      await fill(server(), store);
      await expect(engine.start("W", randomBytes(500_000).toString("hex"), { id: "b" })).rejects.toThrow(
        /cannot be used: .*No space left on device/,
      );
      filled.resolve(null);
      await rest(300);
      await server().ask(store, "DROP TABLE filler");
      expect(await engine.ended("a")).toMatchObject({ status: "succeeded", output: 1_000_000 });
      expect(calls).toBe(1);
      expect(log.filter(({ message }) => message.includes("No space left")).length).toBeLessThan(20);
      await engine.close(0);
      await free();
    },
  );

  test("what is too long for it fails alone, and clearly", { timeout: 30_000 }, async () => {
    const long = "x".repeat(2000);
    const workflow = workflowOf(
      async (flow, what) => {
        if (what === "emitted") await flow.emit("Tell", "told", long);
        if (what === "given") return flow.step("Long", () => long);
        if (what === "failed") return flow.step("Break", () => Promise.reject(new Error(long)));
        if (what === "marked") return flow.step("Marked", () => "\0".repeat(150));
        return what === "output" ? long : what;
      },
      { events: { told: { type: "told" } } },
    );
    const engine = await open(await server().database(), { workflows: [workflow] }, { longest: 1000 });
    const endOf = async (what: string) => {
      await engine.start("W", what, { id: what });
      return engine.ended(what);
    };
    const failedWith = (message: RegExp) => ({
      status: "failed",
      error: { name: "DataError", message: expect.stringMatching(message) },
    });
    expect(await endOf("given")).toMatchObject(
      failedWith(/^What the step gave cannot be recorded: it has 2002 bytes, and the store takes 1000 at most\.$/),
    );
    expect(await endOf("emitted")).toMatchObject(
      failedWith(/^What is emitted cannot be recorded: it has 2\d\d\d bytes/),
    );
    expect(await endOf("failed")).toMatchObject(failedWith(/^What the step failed with cannot be recorded: it has 2/));
    expect(await endOf("output")).toMatchObject(failedWith(/^The output cannot be recorded: it has 2002 bytes/));
    await expect(engine.start("W", long, { id: "input" })).rejects.toThrow(/more bytes than the 1000 that the store/);
    await expect(engine.deliver(event("1", { long }))).resolves.toMatchObject({ delivered: [] });
    expect(await endOf("short")).toMatchObject({ status: "succeeded", output: "short" });
    expect(engine.show("input")).toBeUndefined();
  });

  test("an id that no index takes is refused, of a run as of an event, and nothing else", {
    timeout: 30_000,
  }, async () => {
    const long = Array.from({ length: 100 }, () => randomBytes(64).toString("hex")).join("");
    const workflow = workflowOf(async () => null, correlated);
    const engine = await open(await server().database(), { workflows: [workflow] });
    const refused = "An id or a correlation value is too long for the store";
    const all = [
      engine.start("W", null, { id: long }),
      engine.deliver(event(long)),
      engine.deliver(event("1", { who: long })),
      engine.start("W", null, { id: "a" }),
    ];
    const told = await Promise.allSettled(all);
    const reasonOf = (each: PromiseSettledResult<unknown>) => ("reason" in each ? String(each.reason) : undefined);
    expect(told.map(reasonOf)).toEqual([
      ...Array.from({ length: 3 }, () => expect.stringContaining(refused)),
      undefined,
    ]);
    expect((await engine.ended("a")).status).toBe("succeeded");
  });

  test("a database that is not there, or of a later form, is told clearly", { timeout: 30_000 }, async () => {
    await expect(open("runs.db")).rejects.toThrow("The store has to be the address of a database");
    await expect(open("postgresql://waybill@127.0.0.1:1/none")).rejects.toThrow(
      "The database 127.0.0.1:1/none cannot be reached",
    );
    const store = await server().database();
    await (await open(store)).close();
    await server().ask(store, "UPDATE waybill.meta SET value = 99 WHERE name = 'form'");
    await expect(open(store)).rejects.toThrow("has form 99; this program knows stores up to form 1");
  });

  test("a start before the database is there fails and leaves nothing behind: the next one has it when it has come", {
    timeout: 30_000,
  }, async () => {
    const beside = await server().database();
    const store = beside.replace(/[^/]*$/, "later");
    const workflow = workflowOf(async (flow, input) => flow.step("Take", () => input));
    const openIt = () => open(store, { workflows: [workflow] });
    await expect(openIt()).rejects.toThrow('/later cannot be reached: database "later" does not exist');
    await expect(openIt()).rejects.toThrow('/later cannot be reached: database "later" does not exist');
    await server().ask(beside, "CREATE DATABASE later");
    const engine = await openIt();
    await engine.start("W", "it", { id: "a" });
    expect(await engine.ended("a")).toMatchObject({ status: "succeeded", output: "it" });
    const left = "SELECT count(*)::int AS n FROM waybill.processes";
    expect(await server().ask(store, left)).toEqual([{ n: 1 }]);
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
