import { prepare } from "../schema.ts";
import type { OutgoingRow, OutgoingText } from "../statements.ts";
import type { Store } from "../store.ts";

/** What has been emitted and is not sent. */
export function outboxStatements(db: Store) {
  return {
    emit: prepare<[number, string, string, number], never>(
      db,
      "INSERT INTO outbox (run, type, text, at) VALUES (?, ?, ?, ?)",
    ),
    outgoingTypes: prepare<[], { readonly type: string }>(db, "SELECT DISTINCT type FROM outbox WHERE refused = 0"),
    lastOutgoing: prepare<[], { readonly ref: number }>(db, "SELECT coalesce(max(ref), 0) AS ref FROM outbox"),
    outgoing: prepare<[number, number, string, number], OutgoingRow>(
      db,
      `SELECT ref, run, type, at, attempts, refused, reason FROM outbox
        WHERE ref > ? AND ref <= ? AND refused = 0 AND type IN (SELECT value FROM json_each(?)) ORDER BY ref LIMIT ?`,
    ),
    outgoingBehind: prepare<[number, number, number, string], OutgoingRow>(
      db,
      `SELECT ref, run, type, at, attempts, refused, reason FROM outbox
        WHERE run = ? AND ref > ? AND ref <= ? AND refused = 0 AND type IN (SELECT value FROM json_each(?)) ORDER BY ref LIMIT 1`,
    ),
    outgoingOf: prepare<[number], OutgoingRow>(
      db,
      "SELECT ref, run, type, at, attempts, refused, reason FROM outbox WHERE run = ? ORDER BY ref",
    ),
    outgoingText: prepare<[number], OutgoingText>(
      db,
      "SELECT text, (SELECT trace FROM runs WHERE runs.ref = run) AS trace FROM outbox WHERE ref = ?",
    ),
    sent: prepare<[number], never>(db, "DELETE FROM outbox WHERE ref = ?"),
    notSent: prepare<[number, string, number], never>(db, "UPDATE outbox SET attempts = ?, reason = ? WHERE ref = ?"),
    refused: prepare<[number, string, number], never>(
      db,
      "UPDATE outbox SET attempts = ?, reason = ?, refused = 1 WHERE ref = ?",
    ),
    sendAgain: prepare<[number], never>(
      db,
      "INSERT INTO outbox (run, type, text, at) SELECT run, type, text, at FROM outbox WHERE ref = ?",
    ),
    countOutgoing: prepare<[], { readonly n: number }>(db, "SELECT count(*) AS n FROM outbox"),
    countRefused: prepare<[], { readonly n: number }>(
      db,
      "SELECT count(*) AS n FROM outbox INDEXED BY outbox_refused WHERE refused = 1",
    ),
  };
}
