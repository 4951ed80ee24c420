import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { applicationId, forms, storeVersion } from "../../../../../targets/typescript/runtime/sqlite/schema.ts";
import { detailsOf, event, type Place, place, until, workflowOf } from "./place.ts";

let here: Place;
beforeEach(() => {
  here = place();
});
afterEach(() => here.leave());

/** The schema of a store. */
function shapeOf(path: string): readonly unknown[] {
  const db = new DatabaseSync(path, { readOnly: true });
  const columns = db.prepare(
    "SELECT t.name AS place, c.name, c.type FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type IN ('table', 'index') ORDER BY 1, 2",
  );
  const shape = columns.all();
  db.close();
  return shape;
}

const waiting = workflowOf(
  async (flow) => {
    const one = await flow.step("One", () => 0);
    await flow.receive("Wait");
    return one + 1;
  },
  {
    events: { go: { type: "go", correlation: ({ k }) => k ?? null } },
    waits: { Wait: { alternatives: [{ all: [["go"]] }] } },
  },
);

/** How forms without the broker store that the run waits, and how later ones do. */
const interest = `INSERT INTO interests (workflow, definition, token, run, inbox) VALUES (1, 'go', '"x"', 1, '');`;
const wait = `INSERT INTO subscriptions (run, inbox, workflow, after, value) VALUES (1, '', 1, 0, '"x"');
  INSERT INTO waits (run, key, inbox, step, partition, dropping, text) VALUES (1, 'Wait', '', '["W","1","Wait"]', '="x"', 0,
    '{"age":[1,1],"position":[],"since":1,"at":1,"variables":{},"values":{"":"x"}}');`;

test("a form that has a number is never changed: what is to be otherwise is a further one", () => {
  const known = forms.map((text) => createHash("sha256").update(text).digest("hex").slice(0, 12));
  expect(known).toEqual([
    "7b4f4b66adf5",
    "3a7cb315e861",
    "ccd6d600d70e",
    "79adb1f85c1b",
    "a4283ef18253",
    "615759d3dfd2",
    "d56be3c1544a",
    "31cc496e4ee8",
    "d0e1747997e5",
    "adf4f8a1ded1",
    "af79fb28fcaa",
    "8f4ed4dd7aa4",
    "a3996ace2d7b",
  ]);
});

