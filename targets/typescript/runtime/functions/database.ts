import { WorkflowError } from "../errors.ts";
import { isObject, type Json } from "../json.ts";
import { memberOf, plainText } from "./address.ts";
import { clockFor } from "./exchange.ts";
import type { Call } from "./http.ts";
import { local } from "./local.ts";
import { type Setting, textOf } from "./settings.ts";

/** The address of a database, and how it is called. */
export interface DatabaseOptions {
  /** An address such as `postgres://host:5432/shop`, with or without a user and a password. */
  readonly at: Setting;
  /**
   * `rows` returns `{ ResultSets }`, each an array of rows as objects. `count` returns `{ RowsAffected, LastInsertId
   * }`, where the id is 0 if the database returns none.
   */
  readonly answer: "rows" | "count";
  /** The prefix of `CONNECTION_FAILED`, `UNAVAILABLE`, `CONSTRAINT_VIOLATION` and `DEADLOCK` in the names of errors. */
  readonly failure?: string;
  /** The timeout of a call in seconds; by default, that of its step, or else 300. */
  readonly timeout?: number;
}

/** The result of a statement: the rows of each result set, the number of changed rows, and the id that was inserted. */
export interface Done {
  readonly results: readonly (readonly object[])[];
  readonly changed: number;
  readonly id: number | string;
}

/** The implementation of one kind of database. */
export interface Dialect {
  /** Executes one statement over its own connection, which is closed before the promise settles; `signal` aborts it. */
  ask(at: string, query: string, signal: AbortSignal): Promise<Done>;
  /** The kind of failure for an error code of the database or of the operating system. */
  failureOf(code: string): Failure | undefined;
}

/** The failures of databases that have their own names. */
export type Failure = "CONNECTION_FAILED" | "UNAVAILABLE" | "CONSTRAINT_VIOLATION" | "DEADLOCK";

/**
 * A function that executes a statement of a database. Its argument is `{ query }`, with the optional credentials
 * `connection: { simple: { username, password } }`. Rows are JSON: times in ISO 8601, bytes in base64, and numbers
 * that JavaScript cannot represent exactly as strings. Other failures than the named ones are a `DatabaseError`.
 */
export function databaseWith(dialect: Dialect, options: DatabaseOptions): Call {
  const { at, answer, timeout } = options;
  return local(async (argument, step) => {
    const query = memberOf(argument as Json, "query") ?? "";
    if (query === "") throw new WorkflowError("ArgumentError", "The argument has no query.");
    const clock = clockFor(step, timeout);
    const { signal } = clock;
    try {
      const asking = dialect.ask(asAsked(textOf(at), argument as Json), plainText(query), signal);
      const done = await Promise.race([asking, failingOn(signal)]);
      return (
        answer === "rows"
          ? { ResultSets: done.results.map((rows) => rows.map(jsonOf)) }
          : { RowsAffected: done.changed, LastInsertId: done.id }
      ) as never;
    } catch (thrown) {
      throw clock.failure() ?? failureFor(thrown, dialect, options);
    }
  });
}

/** Rejects when the signal aborts: a driver need not report that it was aborted. */
const failingOn = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

/** The address, with the user and the password of the argument if it has them. */
function asAsked(at: string, argument: Json): string {
  const simple = memberOf(memberOf(argument, "connection") ?? null, "simple") ?? null;
  if (!isObject(simple)) return at;
  if (!URL.canParse(at)) throw new WorkflowError("ConfigurationError", "The address of the database cannot be read.");
  const url = new URL(at);
  const [user, password] = [memberOf(simple, "username") ?? null, memberOf(simple, "password") ?? null];
  if (user !== null) url.username = encodeURIComponent(plainText(user).toWellFormed());
  if (password !== null) url.password = encodeURIComponent(plainText(password).toWellFormed());
  return url.href;
}

function failureFor(thrown: unknown, dialect: Dialect, options: DatabaseOptions): WorkflowError {
  if (thrown instanceof WorkflowError) return thrown;
  const code = codeOf(thrown);
  const kind = systemFailures.has(code) ? "CONNECTION_FAILED" : dialect.failureOf(code);
  const name = kind === undefined ? "DatabaseError" : `${options.failure ?? ""}${kind}`;
  const message = thrown instanceof Error && thrown.message !== "" ? thrown.message : "The database did not answer.";
  return new WorkflowError(name, message, { data: { code } });
}

function codeOf(thrown: unknown): string {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return typeof code === "string" ? code : "";
}

const systemFailures: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
]);

/** A value of a row as JSON. */
function jsonOf(value: unknown): Json {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (Buffer.isBuffer(value)) return value.toString("base64");
  switch (typeof value) {
    case "bigint":
      return String(value);
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "object":
      if (Array.isArray(value)) return value.map(jsonOf);
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, jsonOf(inner)]));
    default:
      return value as Json;
  }
}
