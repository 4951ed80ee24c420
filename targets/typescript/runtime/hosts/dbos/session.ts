import { StoreError } from "../../internal.ts";
import { Thread } from "./thread.ts";
import type { Answer, Query, Reply } from "./worker.ts";

/** How to connect to a database. */
export interface Connection {
  readonly url: string;
  /** The statement that locks what several runs share. */
  readonly lock: string;
  /** The maximum size of a string, in bytes. */
  readonly longest: number;
}

/** A queued statement, and its result. */
export interface QueuedStatement {
  readonly query: Query;
  reply: Reply | undefined;
}

/**
 * Executes statements in order. A separate thread executes them while this one waits, so that transactions are as short
 * as with a file. Statements whose results are not needed are sent together with the next one.
 */
export class Session {
  readonly #thread: Thread;
  readonly #connection: Connection;
  readonly #known = new Map<string, Reply>();
  #pending: QueuedStatement[] = [];
  #inTransaction = false;
  #isLocked = false;
  /** Statements may take as long as they need: those that migrate the store. */
  #isPatient = true;
  /** The database has begun the current transaction: a new session could not continue it. */
  #isBegun = false;
  #transactions = 0;
  #process: number | undefined;
  #unsure: { readonly own: number; readonly number: number } | undefined;

  constructor(connection: Connection, notified: () => void) {
    this.#connection = connection;
    this.#thread = new Thread(connection, notified);
  }

  get isTransaction(): boolean {
    return this.#inTransaction;
  }

  /** A commit was not acknowledged: `wasDone` determines its result. */
  get isUnsure(): boolean {
    return this.#unsure !== undefined;
  }

  wasDone(): boolean {
    const { own, number } = this.#unsure!;
    const { rows } = this.ask({ text: "SELECT last FROM waybill.processes WHERE ref = $1", values: [own] });
    this.#unsure = undefined;
    return (rows[0] as { readonly last: number } | undefined)?.last === number;
  }

  /** Queues a statement until a result is needed. */
  add(query: Query): QueuedStatement {
    const one: QueuedStatement = { query, reply: undefined };
    this.#pending.push(one);
    return one;
  }

  /** Executes the queued statements. Throws the error of the first that fails. */
  flush(): void {
    if (this.#pending.length === 0) return;
    const all = this.#pending;
    this.#pending = [];
    const message = { all: all.map(({ query }) => query), isContinued: this.#isBegun, isPatient: this.#isPatient };
    const { replies, error, isLost } = this.#thread.ask(message);
    for (const [i, reply] of replies.entries()) all[i]!.reply = reply;
    this.#isBegun = this.#inTransaction && !isLost;
    if (!error) return;
    if (isLost) this.#inTransaction = false;
    throw faultOf(error, this.#connection.url, isLost === true);
  }

  /** Executes a statement. */
  ask(query: Query): Reply {
    const read = this.#known.size > 0 ? this.#known.get(textOf(query)) : undefined;
    if (read) return read;
    const one = this.add(query);
    this.flush();
    return one.reply!;
  }

  /**
   * Executes queries together. `act` receives the first rows; its own executions of the same queries use these results.
   */
  ahead<T>(queries: readonly Query[], act: (rows: readonly unknown[]) => T): T {
    const all = queries.map((query) => this.add(query));
    this.flush();
    for (const { query, reply } of all) this.#known.set(textOf(query), reply!);
    try {
      return act(all.map(({ reply }) => reply!.rows[0]));
    } finally {
      this.#known.clear();
    }
  }

  /** Executes a statement without values, such as the beginning or end of a transaction. */
  exec(text: string): void {
    if (text === "COMMIT" && this.#process !== undefined) {
      this.#commit(this.#process);
      return;
    }
    const begins = text.startsWith("BEGIN");
    if (begins) [this.#inTransaction, this.#isLocked] = [true, false];
    this.add({ text: begins ? "BEGIN" : text });
    const ends = text === "COMMIT" || text === "ROLLBACK";
    if (ends) this.#inTransaction = false;
    if (ends || text.startsWith("RELEASE") || !this.#inTransaction) this.flush();
  }

  /** Commits a transaction, with a number that shows later whether it was committed. */
  #commit(own: number): void {
    this.#unsure = { own, number: ++this.#transactions };
    this.add({ text: "UPDATE waybill.processes SET last = $2 WHERE ref = $1", values: [own, this.#unsure.number] });
    this.add({ text: "COMMIT" });
    try {
      this.flush();
    } catch (reason) {
      if (this.#inTransaction) this.#unsure = undefined;
      throw reason;
    }
    [this.#inTransaction, this.#isBegun, this.#unsure] = [false, false, undefined];
  }

  /** Within a transaction: locks what several runs share. */
  keepOut(): void {
    if (!this.#inTransaction || this.#isLocked) return;
    this.#isLocked = true;
    this.add({ text: this.#connection.lock });
  }

  /** Sets the statements that begin every session, and the process whose transactions are numbered. */
  beginWith(queries: readonly Query[], number: number | undefined): void {
    this.#process = number;
    this.#isPatient = false;
    this.#thread.post({ begin: queries });
    for (const query of queries) this.ask(query);
  }

  /** Closes the session, and discards queued statements. */
  close(): void {
    this.#pending = [];
    this.#thread.close();
  }
}

/** Identifies a query. */
const textOf = ({ name, text, values }: Query): string => JSON.stringify([name ?? text, values]);

/**
 * Converts an error of PostgreSQL: a `StoreError` if the database is unreachable or full, otherwise an error of one
 * write.
 */
function faultOf({ message, code }: NonNullable<Answer["error"]>, url: string, isLost: boolean): Error {
  const where = placeOf(url);
  if (code === fenced)
    return new StoreError("foreign", `This process was taken for dead: others go on with its runs in ${where}.`);
  if (isLost) return new StoreError("unusable", `The database ${where} cannot be reached: ${message}.`);
  if (/^(?:53|40|55P03|25|42501|57014)/.test(code ?? ""))
    return new StoreError("unusable", `The database ${where} cannot be used: ${message}.`);
  return new Error(/^index row/.test(message) ? tooLongKey : message);
}

/** Entries of an index have at most a third of a page, after compression. */
const tooLongKey =
  "An id or a correlation value is too long for the store: what has more than 2,500 bytes may not fit.";

/** The error code of a session that begins for a process that others consider dead. */
export const fenced = "WB001";

/** The URL of a database without secrets. */
export function placeOf(url: string): string {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `${hostname}${port ? `:${port}` : ""}${pathname}`;
  } catch {
    return "given";
  }
}
