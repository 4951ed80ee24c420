import { isMainThread, type MessagePort, workerData } from "node:worker_threads";
import type { Client as ClientOf, QueryResult, types as typesOf } from "pg";
import { read, stored } from "./dialect.ts";
import { deadline, liveness } from "./silence.ts";

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

/** The results of statements: of all, or of those before the first that failed. */
export interface Answer {
  readonly replies: readonly Reply[];
  readonly error?: { readonly message: string; readonly code?: string | undefined } | undefined;
  /** The connection was lost; the result of the current statement is unknown. */
  readonly isLost?: boolean;
}

/** Statements to execute, possibly within the current transaction; or those that begin every session; or the end. */
export type Message =
  | { readonly all: readonly Query[]; readonly isContinued: boolean; readonly isPatient: boolean }
  | { readonly begin: readonly Query[] }
  | "end";

/** The configuration of the thread. */
export interface ThreadConfiguration {
  readonly url: string;
  /** The maximum size of a value, in bytes. */
  readonly longest: number;
  readonly port: MessagePort;
  readonly flag: SharedArrayBuffer;
}

/** The main function of the thread: executes statements in order, and wakes the thread that waits for them. */
export async function serveDatabase({ url, longest, port, flag }: ThreadConfiguration): Promise<void> {
  const { default: pg } = (await import("pg")) as unknown as {
    default: { Client: typeof ClientOf; types: typeof typesOf };
  };
  pg.types.setTypeParser(20, Number);
  pg.types.setTypeParser(16, (text) => (text === "t" ? 1 : 0) as never);
  const signal = new Int32Array(flag);
  let client: ClientOf | undefined;
  let begin: readonly Query[] = [];
  const connect = async (): Promise<ClientOf> => {
    const next = new pg.Client({ connectionString: url, ...liveness });
    const forget = () => {
      if (client === next) client = undefined;
    };
    next.on("error", forget);
    next.on("end", forget);
    next.on("notification", () => port.postMessage("notified"));
    await next.connect();
    try {
      await inTime(next, async () => {
        for (const query of begin) await next.query(parametersOf(query, longest));
      });
    } catch (error) {
      leave(next);
      throw error;
    }
    return next;
  };
  port.on("message", async (queries: Message) => {
    if (typeof queries === "object" && "begin" in queries) {
      begin = queries.begin;
      return;
    }
    if (queries === "end") {
      if (client) leave(client);
      answer(port, signal, { replies: [] });
      port.close();
      return;
    }
    const { all, isContinued, isPatient } = queries;
    const replies: Reply[] = [];
    try {
      if (isContinued && !client) throw new Error("the connection has gone within a transaction");
      client ??= await connect();
      const session = client;
      const execute = async () => {
        for (const query of all) replies.push(replyOf(await session.query(parametersOf(query, longest))));
      };
      await (isPatient ? execute() : inTime(session, execute));
      answer(port, signal, { replies });
    } catch (error) {
      const { message, code } = error as { readonly message: string; readonly code?: string };
      const isLost = client === undefined || code === undefined || /^(?:08|57P)/.test(code);
      if (isLost) {
        client?.connection.stream.destroy();
        client = undefined;
      }
      answer(port, signal, { replies, error: { message: message || String(error), code }, isLost });
    }
  });
  port.postMessage("ready");
}

/** Executes statements on a connection, which is closed if they take too long: it counts as lost. */
async function inTime(client: ClientOf, execute: () => Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new Error(`there was no response for ${deadline / 1000} s`));
    client.connection.stream.destroy();
  }, deadline);
  try {
    await Promise.race([execute(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Closes a connection without waiting for the database. */
function leave(client: ClientOf): void {
  client.end().catch(() => undefined);
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

function answer(port: MessagePort, signal: Int32Array<SharedArrayBuffer>, given: Answer): void {
  port.postMessage(given);
  Atomics.add(signal, 0, 1);
  Atomics.notify(signal, 0);
}

/** The URL of this module, with which the thread is started. */
export const threadModule: string = import.meta.url;

if (!isMainThread && workerData?.waybill) void serveDatabase(workerData.waybill as ThreadConfiguration);
