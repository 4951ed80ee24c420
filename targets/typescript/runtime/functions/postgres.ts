import type { QueryResult } from "pg";
import { type DatabaseOptions, type Done, databaseWith, type Failure } from "./database.ts";
import type { Call } from "./http.ts";
import { checkInstalled, failLoading } from "./settings.ts";

/** A function that executes a statement on PostgreSQL. */
export function postgres(options: DatabaseOptions): Call {
  checkInstalled("pg");
  return databaseWith({ ask, failureOf }, options);
}

async function ask(at: string, query: string, signal: AbortSignal): Promise<Done> {
  const { Client } = await import("pg").catch(failLoading("pg"));
  const client = new Client({ connectionString: at });
  // If the connection breaks, the statement fails and reports it.
  client.on("error", () => undefined);
  const cut = () => void client.end();
  signal.addEventListener("abort", cut);
  try {
    signal.throwIfAborted();
    await client.connect();
    const given: QueryResult<object> | QueryResult<object>[] = await client.query(query);
    const results = Array.isArray(given) ? given : [given];
    const changed = results.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0);
    return { results: results.map(({ rows }) => rows), changed, id: 0 };
  } finally {
    signal.removeEventListener("abort", cut);
    await client.end();
  }
}

/** The kinds of failures by PostgreSQL's classes of SQLSTATE. */
function failureOf(code: string): Failure | undefined {
  if (code === "40P01") return "DEADLOCK";
  if (code.startsWith("23")) return "CONSTRAINT_VIOLATION";
  if (code.startsWith("08") || code.startsWith("28") || code === "3D000") return "CONNECTION_FAILED";
  return code.startsWith("53") || code.startsWith("57P") ? "UNAVAILABLE" : undefined;
}
