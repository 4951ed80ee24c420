import { copyFileSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Json } from "../../../../../targets/typescript/runtime/json.ts";
import { engineOn } from "../../../../../targets/typescript/runtime/sqlite/engine.ts";
import { StoreError } from "../../../../../targets/typescript/runtime/sqlite/file.ts";
import { applicationId, storeVersion } from "../../../../../targets/typescript/runtime/sqlite/schema.ts";
import { event, type Place, place, workflowOf } from "./place.ts";

let here: Place;
beforeEach(() => {
  here = place();
});
afterEach(() => here.leave());

const one = workflowOf(async (flow) => flow.step("One", () => 1));

/** The error of opening a store. */
function fault(): readonly [string, string] | undefined {
  try {
    void here.open([one], {}).close();
    return undefined;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [error.fault, error.message];
  }
}

test("a store is made, and opened again", async () => {
  const first = here.open([one], {});
  await first.start("W", null, { id: "a" });
  expect(await first.ended("a")).toMatchObject({ status: "succeeded", output: 1 });
  await first.close();
  const second = here.open([one], {});
  expect((await second.list()).runs).toMatchObject([{ id: "a", status: "succeeded" }]);
  expect((await second.show("a"))?.output).toBe(1);
});

test("a store in memory needs no file", async () => {
  const engine = engineOn({
    store: ":memory:",
    workflows: [one],
    functions: {},
    send: () => undefined,
    log: () => undefined,
  });
  await engine.start("W", null, { id: "a" });
  expect((await engine.ended("a")).output).toBe(1);
  await engine.close();
});

test("a second engine on a store is refused, and the first goes on", async () => {
  const first = here.open([one], {});
  expect(fault()).toEqual(["locked", `The store ${here.store} is in use by another process.`]);
  await first.start("W", null, { id: "a" });
  expect((await first.ended("a")).output).toBe(1);
});

test("a file that is no database is refused and left as it is", () => {
  writeFileSync(here.store, "some notes\n".repeat(50));
  expect(fault()).toEqual(["foreign", `The file ${here.store} is not a store.`]);
  expect(readFileSync(here.store, "utf8")).toBe("some notes\n".repeat(50));
});

test.each([
  ["with an id", "PRAGMA application_id = 1234"],
  ["without one", "PRAGMA user_version = 7"],
])("a database of another application, %s, is refused and left as it is", (_, pragma) => {
  const other = new DatabaseSync(here.store);
  other.exec(`${pragma}; CREATE TABLE notes (text TEXT)`);
  other.close();
  const before = readFileSync(here.store);
  expect(fault()).toEqual(["foreign", `The file ${here.store} is a database of another application.`]);
  expect(readFileSync(here.store).equals(before)).toBe(true);
});

test("a store of the first form is brought up to date, and its runs go on", async () => {
  const before = new DatabaseSync(here.store);
  before.exec(readFileSync(new URL("form-1.sql", import.meta.url), "utf8"));
  before.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = 1;
    INSERT INTO workflows VALUES (1, 'W', '1');
    INSERT INTO runs (ref, id, workflow, status, created, updated, input, waits)
      VALUES (1, 'a', 1, 'waiting', 1, 1, '{}', '[{"key":"Wait","at":1,"events":["go"]}]');
    INSERT INTO journal VALUES (1, 1, 'One', 'value', '41', 1);
    INSERT INTO interests VALUES (1, 'go', '', 1, '')`);
  before.close();
  const calls: number[] = [];
  const waiting = workflowOf(
    async (flow) => {
      const one = await flow.step("One", () => calls.push(1));
      await flow.receive("Wait");
      return one + 1;
    },
    { events: { go: { type: "go" } }, waits: { Wait: { alternatives: [{ all: [["go"]] }] } } },
  );
  const engine = here.open([waiting], {});
  await engine.deliver(event("1", "go"));
  expect((await engine.ended("a")).output).toBe(42);
  expect(calls).toEqual([]);
  await engine.close();
  const after = new DatabaseSync(here.store);
  expect(after.prepare("PRAGMA user_version").get()).toEqual({ user_version: storeVersion });
  after.close();
});

test("runs of a store of an earlier form are found by correlation values that are numbers, whether these come as numbers or as texts", async () => {
  const before = new DatabaseSync(here.store);
  before.exec(readFileSync(new URL("form-1.sql", import.meta.url), "utf8"));
  before.exec(
    `PRAGMA application_id = ${applicationId}; PRAGMA user_version = 1; INSERT INTO workflows VALUES (1, 'W', '1')`,
  );
  for (const [ref, token] of [
    [1, "5"],
    [2, "true"],
    [3, '"5"'],
    [4, "-2.5"],
  ] as const) {
    before.exec(`INSERT INTO runs (ref, id, workflow, status, created, updated, input, token, waits)
        VALUES (${ref}, 'run-${ref}', 1, 'waiting', 1, 1, '{}', '${token}', '[{"key":"Wait","at":1,"events":["go"]}]');
      INSERT INTO interests VALUES (1, 'go', '${token}', ${ref}, '')`);
  }
  before.close();
  const waiting = workflowOf(async (flow) => (await flow.receive("Wait")).alternative, {
    events: { go: { type: "go", correlation: (event) => event["k"] as Json } },
    waits: { Wait: { alternatives: [{ all: [["go"]] }] } },
  });
  const engine = here.open([waiting], {});
  for (const [i, [k, run]] of (
    [
      ["5", 1],
      [5, 3],
      ["true", 2],
      [-2.5, 4],
    ] as const
  ).entries()) {
    await engine.deliver(event(`${i}`, "go", { k }));
    expect((await engine.ended(`run-${run}`)).status).toBe("succeeded");
  }
});

test("a store of a newer version is refused and left as it is", async () => {
  await here.open([one], {}).close();
  const later = new DatabaseSync(here.store);
  later.exec("PRAGMA user_version = 99");
  later.close();
  const before = readFileSync(here.store);
  expect(fault()).toEqual([
    "newer",
    `The store ${here.store} has version 99; this program knows stores up to version ${storeVersion}.`,
  ]);
  expect(readFileSync(here.store).equals(before)).toBe(true);
});

test("a damaged store is refused and left as it is", async () => {
  const engine = here.open([one], {});
  await Promise.all(Array.from({ length: 200 }, (_, i) => engine.start("W", "x".repeat(500), { id: `run-${i}` })));
  await engine.close();
  truncateSync(here.store, Math.floor(statSync(here.store).size / 2 / 4096) * 4096);
  const before = readFileSync(here.store);
  expect(fault()?.[0]).toBe("corrupt");
  expect(readFileSync(here.store).equals(before)).toBe(true);
});

test("a store in a folder that is not there is refused", () => {
  expect(() => here.open([one], {}, { store: `${here.store}/no/runs.db` })).toThrow(StoreError);
});

test("a copy of the files of a running store is a store: what was said to be done is in it", async () => {
  const engine = here.open([one], {});
  await engine.start("W", null, { id: "a" });
  await engine.ended("a");
  for (const part of ["", "-wal"]) copyFileSync(`${here.store}${part}`, `${here.store}.copy${part}`);
  const copy = here.open([one], {}, { store: `${here.store}.copy` });
  expect(await copy.show("a")).toMatchObject({ status: "succeeded", steps: [{ key: "One", status: "done" }] });
});
