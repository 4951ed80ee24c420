import type { QueryReading, Reading, StoreRequest } from "../../sqlite/store.ts";
import type { Query, Reply } from "./connection.ts";

/** What a task requests of the database. */
export type DatabaseReading<T> = PendingQuery<T> | Action<T>;

/** A query that is executed when a task waits for it. */
export class PendingQuery<T> implements QueryReading<T> {
  readonly query: Query;
  /** Whether it concerns only what one process uses: no lock is necessary. */
  readonly isPrivate: boolean;
  readonly resultOf: (reply: Reply) => T;

  constructor(query: Query, isPrivate: boolean, resultOf: (reply: Reply) => T) {
    this.query = query;
    this.isPrivate = isPrivate;
    this.resultOf = resultOf;
  }

  map<U>(convert: (value: T) => U): PendingQuery<U> {
    return new PendingQuery(this.query, this.isPrivate, (reply) => convert(this.resultOf(reply)));
  }

  *[Symbol.iterator](): Generator<StoreRequest, T, unknown> {
    const [result] = (yield [this]) as readonly [T];
    return result;
  }
}

/** Something else that the session does, such as committing. */
export class Action<T> implements Reading<T> {
  readonly act: () => Promise<T>;

  constructor(act: () => Promise<T>) {
    this.act = act;
  }

  *[Symbol.iterator](): Generator<StoreRequest, T, unknown> {
    const [result] = (yield [this]) as readonly [T];
    return result;
  }
}
