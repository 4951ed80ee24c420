import { StoreError } from "../../internal.ts";
import type { Task } from "../../sqlite/store.ts";
import { fenced, placeOf, type Query } from "./connection.ts";
import { type Database, openDatabase } from "./database.ts";
import { form, forms } from "./forms.ts";

/** The schema with the tables. */
const schema = "waybill";

/**
 * The class of the advisory locks that processes hold by their numbers. Lock 0 protects migrations, and what several
 * runs share.
 */
const locks = 7_764_226;

/** An open store, and the number of this process; undefined for a command that only reads. */
export interface OpenStore {
  readonly db: Database;
  readonly process: number | undefined;
}

/** Opens or creates the store in a database. */
export async function openStore(url: string, executor: string | undefined, longest: number): Promise<OpenStore> {
  if (!/^postgres(?:ql)?:\/\//.test(url))
    throw new StoreError(
      "unusable",
      "The store has to be the address of a database, by WAYBILL_STORE or --store: postgresql://user:password@host/name.",
    );
  const db = openDatabase({ url, lock: `SELECT pg_advisory_xact_lock(${locks}, 0)`, longest });
  try {
    return { db, process: await db.execute(prepareStore(db, url, executor)) };
  } catch (reason) {
    await db.close();
    throw reason;
  }
}

/** Creates or migrates the tables, and registers this process if it executes runs. */
function* prepareStore(db: Database, url: string, executor: string | undefined): Task<number | undefined> {
  db.isPatient = true;
  yield* migrate(db, url);
  db.isPatient = false;
  yield* db.beginWith(common, undefined);
  db.readWith(common);
  return executor === undefined ? undefined : yield* enrol(db, executor);
}

/**
 * Begins every session: lost machines are noticed within seconds; neither idle transactions nor statements block others
 * for longer than a process waits for a response.
 */
const common: readonly Query[] = [
  { text: `SET search_path = ${schema}` },
  { text: "SET tcp_keepalives_idle = 5" },
  { text: "SET tcp_keepalives_interval = 2" },
  { text: "SET tcp_keepalives_count = 3" },
  { text: "SET idle_in_transaction_session_timeout = '4s'" },
  { text: "SET statement_timeout = '4500ms'" },
];

/**
 * Creates or migrates the tables. Refuses newer forms. A store of this form is left alone, so that the role of the
 * program does not need to be allowed to create anything.
 */
function* migrate(db: Database, url: string): Task<void> {
  if ((yield* storedForm(db)) === form) return;
  yield* db.begin;
  yield* db.ask(`SELECT pg_advisory_xact_lock(${locks}, 0)`);
  yield* db.ask(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  yield* db.ask(`SET LOCAL search_path = ${schema}`);
  yield* db.ask("CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value BIGINT NOT NULL)");
  const [row] = yield* db.ask<{ readonly value: number }>("SELECT value FROM meta WHERE name = 'form'");
  const before = row?.value ?? 0;
  if (before > form) {
    yield* db.rollBack;
    const message = `The store in ${placeOf(url)} has form ${before}; this program knows stores up to form ${form}.`;
    throw new StoreError("newer", message);
  }
  if (before > 0 && before < form) yield* refuseInUse(db, url, before);
  for (const text of forms.slice(before)) yield* db.ask(text);
  yield* db.ask(`INSERT INTO meta VALUES ('form', ${form}) ON CONFLICT (name) DO UPDATE SET value = excluded.value`);
  yield* db.commitRepeatable;
}

/** The form of the tables; undefined if they do not exist. */
function* storedForm(db: Database): Task<number | undefined> {
  const [table] = yield* db.ask<{ readonly name: string | null }>(`SELECT to_regclass('${schema}.meta')::text AS name`);
  if (table!.name === null) return undefined;
  const [row] = yield* db.ask<{ readonly value: number }>(`SELECT value FROM ${schema}.meta WHERE name = 'form'`);
  return row?.value;
}

/** A store is not migrated while processes of an earlier version use it: they could not continue. */
function* refuseInUse(db: Database, url: string, before: number): Task<void> {
  let isInUse = false;
  for (const { ref } of yield* db.ask<{ readonly ref: number }>("SELECT ref FROM processes"))
    isInUse ||= !(yield* isGone(db, ref));
  if (!isInUse) return;
  yield* db.rollBack;
  throw new StoreError(
    "locked",
    `The store in ${placeOf(url)} has form ${before} and is in use: stop the processes of the earlier version first, so that it can be migrated to form ${form}.`,
  );
}

/**
 * Registers this process on the database for as long as its session lasts. A session that returns in time keeps its
 * number.
 */
function* enrol(db: Database, executor: string): Task<number> {
  const [row] = yield* db.ask<{ readonly ref: number }>(
    "INSERT INTO processes (executor) VALUES ($1) RETURNING ref",
    executor,
  );
  const { ref } = row!;
  const old = `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = ${locks} AND objid = ${ref}
    AND pid <> pg_backend_pid() AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  const fence = `DO $$ BEGIN IF NOT EXISTS (SELECT 1 FROM processes WHERE ref = ${ref}) THEN
    RAISE EXCEPTION 'taken for dead' USING ERRCODE = '${fenced}'; END IF; END $$`;
  const name = { text: `SET waybill.process = '${ref}'` };
  const own = [name, { text: old }, { text: `SELECT pg_advisory_lock(${locks}, ${ref})` }, { text: fence }];
  yield* db.beginWith([...common, ...own, { text: "LISTEN waybill" }], ref);
  db.readWith([...common, name]);
  return ref;
}

/** Whether the lock of a process is free. Within a transaction, which then holds it until its end. */
export function* isGone(db: Database, process: number): Task<boolean> {
  const [row] = yield* db.ask<{ readonly free: number }>(
    `SELECT pg_try_advisory_xact_lock(${locks}, $1::int) AS free`,
    process,
  );
  return row!.free === 1;
}

/**
 * Executes a function in one process at a time: DBOS creates its tables when it starts, which fails in two processes at
 * once. Polls the lock, because a statement that waits for it would block the creation of indexes.
 */
export async function alone<T>(db: Database, act: () => Promise<T>): Promise<T> {
  const isFree = function* (): Task<boolean> {
    const [row] = yield* db.ask<{ readonly free: number }>(`SELECT pg_try_advisory_lock(${locks}, -1) AS free`);
    return row!.free === 1;
  };
  while (!(await db.execute(isFree()))) await new Promise((resolve) => setTimeout(resolve, 25));
  try {
    return await act();
  } finally {
    await db.execute(unlock(db));
  }
}

function* unlock(db: Database): Task<void> {
  yield* db.ask(`SELECT pg_advisory_unlock(${locks}, -1)`);
}

/** Releases the runs of a process that exits. */
export function* release(db: Database, process: number): Task<void> {
  yield* db.ask("UPDATE runs SET owner = NULL WHERE owner = $1", process);
  yield* db.ask("UPDATE runs SET offered = NULL WHERE offered = $1", process);
  yield* db.ask("UPDATE outbox SET owner = NULL WHERE owner = $1", process);
  yield* db.ask("DELETE FROM processes WHERE ref = $1", process);
  yield* db.ask("SELECT pg_notify('waybill', '')");
}
