import type { StoreRequest, Task } from "../../sqlite/store.ts";
import { Connection, type ConnectionOptions, errorOf, type Query, QueryFailure, type Reply } from "./connection.ts";
import { type Action, type DatabaseReading, PendingQuery } from "./reading.ts";

/** A queued statement, and its result. */
export interface QueuedStatement {
  readonly query: Query;
  reply: Reply | undefined;
}

/**
 * Executes tasks one after the other. Their statements are sent in order; those whose results are not needed are sent
 * together with the next one.
 */
export class Session {
  readonly #connection: Connection;
  readonly #options: ConnectionOptions;
  /** The tasks that wait, and those among them that are urgent. */
  readonly #waiting: (() => Promise<void>)[] = [];
  readonly #urgent: (() => Promise<void>)[] = [];
  #isBusy = false;
  #pending: QueuedStatement[] = [];
  #inTransaction = false;
  #isLocked = false;
  /** The database has begun the current transaction: a new session could not continue it. */
  #isBegun = false;
  #transactions = 0;
  #process: number | undefined;
  #unsure: { readonly own: number; readonly number: number } | undefined;

  constructor(options: ConnectionOptions, notified: () => void) {
    this.#options = options;
    this.#connection = new Connection(options, notified);
  }

  /** Statements may take as long as they need. */
  set isPatient(isPatient: boolean) {
    this.#connection.isPatient = isPatient;
  }

  get isTransaction(): boolean {
    return this.#inTransaction;
  }

  /** A commit was not acknowledged: `wasDone` determines its result. */
  get isUnsure(): boolean {
    return this.#unsure !== undefined;
  }

  /** Executes a task when no other one is executed; urgent ones come first. */
  execute<T>(task: Task<T>, isUrgent: boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const queue = isUrgent ? this.#urgent : this.#waiting;
      queue.push(() => this.#drive(task).then(resolve, reject));
      if (!this.#isBusy) void this.#executeAll();
    });
  }

  async #executeAll(): Promise<void> {
    this.#isBusy = true;
    for (let next = this.#next(); next; next = this.#next()) await next();
    this.#isBusy = false;
  }

