import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { DatabaseOptions } from "../../../../targets/typescript/runtime/functions/database.ts";
import { mysql } from "../../../../targets/typescript/runtime/functions/mysql.ts";
import { postgres } from "../../../../targets/typescript/runtime/functions/postgres.ts";
import {
  type DatabaseServer,
  mariadbProgram,
  postgresFolder,
  startMariadb,
  startPostgres,
  untilReady,
} from "./databases.ts";
import { stepOf } from "./servers.ts";

const failing = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "no failure",
    ({ name, message }) => ({ name, message }),
  );

const kinds = [
  {
    name: "PostgreSQL",
    isThere: postgresFolder !== undefined,
    start: startPostgres,
    by: postgres,
    serial: "serial primary key",
    values:
      "select 1 as n, 9007199254740993::bigint as big, true as yes, null as nothing, 'a' as text, timestamp with time zone '2026-01-02T03:04:05Z' as time, '\\x0102'::bytea as bytes, '{\"a\": [1]}'::jsonb as data",
    yes: true,
    id: 0,
    pause: "select pg_sleep(10)",
    user: "create role asker login",
    data: { a: [1] } as unknown,
    prepare: "select 1",
    lock: (one: number, other: number) =>
      `update orders set name = name where id = ${one}; select pg_sleep(0.5); update orders set name = name where id = ${other}`,
  },
  {
    name: "MariaDB",
    isThere: mariadbProgram !== undefined,
    start: startMariadb,
    by: mysql,
    serial: "int auto_increment primary key",
    values:
      "select 1 as n, 9007199254740993 as big, true as yes, null as nothing, 'a' as text, timestamp('2026-01-02 03:04:05') as time, cast(x'0102' as binary) as bytes, json_object('a', 1) as data",
    yes: 1,
    id: 1,
    pause: "select sleep(10)",
    user: "grant select on *.* to asker@'127.0.0.1' identified by 'p@ss'",
    data: { a: 1 } as unknown,
    prepare: `create procedure both_of(one int, other int) begin
      start transaction;
      update orders set name = concat(name, '1') where id = one;
      do sleep(0.5);
      update orders set name = concat(name, '1') where id = other;
      commit;
    end`,
    lock: (one: number, other: number) => `call both_of(${one}, ${other})`,
  },
];

describe.each(kinds)("$name", (kind) => {
  if (!kind.isThere) {
    test.skip(`${kind.name} is not installed`, () => undefined);
    return;
  }
  let database: DatabaseServer;
  const call = (options: Partial<DatabaseOptions> = {}) =>
    kind.by({ at: database.at, answer: "rows", failure: "DATABASE_QUERY_", ...options });
  const ask = (query: string, options: Partial<DatabaseOptions> = {}) => call(options)({ query }, stepOf());

  beforeAll(async () => {
    database = await kind.start();
    await untilReady(() => ask("select 1"));
    await ask(`create table orders (id ${kind.serial}, name varchar(20) unique not null)`);
  }, 60_000);
  afterAll(() => database.stop());

  test("rows are JSON", async () => {
    expect(await ask(kind.values)).toEqual({
      ResultSets: [
        [
          {
            n: 1,
            big: "9007199254740993",
            yes: kind.yes,
            nothing: null,
            text: "a",
            time: "2026-01-02T03:04:05.000Z",
            bytes: "AQI=",
            data: kind.data,
          },
        ],
      ],
    });
  });

  test("an update returns a count", async () => {
    const insert = "insert into orders (name) values ('tea'), ('milk')";
    expect(await ask(insert, { answer: "count" })).toEqual({ RowsAffected: 2, LastInsertId: kind.id });
  });

  test("credentials may be passed with the call", async () => {
    await ask(kind.user);
    const connection = { simple: { username: "asker", password: "p@ss" } };
    const answer = await call()({ query: "select current_user as who", connection }, stepOf());
    expect(JSON.stringify(answer)).toContain("asker");
  });

  test.each([
    ["insert into orders (name) values ('bread'), ('bread')", "DATABASE_QUERY_CONSTRAINT_VIOLATION"],
    ["insert into orders (name) values (null)", "DATABASE_QUERY_CONSTRAINT_VIOLATION"],
    ["select * from nowhere", "DatabaseError"],
    ["no statement", "DatabaseError"],
  ])("%s", async (query, name) => {
    expect(await failing(ask(query))).toMatchObject({ name });
  });

  test("a deadlock", async () => {
    await ask(kind.prepare);
    await ask("insert into orders (id, name) values (101, 'x'), (102, 'y')");
    const both = await Promise.all([kind.lock(101, 102), kind.lock(102, 101)].map((query) => failing(ask(query))));
    expect(JSON.stringify(both).match(/DATABASE_QUERY_DEADLOCK/g)).toHaveLength(1);
  });

  test("an unknown database, and connection refused", async () => {
    const elsewhere = database.at.replace(/\/[^/]*$/, "/nowhere");
    expect(await failing(ask("select 1", { at: elsewhere }))).toMatchObject({
      name: "DATABASE_QUERY_CONNECTION_FAILED",
    });
    const nobody = database.at.replace(/:\d+\//, ":1/");
    expect(await failing(ask("select 1", { at: nobody }))).toMatchObject({ name: "DATABASE_QUERY_CONNECTION_FAILED" });
  });

  test("timeout, and an aborted step", async () => {
    expect(await failing(ask(kind.pause, { timeout: 0.3 }))).toMatchObject({ name: "Timeout" });
    const cut = new AbortController();
    const asking = call()({ query: kind.pause }, stepOf("k", cut.signal));
    setTimeout(() => cut.abort(new Error("cut off")), 300);
    await expect(asking).rejects.toThrow("cut off");
  });

  test("the address may come from the environment", async () => {
    vi.stubEnv("TEST_DATABASE", database.at);
    expect(await ask("select 1 as n", { at: { env: "TEST_DATABASE" } })).toEqual({ ResultSets: [[{ n: 1 }]] });
  });
});
