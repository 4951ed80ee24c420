import { parts } from "../parts.ts";
import { Thread } from "./thread.ts";
import type { Answer, Query, Reply } from "./worker.ts";

/** How a database is opened. */
export interface Connection {
  readonly url: string;
  /** Statements that keep all others out who change what several runs share. */
  readonly lock: string;
  /** How many bytes one text has at most. */
  readonly longest: number;
}

/** A statement on its way, and what came of it. */
export interface Pending {
  readonly query: Query;
  reply: Reply | undefined;
}

/**
 * What is asked of a database, in its order. Statements are made by a thread of its own, for which this one waits: a transaction of the engine is as short as
 * with a file. Those of which nobody looks at the result go with the next one.
 */
export class Session {
  readonly #thread: Thread;
  readonly #connection: Connection;
  readonly #known = new Map<string, Reply>();
  #pending: Pending[] = [];
  #inTransaction = false;
  #isLocked = false;
  /** The database has begun the transaction that is under way: a new session could not go on with it. */
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

  /** Nobody has answered a commit: whether it was done is not known before `wasDone` says so. */
  get isUnsure(): boolean {
    return this.#unsure !== undefined;
  }

  wasDone(): boolean {
    const { own, number } = this.#unsure!;
    const { rows } = this.ask({ text: "SELECT last FROM waybill.processes WHERE ref = $1", values: [own] });
    this.#unsure = undefined;
    return (rows[0] as { readonly last: number } | undefined)?.last === number;
  }

  /** Makes a statement with the next one of which somebody looks at the result. */
  add(query: Query): Pending {
    const one: Pending = { query, reply: undefined };
    this.#pending.push(one);
    return one;
  }

  /** Makes all statements that are left; throws what the database says of the one that fails. */
  flush(): void {
    if (this.#pending.length === 0) return;
    const all = this.#pending;
    this.#pending = [];
    const message = { all: all.map(({ query }) => query), goesOn: this.#isBegun };
    const { replies, error, isLost } = this.#thread.ask(message);
    for (const [i, reply] of replies.entries()) all[i]!.reply = reply;
    this.#isBegun = this.#inTransaction && !isLost;
    if (!error) return;
    if (isLost) this.#inTransaction = false;
    throw faultOf(error, this.#connection.url, isLost === true);
  }

  /** What comes of a statement. */
  ask(query: Query): Reply {
    const read = this.#known.size > 0 ? this.#known.get(textOf(query)) : undefined;
    if (read) return read;
    const one = this.add(query);
    this.flush();
    return one.reply!;
  }

  /** Makes statements in one go, while something is done that asks for just that; it is given the first rows. */
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

  /** Makes a statement without values, such as the beginning of a transaction or its end. */
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

  /** Ends a transaction by which this process can tell later whether it was done. */
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

  /** Within a transaction: keeps all others out who change what several runs share. */
  keepOut(): void {
    if (!this.#inTransaction || this.#isLocked) return;
    this.#isLocked = true;
    this.add({ text: this.#connection.lock });
  }

  /** What begins every session from now on, and marks each transaction of this process with a number. */
  beginWith(queries: readonly Query[], number: number | undefined): void {
    this.#process = number;
    this.#thread.tell({ begin: queries });
    for (const query of queries) this.ask(query);
  }

  /** Ends it, without the statements that are left. */
  close(): void {
    this.#pending = [];
    this.#thread.close();
  }
}

/** What tells a question from others. */
const textOf = ({ name, text, values }: Query): string => JSON.stringify([name ?? text, values]);

/** What PostgreSQL says: of the store where it cannot be reached or is full, of one write otherwise. */
function faultOf({ message, code }: NonNullable<Answer["error"]>, url: string, isLost: boolean): Error {
  const { StoreError } = parts;
  const where = placeOf(url);
  if (code === fenced)
    return new StoreError("foreign", `This process was taken for dead: others go on with its runs in ${where}.`);
  if (isLost) return new StoreError("unusable", `The database ${where} cannot be reached: ${message}.`);
  if (/^(?:53|40|55P03|25)/.test(code ?? ""))
    return new StoreError("unusable", `The database ${where} cannot be used: ${message}.`);
  return new Error(/^index row/.test(message) ? tooLongKey : message);
}

/** PostgreSQL takes no longer ones in an index: at most a third of a page, as far as they cannot be compressed. */
const tooLongKey =
  "An id or a correlation value is too long for the store: what has more than 2,500 bytes may not fit.";

/** What a session raises that begins for a process which others have taken for dead. */
export const fenced = "WB001";

/** A database without what is secret in its address. */
export function placeOf(url: string): string {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `${hostname}${port ? `:${port}` : ""}${pathname}`;
  } catch {
    return "given";
  }
}