  #next(): (() => Promise<void>) | undefined {
    return this.#urgent.shift() ?? this.#waiting.shift();
  }

  /** Queues a statement of a transaction until a result is needed. */
  add(query: Query, isPrivate = true): QueuedStatement {
    if (!isPrivate) this.keepOut();
    const one: QueuedStatement = { query, reply: undefined };
    this.#pending.push(one);
    return one;
  }

  begin(): void {
    [this.#inTransaction, this.#isLocked] = [true, false];
    this.add({ text: "BEGIN" });
  }

  async rollBack(): Promise<void> {
    this.#pending = [];
    const isBegun = this.#isBegun;
    [this.#inTransaction, this.#isBegun] = [false, false];
    if (isBegun) await this.#connection.send([{ text: "ROLLBACK" }], true, () => undefined).catch(() => undefined);
  }

  /** Commits a transaction, with a number that shows later whether it was committed. */
  async commit(): Promise<void> {
    const own = this.#process;
    if (own === undefined) return this.commitRepeatable();
    const number = ++this.#transactions;
    this.add({ text: "UPDATE waybill.processes SET last = $2 WHERE ref = $1", values: [own, number] });
    try {
      await this.commitRepeatable();
    } catch (reason) {
      if (!this.#inTransaction) this.#unsure = { own, number };
      throw reason;
    }
  }

  async commitRepeatable(): Promise<void> {
    this.add({ text: "COMMIT" });
    await this.flush();
    [this.#inTransaction, this.#isBegun] = [false, false];
  }

  async wasDone(): Promise<boolean> {
    const { own, number } = this.#unsure!;
    const one = this.add({ text: "SELECT last FROM waybill.processes WHERE ref = $1", values: [own] });
    await this.flush();
    this.#unsure = undefined;
    return (one.reply!.rows[0] as { readonly last: number } | undefined)?.last === number;
  }

  /** Executes the queued statements. Throws the error of the first that fails. */
  async flush(): Promise<void> {
    if (this.#pending.length === 0) return;
    const all = this.#pending;
    this.#pending = [];
    const isContinued = this.#isBegun;
    this.#isBegun = this.#inTransaction;
    const replied = (index: number, reply: Reply) => {
      all[index]!.reply = reply;
    };
    try {
      await this.#connection.send(
        all.map(({ query }) => query),
        isContinued,
        replied,
      );
    } catch (reason) {
      if (!(reason instanceof QueryFailure)) throw reason;
      if (reason.isLost) [this.#inTransaction, this.#isBegun] = [false, false];
      throw errorOf(reason, this.#options.url);
    }
  }

  /** Within a transaction: locks what several runs share. */
  keepOut(): void {
    if (!this.#inTransaction || this.#isLocked) return;
    this.#isLocked = true;
    this.add({ text: this.#options.lock });
  }

  /** Sets the statements that begin every session, and the process whose transactions are numbered. */
  async beginWith(queries: readonly Query[], process: number | undefined): Promise<void> {
    this.#process = process;
    this.#connection.beginWith(queries);
    for (const query of queries) this.add(query);
    await this.flush();
  }

  /** Closes the session, and discards queued statements. */
  close(): void {
    this.#pending = [];
    this.#connection.close();
  }

  async #drive<T>(task: Task<T>): Promise<T> {
    try {
      return await drive(task, (readings) => this.#answer(readings));
    } finally {
      if (this.#inTransaction) await this.rollBack();
      this.#pending = [];
    }
  }

  async #answer(readings: readonly DatabaseReading<unknown>[]): Promise<readonly unknown[]> {
    const queued: (QueuedStatement | Action<unknown>)[] = readings.map((reading) =>
      reading instanceof PendingQuery ? this.add(reading.query, reading.isPrivate) : reading,
    );
    await this.flush();
    const results: unknown[] = [];
    for (const [i, each] of queued.entries()) {
      const reading = readings[i]!;
      results.push(
        reading instanceof PendingQuery
          ? reading.resultOf((each as QueuedStatement).reply!)
          : await (each as Action<unknown>).act(),
      );
    }
    return results;
  }
}

/** Executes tasks at the same time, outside of transactions. */
export class Reader {
  readonly #connection: Connection;
  readonly #options: ConnectionOptions;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#connection = new Connection(options, () => undefined);
  }

  beginWith(queries: readonly Query[]): void {
    this.#connection.beginWith(queries);
  }

  read<T>(task: Task<T>): Promise<T> {
    return drive(task, async (readings) => {
      const queries = readings.map((reading) => {
        if (reading instanceof PendingQuery) return reading;
        throw new Error("Only queries are executed outside of transactions.");
      });
      const replies: Reply[] = [];
      const replied = (index: number, reply: Reply) => {
        replies[index] = reply;
      };
      await this.#connection
        .send(
          queries.map(({ query }) => query),
          false,
          replied,
        )
        .catch((reason: unknown) => {
          throw reason instanceof QueryFailure ? errorOf(reason, this.#options.url) : reason;
        });
      return queries.map((query, i) => query.resultOf(replies[i]!));
    });
  }

  close(): void {
    this.#connection.close();
  }
}

/** Executes a task, and responds to its requests. */
async function drive<T>(
  task: Task<T>,
  respond: (readings: readonly DatabaseReading<unknown>[]) => Promise<readonly unknown[]>,
): Promise<T> {
  let step = task.next();
  while (step.done !== true) {
    let results: readonly unknown[];
    try {
      results = await respond(step.value as StoreRequest as readonly DatabaseReading<unknown>[]);
    } catch (reason) {
      step = task.throw(reason);
      continue;
    }
    step = task.next(results);
  }
  return step.value;
}
