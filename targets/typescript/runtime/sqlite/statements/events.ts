import type { DatabaseSync } from "node:sqlite";
import { prepare } from "../statement.ts";
import type { CollectedRow, InboxRow, Text } from "../statements.ts";

/** The events that runs have. */
export function inboxStatements(db: DatabaseSync) {
  return {
    addEvent: prepare<[string, string, number, Text], never>(
      db,
      "INSERT INTO events (source, id, at, text) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
    ),
    putEvent: prepare<[number, number, string, number], never>(
      db,
      "INSERT INTO inbox (run, seq, inbox, event) VALUES (?, ?, ?, ?)",
    ),
    inbox: prepare<[number], InboxRow>(
      db,
      `SELECT own.seq, own.inbox, own.event AS number, events.text,
          EXISTS (SELECT 1 FROM inbox WHERE event = own.event AND taken IS NULL AND (run <> own.run OR seq <> own.seq))
          OR EXISTS (SELECT 1 FROM early WHERE event = own.event AND token = '')
          OR EXISTS (SELECT 1 FROM missed WHERE event = own.event) AS shared
        FROM inbox AS own JOIN events ON events.ref = own.event WHERE own.run = ? AND own.taken IS NULL ORDER BY own.seq`,
    ),
    has: prepare<[number, number, string], { readonly seq: number }>(
      db,
      "SELECT seq FROM inbox WHERE event = ? AND run = ? AND inbox = ?",
    ),
    elders: prepare<[number, number], { readonly run: number; readonly seq: number }>(
      db,
      "SELECT run, seq FROM inbox WHERE event = ? AND run < ? AND taken IS NULL AND seq >= 0",
    ),
    takeFromAll: prepare<
      [number, number, number, string],
      { readonly run: number; readonly inbox: string; readonly seq: number }
    >(
      db,
      `DELETE FROM inbox WHERE event = ? AND taken IS NULL AND seq >= 0 AND NOT (run = ? AND seq = ?)
          AND run NOT IN (
            SELECT runs.ref FROM runs JOIN workflows ON workflows.ref = runs.workflow
            WHERE workflows.id IN (SELECT value FROM json_each(?)))
        RETURNING run, inbox, seq`,
    ),
    takeFromWorkflow: prepare<
      [number, number, number, string],
      { readonly run: number; readonly inbox: string; readonly seq: number }
    >(
      db,
      `DELETE FROM inbox WHERE event = ? AND taken IS NULL AND seq >= 0 AND NOT (run = ? AND seq = ?)
          AND run IN (SELECT runs.ref FROM runs JOIN workflows ON workflows.ref = runs.workflow WHERE workflows.id = ?)
        RETURNING run, inbox, seq`,
    ),
    take: prepare<[number, number, number], never>(db, "UPDATE inbox SET taken = ? WHERE run = ? AND seq = ?"),
    forgetTaken: prepare<[number, string, number], never>(
      db,
      "DELETE FROM inbox WHERE run = ? AND inbox = ? AND taken >= ?",
    ),
    untake: prepare<[number, number], never>(db, "UPDATE inbox SET taken = NULL WHERE run = ? AND taken >= ?"),
  };
}