test.each(Array.from(forms.keys()).slice(1))(
  "a store of form %i becomes what a new one is, and a run that waits in it goes on",
  async (form) => {
    const before = new DatabaseSync(here.store);
    for (const text of forms.slice(0, form)) before.exec(text);
    before.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${form};
      INSERT INTO workflows (ref, id, version) VALUES (1, 'W', '1');
      INSERT INTO runs (ref, id, workflow, status, created, updated, input, token, waits)
        VALUES (1, 'a', 1, 'waiting', 1, 1, '{}', '"x"', '[{"key":"Wait","at":1,"events":["go"]}]');
      INSERT INTO journal (run, seq, key, kind, value, at) VALUES (1, 1, 'One', 'value', '41', 1);
      ${form < 7 ? interest : wait}`);
    before.close();
    const engine = here.open([waiting], {});
    await engine.deliver(event("1", "go", { k: "x" }));
    expect((await engine.ended("a")).output).toBe(42);
    await engine.close();

    const other = place();
    await other.open([waiting], {}).close();
    expect(shapeOf(here.store)).toEqual(shapeOf(other.store));
    await other.leave();
    const after = new DatabaseSync(here.store, { readOnly: true });
    expect(after.prepare("PRAGMA user_version").get()).toEqual({ user_version: storeVersion });
    after.close();
  },
);

test("the last form without the broker: kept, undecided, collected and starting events are used as before", async () => {
  const before = new DatabaseSync(here.store);
  for (const text of forms.slice(0, 6)) before.exec(text);
  const text = (id: string, type: string, k: string) => JSON.stringify(event(id, type, { k }));
  before.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = 6;
    INSERT INTO workflows (ref, id, version) VALUES (1, 'W', '1'), (2, 'starting', '1'), (3, 'both', '1');
    INSERT INTO runs (ref, id, workflow, status, created, updated, input, token, waits) VALUES
      (1, 'a', 1, 'waiting', 1, 1, '{}', '"x"', '[{"key":"Wait","at":1,"events":["go"]}]'),
      (2, 'b', 1, 'running', 1, 1, '{}', '"y"', NULL),
      (3, 'c', 1, 'waiting', 1, 1, '{}', '"z"', '[{"key":"Wait","at":1,"events":["go"]}]'),
      (4, 's', 2, 'running', 9, 9, '{}', NULL, NULL);
    INSERT INTO journal (run, seq, key, kind, value, at) SELECT ref, 1, 'One', 'value', '41', 1 FROM runs WHERE ref < 4;
    INSERT INTO interests (workflow, definition, token, run, inbox)
      SELECT 1, 'go', token, ref, '' FROM runs WHERE ref < 4 UNION SELECT workflow, '', 'd0e1747997e50000', ref, '' FROM runs;
    INSERT INTO events (ref, source, id, at, text) VALUES
      (1, 'test', 'arrived', 2, '${text("arrived", "go", "y")}'), (2, 'test', 'open', 3, '${text("open", "go", "z")}'),
      (3, 'test', 'first', 4, '${text("first", "first", "k")}'), (4, 'test', 'start', 5, '${text("start", "start", "k")}'),
      (5, 'test', 'used', 6, NULL), (6, 'test', 'alone', 7, '${text("alone", "start", "k")}');
    INSERT INTO inbox (run, seq, inbox, event, taken) VALUES (2, 2, '', 1, NULL), (3, 2, '', 2, NULL), (4, -1, '', 4, NULL);
    INSERT INTO undecided (event, workflow, at) VALUES (6, 'starting', 7);
    INSERT INTO collected (workflow, event, name, token, at) VALUES ('both', 3, 'first', '', 4)`);
  before.close();
  const wait = (name: string) => ({ [name]: { alternatives: [{ all: [[name]] }] } });
  const starting = workflowOf(async (flow) => (await flow.receive("start")).events.map(({ event: { id } }) => id), {
    id: "starting",
    events: { start: { type: "start" } },
    start: { on: [{ all: [["start"]] }] },
    waits: wait("start"),
  });
  const both = workflowOf(async (flow) => (await flow.receive("first")).events.map(({ event: { id } }) => id), {
    id: "both",
    events: { first: { type: "first" }, second: { type: "second" } },
    start: { on: [{ all: [["first"], ["second"]] }], complete: true },
    waits: wait("first"),
  });
  const engine = here.open([waiting, starting, both], {});
  expect((await engine.ended("b")).output).toBe(42);
  expect((await engine.ended("c")).output).toBe(42);
  expect((await engine.ended("s")).output).toEqual(["start"]);
  expect((await engine.deliver(event("used", "go", { k: "x" }))).status).toBe("duplicate");
  await engine.deliver(event("later", "go", { k: "x" }));
  expect((await engine.ended("a")).output).toBe(42);
  const { started } = await engine.deliver(event("second", "second"));
  expect((await engine.ended(started[0]!)).output).toEqual(["first"]);
  await until(async () => (await engine.list({ workflow: "starting", status: "succeeded" })).runs.length === 2);
  expect((await detailsOf(engine, { workflow: "starting" })).map(({ output }) => output)).toEqual([
    ["alone"],
    ["start"],
  ]);
});

test("an earlier program refuses a store of a newer form", () => {
  const newer = new DatabaseSync(here.store);
  newer.exec(
    `PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${storeVersion + 1}; CREATE TABLE meta (name)`,
  );
  newer.close();
  expect(() => here.open([waiting], {})).toThrow(
    `has version ${storeVersion + 1}; this program knows stores up to version ${storeVersion}.`,
  );
});
