import type { DatabaseSync } from "node:sqlite";
import { prepare } from "../statement.ts";

const ended = "status IN ('succeeded', 'failed', 'cancelled')";

/** How what is old is forgotten. */
export function pruneStatements(db: DatabaseSync) {
  const doomed = `SELECT ref FROM runs WHERE ${ended} AND updated < ? AND ref NOT IN (SELECT run FROM journal INDEXED BY journal_begun WHERE kind = 'begun')
    AND ref NOT IN (SELECT run FROM outbox WHERE refused = 0)`;
  const used = ["inbox", "early", "collected", "missed", "undecided"]
    .map((table) => `ref NOT IN (SELECT event FROM ${table})`)
    .join(" AND ");
  return {
    pruneJournal: prepare<[number], never>(db, `DELETE FROM journal WHERE run IN (${doomed})`),
    pruneRounds: prepare<[number], never>(db, `DELETE FROM rounds WHERE run IN (${doomed})`),
    pruneInbox: prepare<[number], never>(db, `DELETE FROM inbox WHERE run IN (${doomed})`),
    pruneOutbox: prepare<[number], never>(db, `DELETE FROM outbox WHERE run IN (${doomed})`),
    pruneRuns: prepare<[number], never>(db, `DELETE FROM runs WHERE ref IN (${doomed})`),
    pruneEvents: prepare<[number], never>(
      db,
      `DELETE FROM events WHERE at < ? AND ref < (SELECT max(ref) FROM events) AND ${used}`,
    ),
  };
}
