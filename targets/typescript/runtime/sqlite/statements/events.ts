import type { DatabaseSync } from "node:sqlite";
import { prepare } from "../schema.ts";
import type { CollectedRow, HolderRow, InboxRow, LeftRow, Text } from "../statements.ts";

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
          OR EXISTS (SELECT 1 FROM undecided WHERE event <= own.event)
          OR EXISTS (SELECT 1 FROM missed WHERE event = own.event) AS shared
        FROM inbox AS own JOIN events ON events.ref = own.event WHERE own.run = ? AND own.taken IS NULL ORDER BY own.seq`,
    ),
    eventsSince: prepare<[number], { readonly number: number; readonly text: string }>(
      db,
      "SELECT ref AS number, text FROM events WHERE ref > ? AND text IS NOT NULL ORDER BY ref",
    ),
    users: prepare<[number], { readonly workflow: number }>(
      db,
      "SELECT workflow FROM inbox JOIN runs ON runs.ref = inbox.run WHERE event = ? AND (taken IS NOT NULL OR seq < 0)",
    ),
    lastEvent: prepare<[], { readonly number: number }>(db, "SELECT coalesce(max(ref), 0) AS number FROM events"),
    lastEventBefore: prepare<[number], { readonly number: number }>(
      db,
      "SELECT coalesce(max(ref), 0) AS number FROM events WHERE at < ?",
    ),
    isTaken: prepare<[number], { readonly run: number }>(
      db,
      "SELECT run FROM inbox WHERE event = ? AND taken IS NOT NULL LIMIT 1",
    ),
    take: prepare<[number, number, number], never>(db, "UPDATE inbox SET taken = ? WHERE run = ? AND seq = ?"),
    forgetTaken: prepare<[number, string, number], never>(
      db,
      "DELETE FROM inbox WHERE run = ? AND inbox = ? AND taken >= ?",
    ),
    untake: prepare<[number, number], never>(db, "UPDATE inbox SET taken = NULL WHERE run = ? AND taken >= ?"),
  };
}

/** Who has events that are in inboxes, and has not used them. */
export function holderStatements(db: DatabaseSync) {
  return {
    has: prepare<[number, number, string], { readonly seq: number }>(
      db,
      "SELECT seq FROM inbox WHERE event = ? AND run = ? AND inbox = ?",
    ),
    elders: prepare<[number, number], { readonly run: number; readonly seq: number }>(
      db,
      "SELECT run, seq FROM inbox WHERE event = ? AND run < ? AND taken IS NULL AND seq >= 0",
    ),
    holders: prepare<[number, number, number], HolderRow>(
      db,
      `SELECT inbox.run, inbox.inbox, seq, runs.workflow AS root,
          coalesce((SELECT workflow FROM interests INDEXED BY interests_run
            WHERE interests.run = inbox.run AND interests.inbox = inbox.inbox AND definition = ''), runs.workflow) AS workflow
        FROM inbox JOIN runs ON runs.ref = inbox.run
        WHERE event = ? AND taken IS NULL AND seq >= 0 AND NOT (inbox.run = ? AND seq = ?)`,
    ),
    untaken: prepare<[number, string | null], LeftRow>(
      db,
      `SELECT seq, inbox, inbox.event AS number, text,
          coalesce((SELECT workflow FROM interests INDEXED BY interests_run
            WHERE interests.run = inbox.run AND interests.inbox = inbox.inbox AND definition = ''), runs.workflow) AS workflow
        FROM inbox JOIN runs ON runs.ref = inbox.run JOIN events ON events.ref = inbox.event
        WHERE inbox.run = ?1 AND taken IS NULL AND seq >= 0 AND (?2 IS NULL OR inbox.inbox = ?2) ORDER BY seq`,
    ),
  };
}

/** Whether an inbox that listens was there before an event came. */
const wasThere = (number: string): string =>
  `EXISTS (SELECT 1 FROM interests AS beginning INDEXED BY interests_run
    WHERE beginning.run = interests.run AND beginning.inbox = interests.inbox
      AND beginning.definition = '' AND beginning.token < printf('%016d', ${number}))`;

/** The events that runs listen to. */
export function interestStatements(db: DatabaseSync) {
  return {
    listening: prepare<[number, string, string], { readonly run: number; readonly inbox: string }>(
      db,
      "SELECT run, inbox FROM interests WHERE workflow = ? AND definition = ? AND token IN ('', ?) ORDER BY run",
    ),
    sure: prepare<[number, string, number], { readonly run: number; readonly inbox: string }>(
      db,
      `SELECT run, inbox FROM interests
        WHERE workflow = ?1 AND definition = ?2 AND token = 'one' AND ${wasThere("?3")} ORDER BY run LIMIT 1`,
    ),
    unsure: prepare<[number, string, number, number], { readonly run: number; readonly inbox: string }>(
      db,
      `SELECT run, inbox FROM interests
        WHERE workflow = ?1 AND definition = ?2 AND token = '' AND run <= ?4 AND ${wasThere("?3")} ORDER BY run`,
    ),
    interests: prepare<[number], { readonly inbox: string; readonly definition: string }>(
      db,
      "SELECT inbox, definition FROM interests WHERE run = ?",
    ),
    addInterest: prepare<[number, string, string, number, string], never>(
      db,
      "INSERT OR IGNORE INTO interests VALUES (?, ?, ?, ?, ?)",
    ),
  };
}

/** What runs ask for changes, or is over. */
export function demandStatements(db: DatabaseSync) {
  return {
    setToken: prepare<[string, number, string, number, string], never>(
      db,
      "UPDATE OR REPLACE interests SET token = ? WHERE workflow = ? AND definition = ? AND token = '' AND run = ? AND inbox = ?",
    ),
    unsettle: prepare<[number], never>(
      db,
      "UPDATE OR REPLACE interests SET token = '' WHERE run = ? AND token = 'one' AND definition <> ''",
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
    open: prepare<[string, string, number, string], { readonly event: number; readonly text: string }>(
      db,
      `SELECT early.event, events.text FROM early JOIN events ON events.ref = early.event
        WHERE early.workflow = ?1 AND early.definition = ?2 AND early.token = ''
          AND early.event > (SELECT CAST(token AS INTEGER) FROM interests INDEXED BY interests_run
            WHERE run = ?3 AND inbox = ?4 AND definition = '')
          AND NOT EXISTS (SELECT 1 FROM inbox WHERE inbox.event = early.event AND run = ?3 AND inbox = ?4)
        ORDER BY early.event`,
    ),
    forgetArrival: prepare<[number, number], never>(
      db,
      "DELETE FROM inbox WHERE run = ? AND seq = ? AND taken IS NULL",
    ),
    endOpen: prepare<[number], never>(db, "DELETE FROM early WHERE event = ? AND token = ''"),
    endEarly: prepare<[string, number], never>(db, "DELETE FROM early WHERE workflow = ? AND event = ?"),
    forgetEarly: prepare<[number], never>(
      db,
      `DELETE FROM early WHERE at < ? AND NOT (token = '' AND EXISTS (SELECT 1 FROM interests
        WHERE interests.workflow IN (SELECT ref FROM workflows WHERE id = early.workflow) AND interests.definition = ''
          AND interests.token < printf('%016d', early.event)))`,
    ),
  };
}

/** Events that may start runs. */
export function startingStatements(db: DatabaseSync) {
  return {
    collected: prepare<[string], CollectedRow>(
      db,
      "SELECT event, name, token, collected.at, text FROM collected JOIN events ON events.ref = event WHERE workflow = ? ORDER BY event",
    ),
    collect: prepare<[string, number, string, string, number], never>(
      db,
      "INSERT INTO collected VALUES (?, ?, ?, ?, ?)",
    ),
    uncollect: prepare<[string, number], never>(db, "DELETE FROM collected WHERE workflow = ? AND event = ?"),
    someUndecided: prepare<[], { readonly event: number }>(db, "SELECT event FROM undecided LIMIT 1"),
    addUndecided: prepare<[number, string, number], never>(db, "INSERT OR IGNORE INTO undecided VALUES (?, ?, ?)"),
    undecided: prepare<[], { readonly number: number; readonly text: string }>(
      db,
      "SELECT DISTINCT event AS number, text FROM undecided JOIN events ON events.ref = event ORDER BY event",
    ),
    undecidedOf: prepare<[number], { readonly workflow: string; readonly at: number }>(
      db,
      "SELECT workflow, at FROM undecided WHERE event = ?",
    ),
    endUndecided: prepare<[number, string], never>(db, "DELETE FROM undecided WHERE event = ? AND workflow = ?"),
  };
}

/** Events that have come while a version of a workflow was missing. */
export function missedStatements(db: DatabaseSync) {
  return {
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
