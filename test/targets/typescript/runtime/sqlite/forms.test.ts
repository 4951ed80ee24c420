import { createHash } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { applicationId, forms, storeVersion } from "../../../../../targets/typescript/runtime/sqlite/schema.ts";
import { event, type Place, place, workflowOf } from "./place.ts";

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
      INSERT INTO interests (workflow, definition, token, run, inbox) VALUES (1, 'go', '"x"', 1, '')`);
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
