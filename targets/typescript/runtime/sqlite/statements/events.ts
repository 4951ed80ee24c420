import { prepare } from "../schema.ts";
import type { EventRow, RecordRow, SubscriptionRow, Text, WaitRow } from "../statements.ts";
import type { Store } from "../store.ts";

const event = "events.ref, events.at, events.text, events.state";

/** The events that have arrived, and those that may still be used. */
export function eventStatements(db: Store) {
  return {
    addEvent: prepare<[string, string, number], never>(
      db,
      "INSERT INTO events (source, id, at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    ),
    storeEvent: prepare<[string, string, number], never>(db, "UPDATE events SET text = ?, state = ? WHERE ref = ?"),
    setState: prepare<[string, number], never>(db, "UPDATE events SET state = ? WHERE ref = ?"),
    forgetEvent: prepare<[number], never>(db, "UPDATE events SET text = NULL, state = NULL WHERE ref = ?"),
    event: prepare<[number], EventRow>(db, `SELECT ${event} FROM events WHERE ref = ? AND state IS NOT NULL`),
    arrival: prepare<[number], { readonly at: number }>(db, "SELECT at FROM events WHERE ref = ?"),
    storedEvents: prepare<[number], EventRow>(
      db,
      `SELECT ${event} FROM events WHERE state IS NOT NULL AND ref > ? ORDER BY ref`,
    ),
    lastEvent: prepare<[], { readonly number: number }>(db, "SELECT coalesce(max(ref), 0) AS number FROM events"),
    lastEventBefore: prepare<[number], { readonly number: number }>(
      db,
      "SELECT coalesce(max(ref), 0) AS number FROM events WHERE at < ?",
    ),
    shiftEvents: prepare<[number, number], never>(db, "UPDATE events SET at = at - ? WHERE at > ?"),
  };
}

/** The partitions of stored events. */
export function partitionStatements(db: Store) {
  return {
    keep: prepare<[string, string, number], never>(db, "INSERT INTO kept VALUES (?, ?, ?) ON CONFLICT DO NOTHING"),
    releaseAll: prepare<[number], never>(db, "DELETE FROM kept WHERE event = ?"),
    kept: prepare<[string, number], EventRow>(
      db,
      `SELECT ${event} FROM kept JOIN events ON events.ref = kept.event
        WHERE partition = ? AND kept.event > ? ORDER BY events.ref`,
    ),
    keptOfTypes: prepare<[string, string, number], EventRow>(
      db,
      `SELECT ${event} FROM kept JOIN events ON events.ref = kept.event
        WHERE partition = ? AND type IN (SELECT value FROM json_each(?)) AND kept.event > ? ORDER BY events.ref`,
    ),
    someKept: prepare<[string, string], { readonly event: number }>(
      db,
      "SELECT event FROM kept WHERE partition = ? AND type IN (SELECT value FROM json_each(?)) LIMIT 1",
    ),
    unrouted: prepare<[], EventRow>(
      db,
      `SELECT ${event} FROM events WHERE state IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM kept WHERE kept.event = events.ref) ORDER BY events.ref`,
    ),
    oldEvents: prepare<[number, number, number], EventRow>(
      db,
      `SELECT ${event} FROM events WHERE state IS NOT NULL AND at < ? AND events.ref > ?
        AND NOT EXISTS (SELECT 1 FROM missed WHERE missed.event = events.ref) ORDER BY events.ref LIMIT ?`,
    ),
  };
}

const withRecords = "LEFT JOIN subscriptions ON subscriptions.run = waits.run AND subscriptions.inbox = waits.inbox";

/** A wait that has not ended, with the record of its run. The caller knows its partition and step. */
type OpenWaitRow = Pick<WaitRow, "run" | "key" | "inbox" | "text" | "root"> & RecordRow;

const openWaits = `SELECT waits.run, waits.key, waits.inbox, waits.root, text, after, value, bound FROM waits ${withRecords}
  WHERE open = 1 AND partition = ? AND step = ?`;

/** The waits of runs. */
export function waitStatements(db: Store) {
  return {
    putWait: prepare<[number, string, string, string, string, number, number, number, string], never>(
      db,
      `INSERT INTO waits (run, key, inbox, step, partition, root, open, dropping, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (run, key) DO UPDATE SET inbox = excluded.inbox, step = excluded.step,
          partition = excluded.partition, root = excluded.root, open = excluded.open, dropping = excluded.dropping, text = excluded.text`,
    ),
    changeWait: prepare<[number, number, string, number, string], never>(
      db,
      "UPDATE waits SET open = ?, dropping = ?, text = ? WHERE run = ? AND key = ?",
    ),
    removeWait: prepare<[number, string], never>(db, "DELETE FROM waits WHERE run = ? AND key = ?"),
    wait: prepare<[number, string], WaitRow & RecordRow>(
      db,
      `SELECT waits.*, after, value, bound FROM waits ${withRecords} WHERE waits.run = ? AND key = ?`,
    ),
    waitsOfRun: prepare<[number], WaitRow>(db, "SELECT * FROM waits WHERE run = ?"),
    openWaits: prepare<[string, string], OpenWaitRow>(db, openWaits),
    openWaitsAfter: prepare<[string, string, number, number], OpenWaitRow>(
      db,
      `${openWaits} AND waits.root > ? ORDER BY waits.root LIMIT ?`,
    ),
    openWaitsOfRoot: prepare<[string, string, number], OpenWaitRow>(db, `${openWaits} AND waits.root = ?`),
    someOpenWait: prepare<[string], { readonly run: number }>(
      db,
      "SELECT run FROM waits WHERE open = 1 AND partition = ? LIMIT 1",
    ),
    droppingWaits: prepare<[string], WaitRow>(db, "SELECT * FROM waits WHERE dropping = 1 AND partition = ?"),
    allDroppingWaits: prepare<[], WaitRow>(db, "SELECT * FROM waits WHERE dropping = 1"),
  };
}

/** The runs, and subflows in them, that receive events. */
export function subscriptionStatements(db: Store) {
  return {
    subscribe: prepare<[number, string, number, number | null, Text, number, number], never>(
      db,
      `INSERT INTO subscriptions (run, inbox, workflow, after, value, root, number) VALUES (?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (run, inbox) DO UPDATE SET after = excluded.after, value = excluded.value, bound = NULL,
          number = excluded.number`,
    ),
    nextSubflow: prepare<[number], { readonly number: number }>(
      db,
      "SELECT coalesce(max(number), 0) + 1 AS number FROM subscriptions WHERE root = ? AND number > 0",
    ),
    setRecord: prepare<[number | null, Text, Text, number, string], never>(
      db,
      "UPDATE subscriptions SET after = ?, value = ?, bound = ? WHERE run = ? AND inbox = ?",
    ),
    subscription: prepare<[number, string], SubscriptionRow>(
      db,
      "SELECT * FROM subscriptions WHERE run = ? AND inbox = ?",
    ),
    subscriptions: prepare<[number], SubscriptionRow>(db, "SELECT * FROM subscriptions WHERE run = ?"),
    unsubscribe: prepare<[number, string], never>(db, "DELETE FROM subscriptions WHERE run = ? AND inbox = ?"),
    oldestSubscriptions: prepare<[], { readonly workflow: number; readonly after: number }>(
      db,
      `SELECT subscriptions.workflow, min(after) AS after FROM subscriptions JOIN runs ON runs.ref = subscriptions.run
        WHERE status IN ('running', 'waiting', 'stranded') GROUP BY subscriptions.workflow`,
    ),
  };
}

/** Events that have arrived while a version of a workflow was missing. */
export function missedStatements(db: Store) {
  return {
    addMissed: prepare<[number, number], never>(db, "INSERT OR IGNORE INTO missed VALUES (?, ?)"),
    missed: prepare<[number], { readonly event: number }>(
      db,
      "SELECT event FROM missed WHERE workflow = ? ORDER BY event",
    ),
    endMissed: prepare<[number], never>(db, "DELETE FROM missed WHERE workflow = ?"),
    endAbandoned: prepare<[], never>(
      db,
      `DELETE FROM missed WHERE workflow NOT IN
        (SELECT workflow FROM runs WHERE status IN ('running', 'waiting', 'stranded'))`,
    ),
  };
}
