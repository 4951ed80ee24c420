import type { SQLInputValue } from "node:sqlite";
import type { Statement, Store } from "./store.ts";

/** Marks a file as a store of runs ("wbll"); SQLite shows it as the application of the file. */
export const applicationId = 0x77626c6c;

/**
 * The migrations of a store: the first creates the tables, each later one changes the result of the previous ones. New
 * stores are created by all of them, so that they equal upgraded ones.
 *
 * - `runs`: `wake_at` is the earliest timer of a waiting run, `waits` its pending waits, `cause` the entry in its
 *   journal that made it fail, `reason` why it is stranded, `deaths` how often processes have died since it continued,
 *   `root` the root run of a subflow that runs apart; null for other runs, which are root runs; `trace` the trace
 *   context of the request or event that has started it.
 * - `journal`: the entries of each run, in the order `seq` in which the run receives them. `due` rows
 *   are timers. `took` is the duration of a call in milliseconds, `attempt` its number.
 * - `rounds`: the data with which a run resumes its loops, after all entries up to `after`; the loop began at `since`.
 * - `events`: all events, by source and id; `text` and `state` while the broker (`src/events`) keeps them.
 * - `kept`: the partitions of stored events. `waits`: the waits of runs; `open` is 1 until they end, `root` is the root
 *   run. `subscriptions`: the correlation value of each run, or subflow in it (`inbox`), the last event before it, its
 *   root run, and its number among the subflows of that.
 * - `missed`: events that arrived while a version of a workflow was missing.
 * - `tasks`: the tasks that callers report about, by the hash of their token. `key` is that of the answer in the journal of
 *   `run`, `token` that of the token. `state` is `awaited`, `answered` or `over`; `beat` the instant of the last sign of
 *   life, or of the end; `digest` recognizes a repeated answer. `activity` and `input` are what workers may take until
 *   one has, which is recorded under the key `taken`.
 * - `outbox`: emitted events until their sink accepts them, in the order of `ref`; `refused` is 1 if it rejects them.
 */
