import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import { parts } from "../parts.ts";
import { translated } from "./dialect.ts";
import { type Answer, type Message, type Query, type Reply, threadModule } from "./worker.ts";

/** What tells a question from others. */
const textOf = ({ name, text, values }: Query): string => JSON.stringify([name ?? text, values]);

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

/** How a database is opened. */
export interface Connection {
  readonly url: string;
  /** Statements that keep all others out who change what several runs share. */
  readonly lock: string;
}

/**
 * Opens a database. Statements are made by a thread of its own, for which this one waits: a transaction of the engine is as short as with a file. Those of
 * which nobody looks at the result go with the next one.
 */
export function openDatabase({ url, lock }: Connection): Database {
  const { port1: port, port2 } = new MessageChannel();
  const flag = new SharedArrayBuffer(4);
  const signal = new Int32Array(flag);
  const given = { url, port: port2, flag };
  const worker = new Worker(new URL(threadModule), {
    workerData: { waybill: given },
    transferList: [port2],
    execArgv: [...globalThis.process.execArgv, "--no-warnings"],
  });
  worker.unref();
  let [seen, isOpen, isLocked, inTransaction, transactions] = [0, true, false, false, 0];
  /** The database has begun the transaction that is under way: a new session could not go on with it. */
  let isBegun = false;
  let process: number | undefined;
  let unsure: { readonly own: number; readonly number: number } | undefined;
  let pending: Pending[] = [];
  const queries = new WeakMap<object, (values: readonly unknown[]) => Query>();
  const known = new Map<string, Reply>();
  const read = (): Answer => {
    for (;;) {
      const received = receiveMessageOnPort(port)?.message as Answer | string | undefined;
      if (received === "notified") queueMicrotask(() => database.notified());
      else if (typeof received === "object") return received;
      else if (received === undefined) {
        Atomics.wait(signal, 0, seen, 1000);
      }
    }
  };
  const send = (message: Message): Answer => {
    seen = Atomics.load(signal, 0);
    port.postMessage(message);
    return read();
  };
  const flush = (): void => {
    if (pending.length === 0) return;
    const all = pending;
    pending = [];
    const { replies, error, isLost } = send({ all: all.map(({ query }) => query), goesOn: isBegun });
    for (const [i, reply] of replies.entries()) all[i]!.reply = reply;
    isBegun = inTransaction && !isLost;
    if (!error) return;
    if (isLost) inTransaction = false;
    throw faultOf(error, url, isLost === true);
  };
  const add = (query: Query): Pending => {
    const one: Pending = { query, reply: undefined };
    pending.push(one);
    return one;
  };
  const ask = (query: Query): Reply => {
    const read = known.size > 0 ? known.get(textOf(query)) : undefined;
    if (read) return read;
    const one = add(query);
    flush();
    return one.reply!;
  };
  const commit = (own: number): void => {
    unsure = { own, number: ++transactions };
    add({ text: "UPDATE waybill.processes SET last = $2 WHERE ref = $1", values: [own, unsure.number] });
    add({ text: "COMMIT" });
    try {
      flush();
    } catch (reason) {
      if (inTransaction) unsure = undefined;
      throw reason;
    }
    [inTransaction, isBegun, unsure] = [false, false, undefined];
  };
  const keepOut = () => {
    if (!inTransaction || isLocked) return;
    isLocked = true;
    add({ text: lock });
  };
  const database: Database = {
    prepare(text) {
      if (/^(?:BEGIN|COMMIT)/.test(text)) return { run: () => database.exec(text) };
      const { text: own, names, isPrivate } = translated(text);
      const name = `waybill${statements++}`;
      const query = (values: readonly unknown[]): Query => ({
        name,
        text: own,
        values: names.length > 0 ? named(names, values[0] as object) : values,
      });
      const made = (values: readonly unknown[]) => {
        if (!isPrivate) keepOut();
        return query(values);
      };
      const statement = {
        run(...values: unknown[]) {
          const one = add(made(values));
          if (!inTransaction) flush();
          const result = () => {
            if (!one.reply) flush();
            return one.reply!;
          };
          return {
            get changes() {
              return result().count;
            },
            get lastInsertRowid() {
              return (result().rows[0] as { readonly ref: number } | undefined)?.ref ?? 0;
            },
          };
        },
        get: (...values: unknown[]) => ask(made(values)).rows[0],
        all: (...values: unknown[]) => ask(made(values)).rows,
      };
      queries.set(statement, query);
      return statement;
    },
    ahead(reads, act) {
      const all = reads.map(([statement, ...values]) => add(queries.get(statement)!(values)));
      flush();
      for (const { query, reply } of all) known.set(textOf(query), reply!);
      try {
        return act(all.map(({ reply }) => reply!.rows[0]));
      } finally {
        known.clear();
      }
    },
    keepOut,
    get isUnsure() {
      return unsure !== undefined;
    },
    wasDone() {
      const { own, number } = unsure!;
      const { rows } = ask({ text: "SELECT last FROM waybill.processes WHERE ref = $1", values: [own] });
      unsure = undefined;
      return (rows[0] as { readonly last: number } | undefined)?.last === number;
    },
    beginWith(queries, number) {
      process = number;
      port.postMessage({ begin: queries });
      for (const query of queries) ask(query);
    },
    exec(text) {
      if (text === "COMMIT" && process !== undefined) {
        commit(process);
        return;
      }
      if (text.startsWith("BEGIN")) [inTransaction, isLocked] = [true, false];
      add({ text: text.startsWith("BEGIN") ? "BEGIN" : text });
      const ends = text === "COMMIT" || text === "ROLLBACK";
      if (ends) inTransaction = false;
      if (ends || text.startsWith("RELEASE") || !inTransaction) flush();
    },
    ask: (text, ...values) => {
      return ask({ text, values }).rows as never[];
    },
    get isTransaction() {
      return inTransaction;
    },
    notified: () => undefined,
    leaving: () => undefined,
    close() {
      if (!isOpen) return;
      isOpen = false;
      try {
        database.leaving();
      } catch {
        // It cannot be reached: the others notice that this process is gone.
      }
      pending = [];
      send("end");
      port.close();
    },
  };
  port.on("message", (message) => message === "notified" && database.notified());
  port.unref();
  return database;
}

interface Pending {
  readonly query: Query;
  reply: Reply | undefined;
}

let statements = 0;

/** A limit below zero is none. */
const named = (names: readonly string[], values: object): readonly unknown[] =>
  names.map((name) => {
    const value = (values as { readonly [name: string]: unknown })[name];
    return name === "limit" && typeof value === "number" && value < 0 ? null : value;
  });

/** What PostgreSQL says: of the store where it cannot be reached or is full, of one write otherwise. */
function faultOf({ message, code }: NonNullable<Answer["error"]>, url: string, isLost: boolean): Error {
  const { StoreError } = parts;
  const where = placeOf(url);
  if (code === fenced)
    return new StoreError("foreign", `This process was taken for dead: others go on with its runs in ${where}.`);
  if (isLost) return new StoreError("unusable", `The database ${where} cannot be reached: ${message}.`);
  if (/^(?:53|40|55P03|25)/.test(code ?? ""))
    return new StoreError("unusable", `The database ${where} cannot be used: ${message}.`);
  return new Error(message);
}

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
