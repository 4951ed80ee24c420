import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

/**
 * What the engine requires of a store. SQLite responds at once. A database on a network responds later, and the event
 * loop is free meanwhile: code that uses the result of a query is a generator, which the store executes.
 */
export interface Store {
  prepare<In extends readonly SQLInputValue[], Row>(text: string): Statement<In, Row>;
  readonly begin: Reading<void>;
  /** Commits a transaction. If that is not acknowledged, `isUnsure` is true until `wasDone` has been read. */
  readonly commit: Reading<void>;
  /** Commits a transaction that can be repeated. */
  readonly commitRepeatable: Reading<void>;
  readonly rollBack: Reading<void>;
  /** Begins a part of a transaction that can be undone alone, ends it, or undoes it. */
  readonly save: Reading<void>;
  readonly release: Reading<void>;
  readonly undo: Reading<void>;
  readonly isTransaction: boolean;
  /** A commit was not acknowledged: `wasDone` determines its result. */
  readonly isUnsure: boolean;
  readonly wasDone: Reading<boolean>;
  /**
   * Executes a task that no other one interrupts; urgent tasks come first. The result is a promise unless the store
   * responds at once.
   */
  execute<T>(task: Task<T>, isUrgent?: boolean): T | Promise<T>;
  /** Executes queries outside of transactions, without waiting for other tasks. */
  read<T>(task: Reading<T>): T | Promise<T>;
  close(): Promise<void> | void;
}

/** A result that a task receives with `yield*`. */
export interface Reading<T> {
  [Symbol.iterator](): Iterator<StoreRequest, T, unknown>;
}

/** A generator that uses a store. */
export type Task<T> = Generator<StoreRequest, T, unknown>;

/** Readings that a task waits for: it continues with an array of their results. */
export type StoreRequest = readonly Reading<unknown>[];

/** A prepared statement with the types of its parameters and rows. */
export interface Statement<In extends readonly unknown[], Row> {
  /** Executes a statement of a transaction; its effect is known after the transaction, or the next query. */
  run(...values: In): LateEffect;
  /** Executes a statement and waits for its effect. */
  change(...values: In): Reading<Effect>;
  get(...values: In): QueryReading<Row | undefined>;
  all(...values: In): QueryReading<readonly Row[]>;
}

/** The result of a query, which can be converted before it is read. */
export interface QueryReading<T> extends Reading<T> {
  map<U>(convert: (value: T) => U): QueryReading<U>;
}

/**
 * The effect of a statement when its transaction has been committed. It is unknown if the connection was lost before
 * the commit was acknowledged.
 */
export type LateEffect = { readonly [name in keyof Effect]: number | undefined };

/** The effect of a statement. */
export interface Effect {
  readonly changes: number;
  readonly lastInsertRowid: number;
}

/** A result that is known already. */
export class Known<T> implements QueryReading<T>, Iterator<StoreRequest, T, unknown> {
  readonly #result: { readonly done: true; readonly value: T };

  constructor(value: T) {
    this.#result = { done: true, value };
  }

  map<U>(convert: (value: T) => U): Known<U> {
    return new Known(convert(this.#result.value));
  }

  next(): IteratorReturnResult<T> {
    return this.#result;
  }

  [Symbol.iterator](): this {
    return this;
  }
}

/** Waits for several readings, which a store may process together. */
export function* together<T extends readonly unknown[]>(
  ...readings: { readonly [index in keyof T]: Reading<T[index]> }
): Task<T> {
  const all: unknown[] = [];
  for (const reading of readings) {
    if (!(reading instanceof Known)) return (yield readings) as T;
    all.push(reading.next().value);
  }
  return all as readonly unknown[] as T;
}

/** Calls a function; if it returns a task, executes that. */
export function* perform<T>(act: () => Task<T> | T): Task<T> {
  const task = act();
  return isTask(task) ? yield* task : task;
}

const isTask = <T>(value: Task<T> | T): value is Task<T> =>
  typeof value === "object" && value !== null && "throw" in value && Symbol.iterator in value;

/** The result of a task on a store that responds at once. */
export function complete<T>(task: Reading<T>): T {
  const { done, value } = task[Symbol.iterator]().next();
  if (done !== true) throw new Error("The store does not respond at once.");
  return value;
}

/** A SQLite database as a store. */
export function sqliteStore(db: DatabaseSync): Store {
  const control = (text: string): Reading<void> => {
    const statement = db.prepare(text);
    return {
      [Symbol.iterator]: () => {
        statement.run();
        return nothing;
      },
    };
  };
  const savepoint = (text: string): Reading<void> => ({
    [Symbol.iterator]: () => {
      db.exec(text);
      return nothing;
    },
  });
  const commit = control("COMMIT");
  return {
    prepare: (text) => sqliteStatement(db, text),
    begin: control("BEGIN IMMEDIATE"),
    commit,
    commitRepeatable: commit,
    rollBack: control("ROLLBACK"),
    save: savepoint("SAVEPOINT attempt"),
    release: savepoint("RELEASE attempt"),
    undo: savepoint("ROLLBACK TO attempt; RELEASE attempt"),
    get isTransaction() {
      return db.isTransaction;
    },
    isUnsure: false,
    wasDone: new Known(false),
    execute: complete,
    read: complete,
    close: () => db.close(),
  };
}

const nothing = new Known<void>(undefined);

/** Numbered parameters (`?1`), which Node 22.18 does not support, become plain ones. */
function sqliteStatement<In extends readonly SQLInputValue[], Row>(db: DatabaseSync, text: string): Statement<In, Row> {
  const statement = db.prepare(text.replaceAll(/\?\d+/g, "?"));
  const places = Array.from(text.matchAll(/\?(\d+)/g), ([, number]) => Number(number) - 1);
  if (places.length === 0) return statementOf(statement);
  const { run, change, get, all } = statementOf<SQLInputValue[], Row>(statement);
  const placed = (values: In): SQLInputValue[] => places.map((place) => values[place]!);
  return {
    run: (...values) => run(...placed(values)),
    change: (...values) => change(...placed(values)),
    get: (...values) => get(...placed(values)),
    all: (...values) => all(...placed(values)),
  };
}

const statementOf = <In extends readonly SQLInputValue[], Row>(statement: StatementSync): Statement<In, Row> => ({
  run: (...values) => statement.run(...values) as Effect,
  change: (...values) => new Known(statement.run(...values) as Effect),
  get: (...values) => new Known(statement.get(...values) as Row | undefined),
  all: (...values) => new Known(statement.all(...values) as readonly unknown[] as readonly Row[]),
});
