import { WorkflowError } from "../errors.ts";
import { isObject, type Json } from "../json.ts";
import { memberOf, plainText } from "./address.ts";
import { clockFor } from "./exchange.ts";
import type { Call } from "./http.ts";
import { local } from "./local.ts";
import { type Setting, textOf } from "./settings.ts";

/** Where a database is, and what is asked of it. */
export interface DatabaseOptions {
  /** An address such as `postgres://host:5432/shop`, with a user and a password or without. */
  readonly at: Setting;
  /** `rows`: the answer is `{ ResultSets }`, each a list of rows as objects. `count`: `{ RowsAffected, LastInsertId }`, with 0 where the database tells no id. */
  readonly answer: "rows" | "count";
  /** What comes before `CONNECTION_FAILED`, `UNAVAILABLE`, `CONSTRAINT_VIOLATION` and `DEADLOCK` in the names of failures. */
  readonly failure?: string;
  /** Seconds until the answer has to be there; then the call has taken too long. When absent, as many as its step allows, or 300. */
  readonly timeout?: number;
}

/** What a database did: the rows of each result, how many it changed, and the id that it made. */
export interface Done {
  readonly results: readonly (readonly object[])[];
  readonly changed: number;
  readonly id: number | string;
}

/** What is particular to one kind of database. */
export interface Dialect {
  /** Makes one statement over a connection of its own, which is closed before it gives or fails; `signal` cuts it off. */
  ask(at: string, query: string, signal: AbortSignal): Promise<Done>;
  /** The kind of failure that an error code of the database, or of the system, is. */
  failureOf(code: string): Failure | undefined;
}

/** The failures of databases that have a name of their own. */
export type Failure = "CONNECTION_FAILED" | "UNAVAILABLE" | "CONSTRAINT_VIOLATION" | "DEADLOCK";

/**
 * A function that is a statement to a database: its argument is `{ query }`, with `connection: { simple: { username, password } }` where it says who asks.
 * Rows are JSON: times in ISO 8601, bytes in base64, numbers that JavaScript does not hold exactly as texts. Other failures than the named ones are a
 * `DatabaseError`.
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

/** Fails when a signal comes: a driver need not tell that it was cut off. */
const failingOn = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

/** The address with the user and the password of the argument, where it says them. */
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
