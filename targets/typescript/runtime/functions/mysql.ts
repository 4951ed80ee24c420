import type { ResultSetHeader } from "mysql2/promise";
import { type DatabaseOptions, type Done, databaseWith, type Failure } from "./database.ts";
import type { Call } from "./http.ts";
import { checkInstalled, failLoading } from "./settings.ts";

/** A function that executes a statement on MySQL, or on a database that uses its protocol. */
export function mysql(options: DatabaseOptions): Call {
  checkInstalled("mysql2");
  return databaseWith({ ask, failureOf }, options);
}

async function ask(at: string, query: string, signal: AbortSignal): Promise<Done> {
  signal.throwIfAborted();
  const { createConnection } = await import("mysql2/promise").catch(failLoading("mysql2"));
  const connection = await createConnection({ uri: at, supportBigNumbers: true, timezone: "Z" });
  const cut = () => connection.destroy();
  signal.addEventListener("abort", cut);
  try {
    const [given] = await connection.query(query);
    if (Array.isArray(given)) return { results: [given], changed: given.length, id: 0 };
    const { affectedRows, insertId } = given as ResultSetHeader;
    return { results: [], changed: affectedRows, id: insertId };
  } finally {
    signal.removeEventListener("abort", cut);
    if (!signal.aborted) await connection.end();
  }
}

/** The kinds of failures by MySQL's names of errors. */
function failureOf(code: string): Failure | undefined {
  switch (code) {
    case "ER_LOCK_DEADLOCK":
      return "DEADLOCK";
    case "ER_DUP_ENTRY":
    case "ER_BAD_NULL_ERROR":
    case "ER_NO_REFERENCED_ROW_2":
    case "ER_ROW_IS_REFERENCED_2":
    case "ER_CHECK_CONSTRAINT_VIOLATED":
    case "ER_CONSTRAINT_FAILED":
      return "CONSTRAINT_VIOLATION";
    case "ER_ACCESS_DENIED_ERROR":
    case "ER_DBACCESS_DENIED_ERROR":
    case "ER_BAD_DB_ERROR":
    case "PROTOCOL_CONNECTION_LOST":
    case "HANDSHAKE_SSL_ERROR":
      return "CONNECTION_FAILED";
    case "ER_CON_COUNT_ERROR":
    case "ER_SERVER_SHUTDOWN":
      return "UNAVAILABLE";
    default:
      return undefined;
  }
}
