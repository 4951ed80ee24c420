import { type Connection, Session } from "./session.ts";
import { Statement } from "./statement.ts";
import type { Query } from "./worker.ts";

/** A PostgreSQL database with the interface of a SQLite one. */
export interface Database {
  prepare(text: string): object;
  exec(text: string): void;
  /** Executes a statement in the dialect of PostgreSQL, and returns its rows. */
  ask(text: string, ...values: readonly unknown[]): readonly never[];
  /**
   * Executes queries together. `act` receives the first rows; its own executions of the same queries use these results.
   */
  ahead<T>(
    reads: readonly (readonly [statement: object, ...values: unknown[]])[],
    act: (rows: readonly unknown[]) => T,
  ): T;
  readonly isTransaction: boolean;
  /** Sets the statements that begin every session, and the process whose transactions are numbered. */
  beginWith(queries: readonly Query[], process: number | undefined): void;
  /** A commit was not acknowledged: `wasDone` determines its result. */
  readonly isUnsure: boolean;
  wasDone(): boolean;
  /** Within a transaction: locks what several runs share. */
  keepOut(): void;
  /** Called when another process has stored something for this one. */
  notified: () => void;
  /** Called before the database is closed. */
  leaving: () => void;
  close(): void;
}

/** Opens a database. */
export const openDatabase = (connection: Connection): Database => new PostgresDatabase(connection);

class PostgresDatabase implements Database {
  notified: () => void = () => undefined;
  leaving: () => void = () => undefined;
  readonly #session: Session;
  #isOpen = true;

  constructor(connection: Connection) {
    this.#session = new Session(connection, () => this.notified());
  }

  get isTransaction(): boolean {
    return this.#session.isTransaction;
  }

  get isUnsure(): boolean {
    return this.#session.isUnsure;
  }

  wasDone(): boolean {
    return this.#session.wasDone();
  }

  prepare(text: string): object {
    return /^(?:BEGIN|COMMIT)/.test(text) ? { run: () => this.exec(text) } : new Statement(this.#session, text);
  }

  exec(text: string): void {
    this.#session.exec(text);
  }

  ask(text: string, ...values: readonly unknown[]): readonly never[] {
    return this.#session.ask({ text, values }).rows as readonly never[];
  }

  ahead<T>(
    reads: readonly (readonly [statement: object, ...values: unknown[]])[],
    act: (rows: readonly unknown[]) => T,
  ): T {
    const queries = reads.map(([statement, ...values]) => (statement as Statement).query(values));
    return this.#session.ahead(queries, act);
  }

  keepOut(): void {
    this.#session.keepOut();
  }

  beginWith(queries: readonly Query[], process: number | undefined): void {
    this.#session.beginWith(queries, process);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      this.leaving();
    } catch {
      // It cannot be reached: the others notice that this process is gone.
    }
    this.#session.close();
  }
}
