import type { SQLInputValue } from "node:sqlite";
import { Known } from "../../internal.ts";
import type { Reading, Statement, Store, Task } from "../../sqlite/store.ts";
import type { ConnectionOptions, Query } from "./connection.ts";
import { Action, PendingQuery } from "./reading.ts";
import { Reader, Session } from "./session.ts";
import { PostgresStatement } from "./statement.ts";

/** A PostgreSQL database as a store. */
export interface Database extends Store {
  /** Executes a statement in the dialect of PostgreSQL, and returns its rows. */
  ask<Row>(text: string, ...values: readonly unknown[]): Reading<readonly Row[]>;
  execute<T>(task: Task<T>, isUrgent?: boolean): Promise<T>;
  /** Sets the statements that begin every session, and the process whose transactions are numbered. */
  beginWith(queries: readonly Query[], process: number | undefined): Reading<void>;
  /** Sets the statements that begin the sessions of readers. */
  readWith(queries: readonly Query[]): void;
  /** Statements may take as long as they need. */
  isPatient: boolean;
  /** Within a transaction: locks what several runs share. */
  keepOut(): void;
  /** Called when another process has stored something for this one. */
  notified: () => void;
  /** Executed before the database is closed. */
  leaving: (() => Task<void>) | undefined;
}

/** Opens a database. */
export const openDatabase = (options: ConnectionOptions): Database => new PostgresDatabase(options);

class PostgresDatabase implements Database {
  notified: () => void = () => undefined;
  leaving: (() => Task<void>) | undefined;
  readonly begin: Reading<void>;
  readonly commit: Reading<void>;
  readonly commitRepeatable: Reading<void>;
  readonly rollBack: Reading<void>;
  readonly save: Reading<void>;
  readonly release: Reading<void>;
  readonly undo: Reading<void>;
  readonly wasDone: Reading<boolean>;
  readonly #session: Session;
  readonly #reader: Reader;
  #closing: Promise<void> | undefined;

  constructor(options: ConnectionOptions) {
    const session = new Session(options, () => this.notified());
    this.#session = session;
    this.#reader = new Reader(options);
    this.begin = queued(() => session.begin());
    this.commit = new Action(() => session.commit());
    this.commitRepeatable = new Action(() => session.commitRepeatable());
    this.rollBack = new Action(() => session.rollBack());
    this.save = queued(() => session.add({ text: "SAVEPOINT attempt" }));
    this.release = statement("RELEASE attempt");
    this.undo = statement("ROLLBACK TO attempt; RELEASE attempt");
    this.wasDone = new Action(() => session.wasDone());
  }

  get isTransaction(): boolean {
    return this.#session.isTransaction;
  }

  get isUnsure(): boolean {
    return this.#session.isUnsure;
  }

  set isPatient(isPatient: boolean) {
    this.#session.isPatient = isPatient;
  }

  prepare<In extends readonly SQLInputValue[], Row>(text: string): Statement<In, Row> {
    return new PostgresStatement(this.#session, text);
  }

  ask<Row>(text: string, ...values: readonly unknown[]): Reading<readonly Row[]> {
    return new PendingQuery({ text, values }, true, ({ rows }) => rows as readonly unknown[] as readonly Row[]);
  }

  execute<T>(task: Task<T>, isUrgent = false): Promise<T> {
    return this.#session.execute(task, isUrgent);
  }

  read<T>(reading: Reading<T>): Promise<T> {
    return this.#reader.read(
      (function* () {
        return yield* reading;
      })(),
    );
  }

  keepOut(): void {
    this.#session.keepOut();
  }

  beginWith(queries: readonly Query[], process: number | undefined): Reading<void> {
    return new Action(() => this.#session.beginWith(queries, process));
  }

  readWith(queries: readonly Query[]): void {
    this.#reader.beginWith(queries);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    if (this.leaving) {
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, patience);
      // If the database cannot be reached, the others notice that this process is gone.
      await Promise.race([this.#session.execute(this.leaving(), true).catch(() => undefined), late]);
      clearTimeout(timer);
    }
    this.#session.close();
    this.#reader.close();
  }
}

/** How long the database may take to note that a process leaves, in milliseconds. */
const patience = 1000;

const nothing = new Known<void>(undefined);

/** A statement whose result is not needed. */
const queued = (add: () => unknown): Reading<void> => ({
  [Symbol.iterator]: () => {
    add();
    return nothing;
  },
});

const statement = (text: string): Reading<void> => new PendingQuery({ text }, true, () => undefined);