/** The events that runs listen to. */
export function interestStatements(db: DatabaseSync) {
  return {
    listening: prepare<[number, string, string], { readonly run: number; readonly inbox: string }>(
      db,
      "SELECT run, inbox FROM interests WHERE workflow = ? AND definition = ? AND token IN ('', ?) ORDER BY run",
    ),
    sure: prepare<[number, string], { readonly run: number; readonly inbox: string }>(
      db,
      "SELECT run, inbox FROM interests WHERE workflow = ? AND definition = ? AND token = 'one' ORDER BY run LIMIT 1",
    ),
    unsure: prepare<[number, string, number], { readonly run: number; readonly inbox: string }>(
      db,
      "SELECT run, inbox FROM interests WHERE workflow = ? AND definition = ? AND token = '' AND run <= ? ORDER BY run",
    ),
    interests: prepare<[number], { readonly inbox: string; readonly definition: string }>(
      db,
      "SELECT inbox, definition FROM interests WHERE run = ?",
    ),
    addInterest: prepare<[number, string, string, number, string], never>(
      db,
      "INSERT OR IGNORE INTO interests VALUES (?, ?, ?, ?, ?)",
    ),
    setToken: prepare<[string, number, string, number, string], never>(
      db,
      "UPDATE OR REPLACE interests SET token = ? WHERE workflow = ? AND definition = ? AND token = '' AND run = ? AND inbox = ?",
    ),
    endDemand: prepare<[number, string, number, string], never>(
      db,
      "DELETE FROM interests WHERE workflow = ? AND definition = ? AND run = ? AND inbox = ?",
    ),
    meetDemand: prepare<[number, string, number, string], never>(
      db,
      "DELETE FROM interests WHERE workflow = ? AND definition = ? AND token = 'one' AND run = ? AND inbox = ?",
    ),
    endInterest: prepare<[number, string], never>(db, "DELETE FROM interests WHERE run = ? AND inbox = ?"),
    endInterests: prepare<[number], never>(db, "DELETE FROM interests WHERE run = ?"),
  };
}

/** Events that are kept for later. */
export function keptStatements(db: DatabaseSync) {
  return {
    addEarly: prepare<[string, string, string, number, number], never>(
      db,
      "INSERT OR IGNORE INTO early VALUES (?, ?, ?, ?, ?)",
    ),
    early: prepare<[string, string, string, number], { readonly event: number }>(
      db,
      "SELECT event FROM early WHERE workflow = ? AND definition = ? AND token = ? AND at >= ?",
    ),
    open: prepare<[string, string, number, number, string], { readonly event: number; readonly text: string }>(
      db,
      `SELECT early.event, events.text FROM early JOIN events ON events.ref = early.event
        WHERE early.workflow = ? AND early.definition = ? AND early.token = '' AND early.at >= ?
          AND NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.event = early.event AND run = ? AND inbox = ?)
        ORDER BY early.event`,
    ),
    forgetArrival: prepare<[number, number], never>(db, "DELETE FROM inbox WHERE run = ? AND seq = ?"),
    endOpen: prepare<[number], never>(db, "DELETE FROM early WHERE event = ? AND token = ''"),
    endEarly: prepare<[string, number], never>(db, "DELETE FROM early WHERE workflow = ? AND event = ?"),
    forgetEarly: prepare<[number], never>(db, "DELETE FROM early WHERE at < ?"),
    collected: prepare<[string], CollectedRow>(
      db,
      "SELECT event, name, token, collected.at, text FROM collected JOIN events ON events.ref = event WHERE workflow = ? ORDER BY event",
    ),
    collect: prepare<[string, number, string, string, number], never>(
      db,
      "INSERT INTO collected VALUES (?, ?, ?, ?, ?)",
    ),
    uncollect: prepare<[string, number], never>(db, "DELETE FROM collected WHERE workflow = ? AND event = ?"),
    addMissed: prepare<[number, number], never>(db, "INSERT OR IGNORE INTO missed VALUES (?, ?)"),
    missed: prepare<[number], { readonly ref: number; readonly text: string }>(
      db,
      "SELECT events.ref, text FROM missed JOIN events ON events.ref = event WHERE workflow = ? ORDER BY event",
    ),
    endMissedBy: prepare<[number, string], never>(
      db,
      "DELETE FROM missed WHERE event = ? AND workflow IN (SELECT ref FROM workflows WHERE id = ?)",
    ),
    endMissedByAll: prepare<[number, string], never>(
      db,
      `DELETE FROM missed WHERE event = ?
        AND workflow NOT IN (SELECT ref FROM workflows WHERE id IN (SELECT value FROM json_each(?)))`,
    ),
    endMissed: prepare<[number], never>(db, "DELETE FROM missed WHERE workflow = ?"),
  };
}