export const forms: readonly string[] = [
  `
CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE workflows (ref INTEGER PRIMARY KEY, id TEXT NOT NULL, version TEXT NOT NULL, UNIQUE (id, version)) STRICT;
CREATE TABLE runs (
  ref INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, workflow INTEGER NOT NULL, status TEXT NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,
  input TEXT NOT NULL, token TEXT, parent TEXT, output TEXT, error TEXT, wake_at INTEGER, waits TEXT, cause INTEGER
) STRICT;
CREATE INDEX runs_running ON runs (ref) WHERE status = 'running';
CREATE INDEX runs_active ON runs (workflow) WHERE status IN ('running', 'waiting');
CREATE INDEX runs_wake ON runs (workflow, wake_at) WHERE wake_at IS NOT NULL;
CREATE TABLE journal (
  run INTEGER NOT NULL, seq INTEGER NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL, value TEXT, at INTEGER NOT NULL, PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX journal_begun ON journal (run) WHERE kind = 'begun';
CREATE TABLE rounds (
  run INTEGER NOT NULL, prefix TEXT NOT NULL, name TEXT NOT NULL, since INTEGER NOT NULL, after INTEGER NOT NULL, data TEXT NOT NULL, entered TEXT NOT NULL,
  PRIMARY KEY (run, prefix, name)
) STRICT, WITHOUT ROWID;
CREATE TABLE events (ref INTEGER PRIMARY KEY, source TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, text TEXT, UNIQUE (source, id)) STRICT;
CREATE INDEX events_at ON events (at);
CREATE TABLE inbox (
  run INTEGER NOT NULL, seq INTEGER NOT NULL, inbox TEXT NOT NULL, event INTEGER NOT NULL, taken INTEGER, PRIMARY KEY (run, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX inbox_event ON inbox (event);
CREATE TABLE interests (
  workflow INTEGER NOT NULL, definition TEXT NOT NULL, token TEXT NOT NULL, run INTEGER NOT NULL, inbox TEXT NOT NULL,
  PRIMARY KEY (workflow, definition, token, run, inbox)
) STRICT, WITHOUT ROWID;
CREATE INDEX interests_run ON interests (run);
CREATE TABLE early (
  workflow TEXT NOT NULL, definition TEXT NOT NULL, token TEXT NOT NULL, event INTEGER NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (workflow, definition, token, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX early_at ON early (at);
CREATE INDEX early_event ON early (event);
CREATE TABLE collected (
  workflow TEXT NOT NULL, event INTEGER NOT NULL, name TEXT NOT NULL, token TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (workflow, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX collected_event ON collected (event);
CREATE TABLE missed (workflow INTEGER NOT NULL, event INTEGER NOT NULL, PRIMARY KEY (workflow, event)) STRICT, WITHOUT ROWID;
CREATE INDEX missed_event ON missed (event);
`,
  `
ALTER TABLE runs ADD COLUMN reason TEXT;
ALTER TABLE runs ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0;
CREATE INDEX runs_deaths ON runs (ref) WHERE status = 'running' AND deaths > 0;
`,
  `
UPDATE OR REPLACE interests SET token = '"' || token || '"' WHERE token GLOB '[-0-9]*' OR token IN ('true', 'false');
UPDATE collected SET token = '"' || token || '"' WHERE token GLOB '[-0-9]*' OR token IN ('true', 'false');
UPDATE OR REPLACE early SET token = '"' || token || '"' WHERE token GLOB '[-0-9]*' OR token IN ('true', 'false');
`,
  `
CREATE INDEX inbox_untaken ON inbox (run, inbox) WHERE taken IS NULL;
INSERT OR IGNORE INTO interests
  SELECT workflow, '', printf('%016d', coalesce((SELECT max(ref) FROM events WHERE at < runs.created), 0)), ref, ''
  FROM runs WHERE status IN ('running', 'waiting', 'stranded');
INSERT OR IGNORE INTO interests
  SELECT DISTINCT interests.workflow, '', printf('%016d', coalesce((SELECT max(ref) FROM events WHERE at < runs.created), 0)), run, inbox
  FROM interests JOIN runs ON runs.ref = run WHERE inbox <> '';
`,
  `
CREATE TABLE undecided (
  event INTEGER NOT NULL, workflow TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (event, workflow)
) STRICT, WITHOUT ROWID;
`,
  `
CREATE TABLE outbox (
  ref INTEGER PRIMARY KEY AUTOINCREMENT, run INTEGER NOT NULL, type TEXT NOT NULL, text TEXT NOT NULL, at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0, refused INTEGER NOT NULL DEFAULT 0, reason TEXT
) STRICT;
CREATE INDEX outbox_run ON outbox (run);
CREATE INDEX outbox_refused ON outbox (run) WHERE refused = 1;
`,
  `
CREATE TABLE waits (
  run INTEGER NOT NULL, key TEXT NOT NULL, inbox TEXT NOT NULL, step TEXT NOT NULL, partition TEXT NOT NULL,
  dropping INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (run, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX waits_partition ON waits (partition, step);
CREATE INDEX waits_dropping ON waits (partition) WHERE dropping = 1;
CREATE TABLE subscriptions (
  run INTEGER NOT NULL, inbox TEXT NOT NULL, workflow INTEGER NOT NULL, after INTEGER, value TEXT, bound TEXT,
  PRIMARY KEY (run, inbox)
) STRICT, WITHOUT ROWID;
CREATE TABLE kept (
  partition TEXT NOT NULL, type TEXT NOT NULL, event INTEGER NOT NULL, PRIMARY KEY (partition, type, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX kept_event ON kept (event);
ALTER TABLE events ADD COLUMN state TEXT;
CREATE INDEX events_stored ON events (ref) WHERE state IS NOT NULL;
INSERT OR IGNORE INTO subscriptions
  SELECT run, inbox, workflow, CAST(token AS INTEGER),
    (SELECT max(token) FROM interests AS other WHERE other.run = interests.run AND other.inbox = interests.inbox
      AND definition <> '' AND token NOT IN ('', 'one')), NULL
  FROM interests WHERE definition = '';
INSERT OR IGNORE INTO subscriptions
  SELECT ref, '', workflow, coalesce((SELECT max(ref) FROM events WHERE at < runs.created), 0), token, NULL
  FROM runs WHERE status IN ('running', 'waiting', 'stranded', 'failed');
UPDATE events SET state = '{"isFree":true}' WHERE text IS NOT NULL AND ref IN (
  SELECT event FROM inbox WHERE taken IS NULL AND seq >= 0 UNION SELECT event FROM early UNION SELECT event FROM missed);
UPDATE events SET state = '{"isFree":true,"isNew":true}' WHERE text IS NOT NULL AND ref IN (SELECT event FROM undecided);
UPDATE events SET state = json_object('isFree', json('true'), 'collectedBy',
    (SELECT json_group_array(workflow) FROM collected WHERE event = events.ref))
  WHERE text IS NOT NULL AND ref IN (SELECT event FROM collected);
UPDATE events SET state = json_object('isFree', json('false'), 'runs',
    (SELECT json_group_array(run || ' ' || inbox) FROM inbox WHERE event = events.ref AND taken IS NULL AND seq < 0))
  WHERE text IS NOT NULL AND ref IN (SELECT event FROM inbox WHERE taken IS NULL AND seq < 0);
UPDATE events SET text = NULL WHERE state IS NULL;
UPDATE runs SET wake_at = 0 WHERE status = 'waiting' AND waits LIKE '%"events"%';
DROP TABLE inbox;
DROP TABLE interests;
DROP TABLE early;
DROP TABLE collected;
DROP TABLE undecided;
`,
  `
ALTER TABLE waits ADD COLUMN open INTEGER NOT NULL DEFAULT 1;
DROP INDEX waits_partition;
CREATE INDEX waits_open ON waits (partition, step) WHERE open = 1;
`,
  `
ALTER TABLE runs ADD COLUMN root INTEGER;
ALTER TABLE subscriptions ADD COLUMN root INTEGER NOT NULL DEFAULT 0;
ALTER TABLE subscriptions ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
UPDATE subscriptions SET root = run;
CREATE INDEX subscriptions_root ON subscriptions (root, number) WHERE number > 0;
ALTER TABLE waits ADD COLUMN root INTEGER NOT NULL DEFAULT 0;
UPDATE waits SET root = run;
DROP INDEX waits_open;
CREATE INDEX waits_open ON waits (partition, step, root) WHERE open = 1;
`,
  `
DROP INDEX runs_active;
CREATE INDEX runs_listed ON runs (workflow, status);
`,
  `
ALTER TABLE journal ADD COLUMN took INTEGER;
ALTER TABLE journal ADD COLUMN attempt INTEGER;
CREATE INDEX runs_created ON runs (created);
CREATE INDEX runs_token ON runs (substr(token, 1, 200)) WHERE token IS NOT NULL;
CREATE INDEX subscriptions_value ON subscriptions (substr(value, 1, 200)) WHERE value IS NOT NULL;
`,
  `
ALTER TABLE runs ADD COLUMN trace TEXT;
`,
  `
CREATE TABLE tasks (
  task TEXT PRIMARY KEY, run INTEGER NOT NULL, key TEXT NOT NULL, token TEXT NOT NULL, state TEXT NOT NULL, beat INTEGER NOT NULL, digest TEXT,
  activity TEXT, input TEXT, taken TEXT
) STRICT;
CREATE INDEX tasks_run ON tasks (run);
CREATE INDEX tasks_offered ON tasks (activity, beat) WHERE activity IS NOT NULL;
CREATE INDEX tasks_ended ON tasks (beat) WHERE state <> 'awaited';
`,
];

/** The number of the form that this program uses. */
export const storeVersion = forms.length;

/** Prepares a statement, whose types follow from the tables. */
export const prepare = <In extends readonly SQLInputValue[], Row>(store: Store, text: string): Statement<In, Row> =>
  store.prepare(text);
