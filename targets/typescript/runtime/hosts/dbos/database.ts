import { type Connection, Session } from "./session.ts";
import { Statement } from "./statement.ts";
import type { Query } from "./worker.ts";

/** A database of PostgreSQL, as the engine uses one of SQLite. */
export interface Database {
  prepare(text: string): object;
  exec(text: string): void;
  /** Statements of PostgreSQL as they are, with their rows. */
  ask(text: string, ...values: readonly unknown[]): readonly never[];
  /** Reads in one go what statements ask for, each with its values, while something is done that asks for just that; it is given the first rows. */
  ahead<T>(
    reads: readonly (readonly [statement: object, ...values: unknown[]])[],
    act: (rows: readonly unknown[]) => T,
  ): T;
  readonly isTransaction: boolean;
  /** What begins every session from now on, and marks each transaction of this process with a number. */
  beginWith(queries: readonly Query[], process: number | undefined): void;
  /** Nobody has answered a commit: whether it was done is not known before `wasDone` says so. */
  readonly isUnsure: boolean;
  wasDone(): boolean;
  /** Within a transaction: keeps all others out who change what several runs share. */
  keepOut(): void;
  /** Hears that something has come from another process. */
  notified: () => void;
  /** Is called before it is closed. */
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
