import { type Translation, translated } from "./dialect.ts";
import type { QueuedStatement, Session } from "./session.ts";
import type { Query, Reply } from "./worker.ts";

/** A statement of the engine with the interface of `node:sqlite`. */
export class Statement {
  readonly #session: Session;
  readonly #translated: Translation;
  readonly #name = `waybill${statements++}`;

  constructor(session: Session, text: string) {
    this.#session = session;
    this.#translated = translated(text);
  }

  /** The query with values. */
  query(values: readonly unknown[]): Query {
    const { text, names, lists } = this.#translated;
    const given = names.length > 0 ? named(names, values[0] as object) : values;
    return { name: this.#name, text, values: lists.length > 0 ? listed(lists, given) : given };
  }

  run(...values: unknown[]): Result {
    const one = this.#session.add(this.#queryOf(values));
    if (!this.#session.isTransaction) this.#session.flush();
    return new Result(this.#session, one);
  }

  get(...values: unknown[]): object | undefined {
    return this.#session.ask(this.#queryOf(values)).rows[0];
  }

  all(...values: unknown[]): readonly object[] {
    return this.#session.ask(this.#queryOf(values)).rows;
  }

  #queryOf(values: readonly unknown[]): Query {
    if (!this.#translated.isPrivate) this.#session.keepOut();
    return this.query(values);
  }
}

/** The result of a statement that changes something. Reading it executes the queued statements. */
class Result {
  readonly #session: Session;
  readonly #one: QueuedStatement;

  constructor(session: Session, one: QueuedStatement) {
    this.#session = session;
    this.#one = one;
  }

  get changes(): number {
    return this.#reply().count;
  }

  get lastInsertRowid(): number {
    return (this.#reply().rows[0] as { readonly ref: number } | undefined)?.ref ?? 0;
  }

  #reply(): Reply {
    if (!this.#one.reply) this.#session.flush();
    return this.#one.reply!;
  }
}

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
