import { prepare } from "../schema.ts";
import type { CountRow, ListedRow, RunRow, Text } from "../statements.ts";
import type { Store } from "../store.ts";

const active = "status IN ('running', 'waiting')";

/** The clock and the workflows of a store. */
export function storeStatements(db: Store) {
  return {
    clock: prepare<[], { readonly value: number }>(db, "SELECT value FROM meta WHERE name = 'clock'"),
    setClock: prepare<[number], never>(
      db,
      "INSERT INTO meta VALUES ('clock', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    ),
    workflows: prepare<[], { readonly ref: number; readonly id: string; readonly version: string }>(
      db,
      "SELECT * FROM workflows",
    ),
    addWorkflow: prepare<[string, string], never>(db, "INSERT INTO workflows (id, version) VALUES (?, ?)"),
    countActive: prepare<[number], { readonly n: number }>(
      db,
      `SELECT count(*) AS n FROM runs WHERE workflow = ? AND ${active}`,
    ),
    countOpen: prepare<[number], { readonly n: number }>(
      db,
      "SELECT count(*) AS n FROM runs WHERE workflow = ? AND status IN ('running', 'waiting', 'stranded')",
    ),
  };
}

/** Whether the data in a store are encoded. */
export function codecStatements(db: Store) {
  return {
    known: prepare<[], { readonly value: number }>(db, "SELECT value FROM meta WHERE name = 'codec'"),
    mark: prepare<[], never>(db, "INSERT INTO meta VALUES ('codec', 1) ON CONFLICT (name) DO NOTHING"),
  };
}

/** Queries of runs. */
export function runReads(db: Store) {
  return {
    run: prepare<[number], RunRow>(db, "SELECT * FROM runs WHERE ref = ?"),
    idOfRun: prepare<[number], { readonly id: string }>(db, "SELECT id FROM runs WHERE ref = ?"),
    runById: prepare<[string], RunRow>(db, "SELECT * FROM runs WHERE id = ?"),
    listedRun: prepare<[number], ListedRow>(
      db,
      `SELECT ref, id, workflow, status, created, updated, substr(reason, 1, 10000) AS reason,
        substr(error, 1, 10000) AS error FROM runs WHERE ref = ?`,
    ),
    runsBefore: prepare<[number, number], { readonly ref: number }>(
      db,
      "SELECT ref FROM runs WHERE ref < ? ORDER BY ref DESC LIMIT ?",
    ),
    runsOfStatusBefore: prepare<[number, string, number, number], { readonly ref: number }>(
      db,
      "SELECT ref FROM runs WHERE workflow = ? AND status = ? AND ref < ? ORDER BY ref DESC LIMIT ?",
    ),
    firstCreated: prepare<[number], { readonly ref: number }>(
      db,
      "SELECT ref FROM runs WHERE created >= ? ORDER BY created LIMIT 1",
    ),
    runsOfValue: prepare<[string, string, number, number], { readonly ref: number }>(
      db,
      `SELECT ref FROM runs WHERE token IS NOT NULL AND substr(token, 1, 200) = substr(?, 1, 200) AND token = ?
        AND ref < ? ORDER BY ref DESC LIMIT ?`,
    ),
    runsOfBoundValue: prepare<[string, string, number, number], { readonly ref: number }>(
      db,
      `SELECT run AS ref FROM subscriptions WHERE value IS NOT NULL AND substr(value, 1, 200) = substr(?, 1, 200)
        AND value = ? AND run < ? ORDER BY run DESC LIMIT ?`,
    ),
    countByStatus: prepare<[], CountRow>(
      db,
      `SELECT counted.workflow, workflows.id, counted.status, counted.n
        FROM (SELECT workflow, status, count(*) AS n FROM runs GROUP BY workflow, status) AS counted
        JOIN workflows ON workflows.ref = counted.workflow`,
    ),
    usedWorkflows: prepare<[], { readonly ref: number }>(
      db,
      `WITH RECURSIVE used (ref) AS (SELECT min(workflow) FROM runs
        UNION ALL SELECT (SELECT min(workflow) FROM runs WHERE workflow > used.ref) FROM used WHERE used.ref IS NOT NULL)
        SELECT ref FROM used WHERE ref IS NOT NULL`,
    ),
    running: prepare<[], { readonly ref: number; readonly workflow: number }>(
      db,
      "SELECT ref, workflow FROM runs WHERE status = 'running' ORDER BY ref",
    ),
    suspects: prepare<[number], { readonly ref: number; readonly workflow: number; readonly deaths: number }>(
      db,
      "SELECT ref, workflow, deaths FROM runs WHERE status = 'running' AND deaths >= ? ORDER BY ref DESC",
    ),
    mark: prepare<[string], { readonly value: number }>(db, "SELECT value FROM meta WHERE name = ?"),
    due: prepare<[number, number], { readonly ref: number }>(
      db,
      "SELECT ref FROM runs WHERE workflow = ? AND wake_at <= ? LIMIT 1000",
    ),
    nextWake: prepare<[number, number], { readonly at: number | null }>(
      db,
      "SELECT min(wake_at) AS at FROM runs WHERE workflow = ? AND wake_at > ?",
    ),
  };
}

/** Changes of runs. */
export function runWrites(db: Store) {
  return {
    addRun: prepare<[string, number, number, number, string, Text, Text, number | null, Text], never>(
      db,
      `INSERT INTO runs (id, workflow, status, created, updated, input, token, parent, root, trace)
        VALUES (?, ?, 'running', ?, ?, ?, ?, ?, ?, ?)`,
    ),
    rest: prepare<[number, number | null, string, number], never>(
      db,
      `UPDATE runs SET status = 'waiting', updated = ?, wake_at = ?, waits = ? WHERE ref = ? AND ${active}`,
    ),
    activate: prepare<[number], never>(
      db,
      `UPDATE runs SET status = 'running', wake_at = NULL WHERE ref = ? AND ${active}`,
    ),
    shiftWaiting: prepare<[number, number, number], never>(
      db,
      "UPDATE runs SET wake_at = wake_at - ?, updated = updated - ? WHERE wake_at IS NOT NULL AND updated > ?",
    ),
    end: prepare<[string, number, Text, Text, number | null, number], never>(
      db,
      `UPDATE runs SET status = ?, updated = ?, output = ?, error = ?, cause = ?, wake_at = NULL, waits = NULL, reason = NULL WHERE ref = ? AND status IN ('running', 'waiting', 'stranded')`,
    ),
    again: prepare<[number, number], never>(
      db,
      "UPDATE runs SET status = 'running', updated = ?, error = NULL, cause = NULL WHERE ref = ? AND status = 'failed'",
    ),
    strand: prepare<[number, string, number], never>(
      db,
      `UPDATE runs SET status = 'stranded', updated = ?, reason = ?, wake_at = NULL WHERE ref = ? AND ${active}`,
    ),
    revive: prepare<[number], never>(
      db,
      "UPDATE runs SET status = 'running', reason = NULL, deaths = 0 WHERE ref = ? AND status = 'stranded'",
    ),
    mayDie: prepare<[number], never>(db, "UPDATE runs SET deaths = deaths + 1 WHERE status = 'running' AND deaths < ?"),
    addDeath: prepare<[number], never>(db, "UPDATE runs SET deaths = deaths + 1 WHERE ref = ?"),
    setDeaths: prepare<[number, number, number], never>(db, "UPDATE runs SET deaths = ? WHERE ref = ? AND deaths > ?"),
    acquit: prepare<[number, number, number], never>(
      db,
      "UPDATE runs SET deaths = 0 WHERE status = 'running' AND deaths >= ? AND ref NOT BETWEEN ? AND ?",
    ),
    setMark: prepare<[string, number], never>(
      db,
      "INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    ),
    blame: prepare<[number, number, number], never>(
      db,
      `INSERT INTO meta VALUES ('suspect_first', ?), ('suspect_last', ?), ('suspect_after', ?)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    ),
    removeMarks: prepare<[], never>(
      db,
      "DELETE FROM meta WHERE name IN ('trial', 'control', 'suspect_first', 'suspect_last', 'suspect_after')",
    ),
    removeAllMarks: prepare<[], never>(
      db,
      "DELETE FROM meta WHERE name IN ('trial', 'control', 'suspect_first', 'suspect_last', 'suspect_after', 'period')",
    ),
    survive: prepare<[number], never>(db, "UPDATE runs SET deaths = 0 WHERE ref = ?"),
  };
}

const ended = "status IN ('succeeded', 'failed', 'cancelled')";

/** A run that has neither detached work in progress nor events to send. */
const isDone = `NOT EXISTS (SELECT 1 FROM journal INDEXED BY journal_begun WHERE run = runs.ref AND kind = 'begun')
  AND NOT EXISTS (SELECT 1 FROM outbox WHERE run = runs.ref AND refused <> 1)`;

const listed = "(SELECT CAST(value AS INTEGER) FROM json_each(?))";

/** Deletes old runs and events. Lists of runs are JSON arrays of strings. */
export function pruneStatements(db: Store) {
  return {
    runBounds: prepare<[], { readonly first: number; readonly last: number }>(
      db,
      "SELECT coalesce(min(ref), 0) AS first, coalesce(max(ref), -1) AS last FROM runs",
    ),
    doomedRuns: prepare<[number, number, number, number], { readonly ref: number }>(
      db,
      `SELECT ref FROM runs WHERE ref > ? AND ref <= ? AND ${ended} AND updated < ? AND ${isDone}
        ORDER BY ref LIMIT ?`,
    ),
    doneRun: prepare<[string], { readonly ref: number }>(
      db,
      `SELECT ref FROM runs WHERE id = ? AND ${ended} AND ${isDone}`,
    ),
    subscriptionsOf: prepare<[string], { readonly run: number; readonly inbox: string }>(
      db,
      `SELECT run, inbox FROM subscriptions WHERE run IN ${listed}`,
    ),
    pruneJournal: prepare<[string], never>(db, `DELETE FROM journal WHERE run IN ${listed}`),
    pruneRounds: prepare<[string], never>(db, `DELETE FROM rounds WHERE run IN ${listed}`),
    pruneTasks: prepare<[string], never>(db, `DELETE FROM tasks WHERE run IN ${listed}`),
    pruneOutbox: prepare<[string], never>(db, `DELETE FROM outbox WHERE run IN ${listed}`),
    pruneRuns: prepare<[string], never>(db, `DELETE FROM runs WHERE ref IN ${listed}`),
    eventBounds: prepare<[], { readonly first: number; readonly last: number }>(
      db,
      "SELECT coalesce(min(ref), 0) AS first, coalesce(max(ref), -1) AS last FROM events",
    ),
    pruneEvents: prepare<[number, number, number], never>(
      db,
      `DELETE FROM events WHERE ref > ? AND ref <= ? AND at < ? AND state IS NULL
        AND ref < (SELECT max(ref) FROM events)`,
    ),
  };
}
