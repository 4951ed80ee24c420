import type { Client as ClientOf, QueryResult, types as typesOf } from "pg";
import { StoreError } from "../../internal.ts";
import { read, stored } from "./dialect.ts";
import { destroyIfSilent, liveness } from "./silence.ts";

/** A statement with its values. */
export interface Query {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** The result of a statement. */
export interface Reply {
  readonly rows: readonly object[];
  readonly count: number;
}

/** How to connect to a database. */
export interface ConnectionOptions {
  readonly url: string;
  /** The statement that locks what several runs share. */
  readonly lock: string;
  /** The maximum size of a string, in bytes. */
  readonly longest: number;
}

/** Statements have failed: with an error of the database, or because the connection was lost. */
export class QueryFailure extends Error {
  /** The result of the statements that have none is unknown. */
  readonly isLost: boolean;
  readonly code: string | undefined;

  constructor(message: string, code: string | undefined, isLost: boolean) {
    super(message);
    this.code = code;
    this.isLost = isLost;
  }
}

/** A connection to the database, which is opened when it is used and reopened after it was lost. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #notified: () => void;
  #client: Promise<ClientOf> | undefined;
  #begin: readonly Query[] = [];
  #isClosed = false;
  /** Why the last connection was lost, if that is known. */
  #loss = "";
  /** Statements may take as long as they need: those that migrate the store. */
  isPatient = false;

  constructor(options: ConnectionOptions, notified: () => void) {
    this.#options = options;
    this.#notified = notified;
  }

  /** Sets the statements that begin every session. */
  beginWith(queries: readonly Query[]): void {
    this.#begin = queries;
  }

  /**
   * Executes statements in order. `replied` receives the results of those that succeed. If `isContinued`, the current
   * session must still exist. Rejects with the `QueryFailure` of the first that fails.
   */
  async send(
    all: readonly Query[],
    isContinued: boolean,
    replied: (index: number, reply: Reply) => void,
  ): Promise<void> {
    if (isContinued && !this.#client) throw lost(`the connection was lost within a transaction${this.#loss}`);
    const connecting = this.#client ?? this.#open();
    const client = await connecting.catch((reason: unknown) => {
      throw failureOf(reason, true);
    });
    let failure: QueryFailure | undefined;
    const fail = (reason: unknown) => {
      failure ??= failureOf(reason, this.#client !== connecting);
    };
    const sent: Promise<void>[] = [];
    try {
      for (const [i, query] of all.entries()) {
        const parameters = parametersOf(query, this.#options.longest);
        sent.push(client.query(parameters).then((result) => replied(i, replyOf(result)), fail));
      }
    } catch (reason) {
      fail(reason);
    }
    await Promise.all(sent);
    if (failure?.isLost && this.#client === connecting) this.#drop(client);
    if (failure) throw failure;
  }

  /** Closes the connection without waiting for the database. */
  close(): void {
    this.#isClosed = true;
    this.#client?.then((client) => client.end()).catch(() => undefined);
    this.#client = undefined;
  }

  #drop(client: ClientOf): void {
    this.#client = undefined;
    client.connection.stream.destroy();
  }

  #open(): Promise<ClientOf> {
    if (this.#isClosed) return Promise.reject(new Error("the engine is closed"));
    const opening = this.#connect((reason) => {
      if (reason instanceof Error) this.#loss = ` (${reason.message})`;
      if (this.#client === opening) this.#client = undefined;
    });
    this.#client = opening;
    return opening;
  }

  async #connect(forget: (reason?: unknown) => void): Promise<ClientOf> {
    let client: ClientOf | undefined;
    try {
      const { default: pg } = (await import("pg")) as unknown as {
        default: { Client: typeof ClientOf; types: typeof typesOf };
      };
      client = new pg.Client({
        connectionString: this.#options.url,
        pipeline: true,
        types: typesFor(pg.types),
        ...liveness,
      });
      client.on("error", forget);
      client.on("end", () => forget());
      client.on("notification", this.#notified);
      await client.connect();
      destroyIfSilent(client.connection.stream, () => this.isPatient);
      for (const query of this.#begin) await client.query(parametersOf(query, this.#options.longest));
      return client;
    } catch (reason) {
      forget(reason);
      client?.end().catch(() => undefined);
      throw reason;
    }
  }
}

/** Numbers for `BIGINT` and `BOOLEAN`, as in SQLite. */
function typesFor({ getTypeParser }: typeof typesOf) {
  const parsers: { readonly [oid: number]: (text: string) => unknown } = {
    20: Number,
    16: (text) => (text === "t" ? 1 : 0),
  };
  return {
    getTypeParser: ((oid: number, format: "text") =>
      parsers[oid] ?? getTypeParser(oid, format)) as typeof getTypeParser,
  };
}

const parametersOf = ({ name, text, values = [] }: Query, longest: number) => ({
  ...(name && { name }),
  text,
  values: values.map((value) => storedIn(value, longest)),
});

function storedIn(value: unknown, longest: number): unknown {
  if (Array.isArray(value)) return value.map((each) => storedIn(each, longest));
  return typeof value === "string" ? storedText(value, longest) : value;
}

/** Rejects strings that are too long, because PostgreSQL would close the session. */
function storedText(text: string, longest: number): string {
  try {
    const given = stored(text);
    if (given.length * 3 <= longest || Buffer.byteLength(given) <= longest) return given;
  } catch {
    // The encoded string would exceed the maximum length of strings.
  }
  throw Object.assign(new Error(`a text has more bytes than the ${longest} that the store takes`), { code: tooLong });
}

/** PostgreSQL's error code for exceeded limits. */
const tooLong = "54000";

function replyOf({ rows, rowCount }: QueryResult): Reply {
  for (const row of (rows ?? []) as { [column: string]: unknown }[])
    for (const [column, value] of Object.entries(row)) if (typeof value === "string") row[column] = read(value);
  return { rows: rows ?? [], count: rowCount ?? 0 };
}

const messageOf = (reason: unknown): string => (reason instanceof Error && reason.message) || String(reason);

const lost = (message: string): QueryFailure => new QueryFailure(message, undefined, true);

/** The failure of a statement. Without an error code of PostgreSQL, the connection was lost. */
function failureOf(reason: unknown, isGone: boolean): QueryFailure {
  const code = reason instanceof Error && "code" in reason ? String(reason.code) : undefined;
  const isLost = isGone || code === undefined || !/^(?=.*\d)[0-9A-Z]{5}$/.test(code) || /^(?:08|57P)/.test(code);
  return new QueryFailure(messageOf(reason), code, isLost);
}

/**
 * Converts the failure of a statement: a `StoreError` if the database is unreachable, full or cannot use its disk,
 * otherwise an error of one write.
 */
export function errorOf({ message, code, isLost }: QueryFailure, url: string): Error {
  const where = placeOf(url);
  if (code === fenced)
    return new StoreError("foreign", `This process was taken for dead: others continue its runs in ${where}.`);
  if (isLost) return new StoreError("unusable", `The database ${where} cannot be reached: ${message}.`);
  if (/^(?:53|58|40|55P03|25|42501|57014)/.test(code ?? ""))
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
