import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { form, forms } from "../../targets/typescript/runtime/hosts/dbos/forms.ts";
import { enginesOnPostgres } from "./dbos.ts";
import type { PostgresServer } from "./postgres.ts";
import { correlated, event, workflowOf } from "./samples.ts";

/** Digests of the released schema migrations: a change to the schema needs a new migration. */
const digests: readonly string[] = [
  "a653462d6d43fec2",
  "3992d9abac98ef48",
  "27e0ff15a3ab61ab",
  "48f01eba723ec66a",
  "e6ebb0849f1e2d38",
  "cf3e040d5a853090",
  "4f3aae50d6e73b87",
  "8f4ed4dd7aa4734f",
  "fd703f7124039aae",
];

test("released migrations are unchanged", () => {
  const digestOf = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);
  expect(forms.map(digestOf)).toEqual(digests);
});

/** Creates a store of a schema version, with a waiting run. */
const storeOf = (number: number): string => `
CREATE SCHEMA waybill;
SET search_path = waybill;
CREATE TABLE meta (name TEXT PRIMARY KEY, value BIGINT NOT NULL);
${forms.slice(0, number).join("")}
INSERT INTO meta VALUES ('form', ${number});
INSERT INTO workflows (id, version) VALUES ('W', '1');
INSERT INTO runs (id, workflow, status, created, updated, input, token, waits)
  SELECT 'a', ref, 'waiting', 1, 1, '{}', '"a"', '[{"key":"Wait","at":1,"events":["go"]}]' FROM workflows;
INSERT INTO journal (run, seq, key, kind, value, at) SELECT ref, 1, 'One', 'value', '41', 1 FROM runs;
${number === 1 ? interests : waits}`;

/** What version 1 stores of the events that the run receives. */
const interests = `
INSERT INTO interests (workflow, definition, token, run, inbox) SELECT workflow, 'go', '"a"', ref, '' FROM runs;
INSERT INTO interests (workflow, definition, token, run, inbox) SELECT workflow, '', '0000000000000000', ref, '' FROM runs;
`;

/** What later versions store. */
const waits = `
INSERT INTO subscriptions (run, inbox, workflow, after, value) SELECT ref, '', workflow, 0, '"a"' FROM runs;
INSERT INTO waits (run, key, inbox, step, partition, dropping, text) SELECT ref, 'Wait', '', '["W","1","Wait"]', '="a"', 0,
  '{"age":[1,1],"position":[],"since":1,"at":1,"variables":{},"values":{"":"a"}}' FROM runs;
`;

async function schemaOf(server: PostgresServer, store: string): Promise<readonly unknown[]> {
  const columns = `SELECT table_name, column_name, data_type, column_default, is_nullable FROM information_schema.columns
    WHERE table_schema = 'waybill' ORDER BY 1, 2`;
  const indexes = "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'waybill' ORDER BY 1";
  const routines = `SELECT tgname, prosrc FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
    WHERE NOT tgisinternal AND tgrelid = 'waybill.runs'::regclass ORDER BY 1`;
  const all = [columns, indexes, routines].map((text) => server.query(store, text));
  return Promise.all(all);
}

enginesOnPostgres("schema versions of a store", ({ server, open }) => {
  test.each(forms.map((_, i) => i + 1))(
    "a store of version %i is migrated to the current schema, and its waiting run continues",
    { timeout: 30_000 },
    async (number) => {
      const waiting = workflowOf(
        async (flow) => {
          const one = await flow.step("One", () => 0);
          await flow.receive("Wait");
          return one + 1;
        },
        { ...correlated, waits: { Wait: { alternatives: [{ all: [["go"]] }] } } },
      );
      const [store, other] = [await server().createDatabase(), await server().createDatabase()];
      await server().query(store, storeOf(number));
      const engine = await open(store, { workflows: [waiting] });
      await engine.deliver(event("1", { who: "a" }));
      expect((await engine.ended("a")).output).toBe(42);
      expect(await server().query(store, "SELECT value FROM waybill.meta WHERE name = 'form'")).toEqual([
        { value: `${form}` },
      ]);
      await open(other, { workflows: [waiting] });
      expect(await schemaOf(server(), store)).toEqual(await schemaOf(server(), other));
    },
  );

  test("a store of a newer version is refused and left as it is", async () => {
    const store = await server().createDatabase();
    await server().query(store, storeOf(form));
    await server().query(store, `UPDATE waybill.meta SET value = ${form + 1} WHERE name = 'form'`);
    const before = await schemaOf(server(), store);
    const message = `has form ${form + 1}; this program knows stores up to form ${form}.`;
    await expect(open(store, { workflows: [workflowOf(async () => null, correlated)] })).rejects.toThrow(message);
    expect(await schemaOf(server(), store)).toEqual(before);
    expect(await server().query(store, "SELECT value FROM waybill.meta WHERE name = 'form'")).toEqual([
      { value: `${form + 1}` },
    ]);
  });
});
