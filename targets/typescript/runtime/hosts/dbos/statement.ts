import type { Effect, LateEffect, QueryReading, Reading, Statement } from "../../sqlite/store.ts";
import type { Query, Reply } from "./connection.ts";
import { type Translation, translated } from "./dialect.ts";
import { PendingQuery } from "./reading.ts";
import type { QueuedStatement, Session } from "./session.ts";

/** A statement of the engine in the dialect of PostgreSQL. */
export class PostgresStatement<In extends readonly unknown[], Row> implements Statement<In, Row> {
  readonly #session: Session;
  readonly #translated: Translation;
  readonly #name = `waybill${statements++}`;

  constructor(session: Session, text: string) {
    this.#session = session;
    this.#translated = translated(text);
  }

  run(...values: In): LateEffect {
    if (!this.#session.isTransaction) throw new Error("A statement was executed outside of a transaction.");
    return new QueuedEffect(this.#session.add(this.#query(values), this.#translated.isPrivate));
  }

  change(...values: In): Reading<Effect> {
    return this.#pending(values, effectOf);
  }

  get(...values: In): QueryReading<Row | undefined> {
    return this.#pending(values, ({ rows }) => rows[0] as Row | undefined);
  }

  all(...values: In): QueryReading<readonly Row[]> {
    return this.#pending(values, ({ rows }) => rows as readonly unknown[] as readonly Row[]);
  }

  #pending<T>(values: readonly unknown[], resultOf: (reply: Reply) => T): QueryReading<T> {
    return new PendingQuery(this.#query(values), this.#translated.isPrivate, resultOf);
  }

  #query(values: readonly unknown[]): Query {
    const { text, names, lists } = this.#translated;
    const given = names.length > 0 ? named(names, values[0] as object) : values;
    return { name: this.#name, text, values: lists.length > 0 ? listed(lists, given) : given };
  }
}

/** The effect of a statement, which is known when it has been executed. */
class QueuedEffect implements LateEffect {
  readonly #one: QueuedStatement;

  constructor(one: QueuedStatement) {
    this.#one = one;
  }

  get changes(): number | undefined {
    return this.#one.reply && effectOf(this.#one.reply).changes;
  }

  get lastInsertRowid(): number | undefined {
    return this.#one.reply && effectOf(this.#one.reply).lastInsertRowid;
  }
}

const effectOf = ({ rows, count }: Reply): Effect => ({
  changes: count,
  lastInsertRowid: (rows[0] as { readonly ref?: number } | undefined)?.ref ?? 0,
});

let statements = 0;

/** Converts arrays from JSON, as arrays in PostgreSQL have fewer restrictions on strings than JSON. */
const listed = (lists: readonly number[], values: readonly unknown[]): readonly unknown[] =>
  values.map((value, i) => (lists.includes(i) ? JSON.parse(value as string) : value));

/** A negative limit means no limit. */
const named = (names: readonly string[], values: object): readonly unknown[] =>
  names.map((name) => {
    const value = (values as { readonly [name: string]: unknown })[name];
    return name === "limit" && typeof value === "number" && value < 0 ? null : value;
  });
