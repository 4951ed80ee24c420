import { prepare } from "../schema.ts";
import type { OfferedTaskRow, TaskRow, Text } from "../statements.ts";
import type { Store } from "../store.ts";

const active = "runs.status IN ('running', 'waiting')";

const offered = `SELECT tasks.task, tasks.run, tasks.token, tasks.beat, tasks.input, tasks.taken FROM tasks
  JOIN runs ON runs.ref = tasks.run WHERE tasks.activity = ? AND ${active}`;

/** The tasks that callers report about. */
export function taskStatements(db: Store) {
  return {
    addTask: prepare<[string, number, string, string, number], never>(
      db,
      "INSERT INTO tasks (task, run, key, token, state, beat) VALUES (?, ?, ?, ?, 'awaited', ?)",
    ),
    /** Offers a task, unless a worker has taken it meanwhile. */
    offerTask: prepare<[string, string, string, number, string], never>(
      db,
      `UPDATE tasks SET state = 'awaited', activity = ?, input = ?, taken = ?, beat = ?
        WHERE task = ? AND (taken IS NULL OR state = 'over')`,
    ),
    task: prepare<[string], TaskRow>(db, "SELECT task, run, key, token, state, beat, digest FROM tasks WHERE task = ?"),
    reopenTask: prepare<[number, string], never>(
      db,
      "UPDATE tasks SET state = 'awaited', beat = ? WHERE task = ? AND state = 'over'",
    ),
    beatTask: prepare<[number, string], never>(db, "UPDATE tasks SET beat = ? WHERE task = ?"),
    endTask: prepare<[string, number, Text, string], never>(
      db,
      "UPDATE tasks SET state = ?, beat = ?, digest = ?, activity = NULL, input = NULL WHERE task = ?",
    ),
    /** Ends the tasks of a run whose tokens have this key, or one that begins with it and `#`. */
    endTasksOf: prepare<[number, number, string, string, string], never>(
      db,
      `UPDATE tasks SET state = 'over', beat = ?, activity = NULL, input = NULL
        WHERE run = ? AND state = 'awaited' AND (token = ? OR substr(token, 1, length(?)) = ?)`,
    ),
    offeredTask: prepare<[string], OfferedTaskRow>(db, `${offered} ORDER BY tasks.beat LIMIT 1`),
    offeredTaskOf: prepare<[string, string], OfferedTaskRow>(
      db,
      `${offered} AND runs.workflow IN (SELECT CAST(value AS INTEGER) FROM json_each(?)) ORDER BY tasks.beat LIMIT 1`,
    ),
    takeTask: prepare<[number, string], never>(
      db,
      "UPDATE tasks SET activity = NULL, input = NULL, beat = ? WHERE task = ?",
    ),
    countAwaited: prepare<[], { readonly workflow: number; readonly n: number }>(
      db,
      `SELECT runs.workflow, count(*) AS n FROM tasks JOIN runs ON runs.ref = tasks.run
        WHERE tasks.state = 'awaited' AND ${active} GROUP BY runs.workflow`,
    ),
    forgetTasks: prepare<[number], never>(db, "DELETE FROM tasks WHERE state <> 'awaited' AND beat < ?"),
  };
}
