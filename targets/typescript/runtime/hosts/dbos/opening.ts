import { StoreError } from "../../internal.ts";
import { type Database, openDatabase } from "./database.ts";
import { form, forms } from "./forms.ts";
import { fenced, placeOf } from "./session.ts";
import type { Query } from "./worker.ts";

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
export function openStore(url: string, executor: string | undefined, longest: number): OpenStore {
  if (!/^postgres(?:ql)?:\/\//.test(url))
    throw new StoreError(
      "unusable",
      "The store has to be the address of a database, by WAYBILL_STORE or --store: postgresql://user:password@host/name.",
    );
  const db = openDatabase({ url, lock: `SELECT pg_advisory_xact_lock(${locks}, 0)`, longest });
  try {
    migrate(db, url);
    db.beginWith(common, undefined);
    return { db, process: executor === undefined ? undefined : enrol(db, executor) };
  } catch (reason) {
    db.close();
    throw reason;
  }
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
function migrate(db: Database, url: string): void {
  if (storedForm(db) === form) return;
  db.exec("BEGIN");
  db.ask(`SELECT pg_advisory_xact_lock(${locks}, 0)`);
  db.ask(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
  db.ask(`SET LOCAL search_path = ${schema}`);
  db.ask("CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value BIGINT NOT NULL)");
  const [row] = db.ask("SELECT value FROM meta WHERE name = 'form'") as readonly { readonly value: number }[];
  const before = row?.value ?? 0;
  if (before > form) {
    db.exec("ROLLBACK");
    const message = `The store in ${placeOf(url)} has form ${before}; this program knows stores up to form ${form}.`;
    throw new StoreError("newer", message);
  }
  if (before > 0 && before < form) refuseInUse(db, url, before);
  for (const text of forms.slice(before)) db.ask(text);
  db.ask(`INSERT INTO meta VALUES ('form', ${form}) ON CONFLICT (name) DO UPDATE SET value = excluded.value`);
  db.exec("COMMIT");
}

/** The form of the tables; undefined if there are none. */
function storedForm(db: Database): number | undefined {
  const [table] = db.ask(`SELECT to_regclass('${schema}.meta')::text AS name`) as readonly {
    readonly name: string | null;
  }[];
  if (table!.name === null) return undefined;
  const [row] = db.ask(`SELECT value FROM ${schema}.meta WHERE name = 'form'`) as readonly { readonly value: number }[];
  return row?.value;
}

/** A store is not migrated while processes of an earlier version use it: they could not continue. */
function refuseInUse(db: Database, url: string, before: number): void {
  const rows = db.ask("SELECT ref FROM processes") as readonly { readonly ref: number }[];
  if (rows.every(({ ref }) => isGone(db, ref))) return;
  db.exec("ROLLBACK");
  throw new StoreError(
    "locked",
    `The store in ${placeOf(url)} has form ${before} and is in use: stop the processes of the earlier version first, so that it can be migrated to form ${form}.`,
  );
}

/**
 * Registers this process on the database for as long as its session lasts. A session that returns in time keeps its
 * number.
 */
function enrol(db: Database, executor: string): number {
  const [row] = db.ask("INSERT INTO processes (executor) VALUES ($1) RETURNING ref", executor) as readonly {
    readonly ref: number;
  }[];
  const { ref } = row!;
  const old = `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = ${locks} AND objid = ${ref}
    AND pid <> pg_backend_pid() AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  const fence = `DO $$ BEGIN IF NOT EXISTS (SELECT 1 FROM processes WHERE ref = ${ref}) THEN
    RAISE EXCEPTION 'taken for dead' USING ERRCODE = '${fenced}'; END IF; END $$`;
  const own = [
    { text: `SET waybill.process = '${ref}'` },
    { text: old },
    { text: `SELECT pg_advisory_lock(${locks}, ${ref})` },
  ];
  db.beginWith([...common, ...own, { text: fence }, { text: "LISTEN waybill" }], ref);
  return ref;
}

/** Whether the lock of a process is free. Within a transaction, which then holds it until its end. */
export const isGone = (db: Database, process: number): boolean =>
  (
    db.ask(`SELECT pg_try_advisory_xact_lock(${locks}, $1::int) AS is`, process) as readonly { readonly is: number }[]
  )[0]!.is === 1;

/**
 * Executes a function in one process at a time: DBOS creates its tables when it starts, which fails in two processes at
 * once. Polls the lock, because a statement that waits for it would block the creation of indexes.
 */
export async function alone<T>(db: Database, act: () => Promise<T>): Promise<T> {
  const isFree = () => {
    const [row] = db.ask(`SELECT pg_try_advisory_lock(${locks}, -1) AS free`) as readonly { readonly free: number }[];
    return row!.free === 1;
  };
  while (!isFree()) await new Promise((resolve) => setTimeout(resolve, 25));
  try {
    return await act();
  } finally {
    db.ask(`SELECT pg_advisory_unlock(${locks}, -1)`);
  }
}

/** Releases the runs of a process that exits. */
export function release(db: Database, process: number): void {
  db.ask("UPDATE runs SET owner = NULL WHERE owner = $1", process);
  db.ask("UPDATE runs SET offered = NULL WHERE offered = $1", process);
  db.ask("UPDATE outbox SET owner = NULL WHERE owner = $1", process);
  db.ask("DELETE FROM processes WHERE ref = $1", process);
  db.ask("SELECT pg_notify('waybill', '')");
}
