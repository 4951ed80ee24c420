import { unplaced } from "../processes.ts";
import { prepare } from "../schema.ts";
import type { JournalRow, RoundRow, StepRow, Text } from "../statements.ts";
import type { Store } from "../store.ts";

/** The journals of runs. */
export function journalStatements(db: Store) {
  return {
    record: prepare<[number, number, string, string, Text, number], never>(
      db,
      "INSERT INTO journal (run, seq, key, kind, value, at) VALUES (?, ?, ?, ?, ?, ?)",
    ),
    recordCall: prepare<[number, number, string, string, Text, number, number | null, number | null], never>(
      db,
      "INSERT INTO journal (run, seq, key, kind, value, at, took, attempt) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    ),
    steps: prepare<[number, number, number, number], StepRow>(
      db,
      `SELECT seq, key, kind, substr(value, 1, ?) AS value, octet_length(value) AS size, at, took, attempt FROM journal
        WHERE run = ? AND seq > ? AND kind NOT IN ('due', 'retried') ORDER BY seq LIMIT ?`,
    ),
    journal: prepare<[number], JournalRow>(
      db,
      "SELECT seq, key, kind, value, at FROM journal WHERE run = ? ORDER BY seq",
    ),
    journalFrom: prepare<[number, number], JournalRow>(
      db,
      "SELECT seq, key, kind, value, at FROM journal WHERE run = ? AND seq >= ? ORDER BY seq",
    ),
    firstOf: prepare<[number, string], { readonly seq: number | null }>(
      db,
      "SELECT min(seq) AS seq FROM journal WHERE run = ? AND key = ? AND kind NOT IN ('due', 'retried')",
    ),
    result: prepare<[number, string], { readonly value: Text }>(
      db,
      "SELECT value FROM journal WHERE run = ? AND key = ? AND kind IN ('value', 'failure')",
    ),
    failures: prepare<[number], JournalRow>(
      db,
      "SELECT seq, key, kind, value, at FROM journal WHERE run = ? AND kind = 'failure' ORDER BY seq DESC",
    ),
    lastSeq: prepare<[number, number], { readonly seq: number }>(
      db,
      `SELECT max(coalesce((SELECT max(seq) FROM journal WHERE run = ? AND seq < ${unplaced}), 0),
        coalesce((SELECT max(max(since, after)) FROM rounds WHERE run = ?), 0)) AS seq`,
    ),
    over: prepare<[number, number], never>(db, "UPDATE journal SET kind = 'over' WHERE run = ? AND seq = ?"),
    shiftTimers: prepare<[number, number, number], never>(
      db,
      "UPDATE journal SET value = CAST(CAST(value AS INTEGER) - ? AS TEXT), at = at - ? WHERE kind = 'due' AND at > ?",
    ),
    begun: prepare<[], { readonly run: number }>(
      db,
      "SELECT DISTINCT run FROM journal INDEXED BY journal_begun WHERE kind = 'begun'",
    ),
  };
}

/** Deletes and changes entries of retried runs. */
export function retryStatements(db: Store) {
  return {
    forget: prepare<[number, number], never>(db, "DELETE FROM journal WHERE run = ? AND seq = ?"),
    forgetResult: prepare<[number, string], never>(
      db,
      "DELETE FROM journal WHERE run = ? AND key = ? AND kind IN ('value', 'failure')",
    ),
    forgetDue: prepare<[number, string], never>(db, "DELETE FROM journal WHERE run = ? AND key = ? AND kind = 'due'"),
    shiftDue: prepare<[number, number, number], never>(
      db,
      "UPDATE journal SET value = CAST(CAST(value AS INTEGER) + ? AS TEXT), at = at + ? WHERE run = ? AND kind = 'due'",
    ),
  };
}

/** The rounds of loops. */
export function roundStatements(db: Store) {
  return {
    rounds: prepare<[number], RoundRow>(
      db,
      "SELECT prefix, name, since, after, data, entered FROM rounds WHERE run = ? ORDER BY after",
    ),
    setRound: prepare<[number, string, string, number, number, string, string], never>(
      db,
      "INSERT INTO rounds VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run, prefix, name) DO UPDATE SET after = excluded.after, data = excluded.data, entered = excluded.entered",
    ),
    forgetRoundsFrom: prepare<[number, number], never>(db, "DELETE FROM rounds WHERE run = ? AND since > ?"),
    forgetUnder: prepare<[number, number, string, string], never>(
      db,
      "DELETE FROM journal WHERE run = ? AND seq >= ? AND substr(key, 1, length(?)) = ?",
    ),
    forgetRounds: prepare<[number, number, string, string], never>(
      db,
      "DELETE FROM rounds WHERE run = ? AND since > ? AND substr(prefix, 1, length(?)) = ?",
    ),
  };
}
