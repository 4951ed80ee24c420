import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { LogEntry } from "../../targets/typescript/runtime/engine.ts";
import { errorOf, QueryFailure } from "../../targets/typescript/runtime/hosts/dbos/connection.ts";
import { enginesOnPostgres } from "./dbos.ts";
import { startLossyProxy } from "./lossy-proxy.ts";
import type { PostgresServer } from "./postgres.ts";
import { correlated, event, sleep, workflowOf } from "./samples.ts";

// Failures of an engine's database and of the connection to it.

enginesOnPostgres("a database", ({ server, open }) => {
  test("a run continues after its database was restarted", {
    timeout: 60_000,
  }, async () => {
    const store = await server().createDatabase();
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
    await sleep(300);
    await server().restart();
    expect(await engine.ended("a")).toMatchObject({ status: "succeeded" });
    expect(new Set(calls).size).toBe(40);
    expect(calls.length).toBeLessThanOrEqual(41);
  });

  test.each([
    ["58030", "StoreError"],
    ["53100", "StoreError"],
    ["22001", "Error"],
  ])("an error %s is one of the database or of what is written", (code, name) => {
    const failure = new QueryFailure("could not read block 1", code, false);
    expect(errorOf(failure, "postgresql://localhost/runs").name).toBe(name);
  });

  describe.each([
    ["was committed", true],
    ["was not committed", false],
  ])("a commit without a response that %s", (_, isCommitted) => {
    const steps = workflowOf(async (flow) => {
      const one = await flow.step("First", () => ++calls);
      return flow.step("Second", () => one + ++calls);
    });
    let calls = 0;
    const openThroughProxy = async () => {
      calls = 0;
      const store = await server().createDatabase();
      const proxy = await startLossyProxy(store);
      const engine = await open(proxy.url, { workflows: [steps] });
      return { store, proxy, engine };
    };

    test("is recorded once", { timeout: 30_000 }, async () => {
      const { store, proxy, engine } = await openThroughProxy();
      const lost = proxy.loseCommit({ after: "Second", isCommitted });
      await engine.start("W", null, { id: "a" });
      await lost;
      expect((await engine.ended("a")).output).toBe(3);
      expect(await server().query(store, "SELECT key FROM waybill.journal ORDER BY seq")).toEqual([
        { key: "First" },
        { key: "Second" },
      ]);
      expect(calls).toBe(2);
      await engine.close(0);
      await proxy.close();
    });

    test("blocks the run if its records could not be written", { timeout: 30_000 }, async () => {
      const { store, proxy, engine } = await openThroughProxy();
      await server().query(
        store,
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'it is refused'; END $$;
          CREATE TRIGGER refusing BEFORE INSERT ON waybill.journal FOR EACH ROW WHEN (NEW.key = 'Second') EXECUTE FUNCTION refuse()`,
      );
      const lost = proxy.loseCommit({ after: "it is refused", isCommitted });
      await engine.start("W", null, { id: "a" });
      await lost;
      expect(await engine.ended("a")).toMatchObject({ status: "stranded", reason: "it is refused" });
      await server().query(store, "DROP TRIGGER refusing ON waybill.journal");
      expect(await engine.retry("a")).toBe(true);
      expect((await engine.ended("a")).output).toBe(4);
      await engine.close(0);
      await proxy.close();
    });
  });

  test.skipIf(!canMount())(
    `a run waits while the database's disk is full, and requests fail${canMount() ? "" : " (skipped: no disk can be mounted)"}`,
    { timeout: 60_000 },
    async () => {
      const { store, free } = await databaseOnSmallDisk(server());
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
      await sleep(300);
      await server().query(store, "DROP TABLE filler");
      expect(await engine.ended("a")).toMatchObject({ status: "succeeded", output: 1_000_000 });
      expect(calls).toBe(1);
      expect(log.filter(({ message }) => message.includes("No space left")).length).toBeLessThan(20);
      await engine.close(0);
      await free();
    },
  );

  test("a value that exceeds the limit fails its run only", { timeout: 30_000 }, async () => {
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
    const engine = await open(await server().createDatabase(), { workflows: [workflow] }, { longest: 1000 });
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
    expect(await engine.show("input")).toBeUndefined();
  });

  test("ids and correlation values that are too long for an index are rejected", {
    timeout: 30_000,
  }, async () => {
    const long = Array.from({ length: 100 }, () => randomBytes(64).toString("hex")).join("");
    const waits = { Wait: { alternatives: [{ all: [["go"]] }] } };
    const workflow = workflowOf(async () => null, { ...correlated, waits });
    const engine = await open(await server().createDatabase(), { workflows: [workflow] });
    const refused = "An id or a correlation value is too long for the store";
    const all = [
      engine.start("W", null, { id: long }),
      engine.deliver(event(long)),
      engine.deliver(event("1", { who: long })),
      engine.start("W", null, { id: "a" }),
    ];
    const settled = await Promise.allSettled(all);
    const reasonOf = (each: PromiseSettledResult<unknown>) => ("reason" in each ? String(each.reason) : undefined);
    expect(settled.map(reasonOf)).toEqual([
      ...Array.from({ length: 3 }, () => expect.stringContaining(refused)),
      undefined,
    ]);
    expect((await engine.ended("a")).status).toBe("succeeded");
  });

  test("a missing database is reported", { timeout: 30_000 }, async () => {
    await expect(open("runs.db")).rejects.toThrow("The store has to be the address of a database");
    await expect(open("postgresql://waybill@127.0.0.1:1/none")).rejects.toThrow(
      "The database 127.0.0.1:1/none cannot be reached",
    );
  });

  test("opening an engine without a database fails without side effects and succeeds once it exists", {
    timeout: 30_000,
  }, async () => {
    const existing = await server().createDatabase();
    const store = existing.replace(/[^/]*$/, "later");
    const workflow = workflowOf(async (flow, input) => flow.step("Take", () => input));
    const openIt = () => open(store, { workflows: [workflow] });
    await expect(openIt()).rejects.toThrow('/later cannot be reached: database "later" does not exist');
    await expect(openIt()).rejects.toThrow('/later cannot be reached: database "later" does not exist');
    await server().query(existing, "CREATE DATABASE later");
    const engine = await openIt();
    await engine.start("W", "it", { id: "a" });
    expect(await engine.ended("a")).toMatchObject({ status: "succeeded", output: "it" });
    const left = "SELECT count(*)::int AS n FROM waybill.processes";
    expect(await server().query(store, left)).toEqual([{ n: 1 }]);
  });
});

/** Mounts a small disk for the server's user. */
function mountDisk(): string {
  const disk = mkdtempSync(join(tmpdir(), "waybill-disk-"));
  const options = "size=24m,uid=65534,gid=65534,mode=0700";
  execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", disk], { stdio: "ignore" });
  return disk;
}

/** Whether this user can mount disks. */
function canMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  try {
    execFileSync("umount", [mountDisk()]);
    return true;
  } catch {
    return false;
  }
}

/** A database on a small disk. */
async function databaseOnSmallDisk(server: PostgresServer): Promise<{ readonly store: string; free(): Promise<void> }> {
  const disk = mountDisk();
  const existing = await server.createDatabase();
  await server.query(existing, `CREATE TABLESPACE small LOCATION '${disk}'`);
  await server.query(existing, "CREATE DATABASE small TABLESPACE small");
  const free = async () => {
    await server.query(existing, "DROP DATABASE small WITH (FORCE)");
    await server.query(existing, "DROP TABLESPACE small");
    execFileSync("umount", [disk]);
  };
  return { store: existing.replace(/[^/]*$/, "small"), free };
}

async function fill(server: PostgresServer, store: string): Promise<void> {
  await server.query(store, "CREATE TABLE filler (text text); ALTER TABLE filler ALTER text SET STORAGE EXTERNAL");
  for (const bytes of [1_000_000, 10_000])
    for (let isFull = false; !isFull; )
      isFull = await server.query(store, `INSERT INTO filler SELECT repeat('x', ${bytes})`).then(
        () => false,
        () => true,
      );
}
