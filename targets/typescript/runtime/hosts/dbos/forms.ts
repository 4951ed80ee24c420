/**
 * The migrations of a store, as in `sqlite/schema.ts`. In addition:
 *
 * - `processes`: the processes on the database. Each holds the advisory lock of its number as long as its session
 *   lasts. `last` is the number of its last transaction, which shows whether an unacknowledged one was committed.
 * - `processes.suspect`: the suspect that a process has begun last and that has not passed.
 * - `runs.owner`: the process that executes a run; `runs.offered`: the process that has offered it to all others.
 * - `outbox.owner`: the process that sends an event. Other processes take over the events of dead ones.
 * - `journal`: answers that other processes have stored for a run have numbers from 2^40 on until its process renumbers
 *   them.
 * - `notices`: requests to processes to stop runs.
 */
export const forms: readonly string[] = [
  `
CREATE TABLE workflows (ref BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL, version TEXT NOT NULL, UNIQUE (id, version));
CREATE TABLE processes (ref BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, executor TEXT NOT NULL, workflows BIGINT[] NOT NULL DEFAULT '{}', last BIGINT NOT NULL DEFAULT 0);
CREATE TABLE runs (
  ref BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id TEXT NOT NULL UNIQUE, workflow BIGINT NOT NULL, status TEXT NOT NULL, created BIGINT NOT NULL,
  updated BIGINT NOT NULL, input TEXT NOT NULL, token TEXT, parent TEXT, output TEXT, error TEXT, wake_at BIGINT, waits TEXT, cause BIGINT, reason TEXT,
  deaths BIGINT NOT NULL DEFAULT 0, owner BIGINT DEFAULT nullif(current_setting('waybill.process', true), '')::bigint,
  offered BIGINT
);
CREATE INDEX runs_active ON runs (workflow) WHERE status IN ('running', 'waiting');
CREATE INDEX runs_free ON runs (ref) WHERE status IN ('running', 'waiting') AND owner IS NULL;
CREATE INDEX runs_owner ON runs (owner) WHERE owner IS NOT NULL;
CREATE TABLE journal (
  run BIGINT NOT NULL, seq BIGINT NOT NULL, key TEXT COLLATE "C" NOT NULL, kind TEXT NOT NULL, value TEXT, at BIGINT NOT NULL, PRIMARY KEY (run, seq)
);
CREATE INDEX journal_begun ON journal (run) WHERE kind = 'begun';
CREATE TABLE rounds (
  run BIGINT NOT NULL, prefix TEXT COLLATE "C" NOT NULL, name TEXT COLLATE "C" NOT NULL, since BIGINT NOT NULL, after BIGINT NOT NULL, data TEXT NOT NULL,
  entered TEXT NOT NULL, PRIMARY KEY (run, prefix, name)
);
CREATE TABLE events (
  ref BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, source TEXT NOT NULL, id TEXT NOT NULL, at BIGINT NOT NULL, text TEXT, UNIQUE (source, id)
);
CREATE INDEX events_at ON events (at);
CREATE TABLE inbox (
  run BIGINT NOT NULL, seq BIGINT NOT NULL, inbox TEXT COLLATE "C" NOT NULL, event BIGINT NOT NULL, taken BIGINT, heard BOOLEAN NOT NULL DEFAULT false,
  PRIMARY KEY (run, seq)
);
CREATE INDEX inbox_event ON inbox (event);
CREATE INDEX inbox_untaken ON inbox (run, inbox) WHERE taken IS NULL;
CREATE INDEX inbox_unplaced ON inbox (run) WHERE seq >= 1099511627776;
CREATE SEQUENCE places MINVALUE 1099511627776 START 1099511627776;
CREATE TABLE interests (
  workflow BIGINT NOT NULL, definition TEXT COLLATE "C" NOT NULL, token TEXT COLLATE "C" NOT NULL, run BIGINT NOT NULL, inbox TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (workflow, definition, token, run, inbox)
);
CREATE INDEX interests_run ON interests (run);
CREATE TABLE early (
  workflow TEXT COLLATE "C" NOT NULL, definition TEXT COLLATE "C" NOT NULL, token TEXT COLLATE "C" NOT NULL, event BIGINT NOT NULL, at BIGINT NOT NULL,
  PRIMARY KEY (workflow, definition, token, event)
);
CREATE INDEX early_at ON early (at);
CREATE INDEX early_event ON early (event);
CREATE TABLE collected (
  workflow TEXT COLLATE "C" NOT NULL, event BIGINT NOT NULL, name TEXT NOT NULL, token TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (workflow, event)
);
CREATE INDEX collected_event ON collected (event);
CREATE TABLE missed (workflow BIGINT NOT NULL, event BIGINT NOT NULL, PRIMARY KEY (workflow, event));
CREATE INDEX missed_event ON missed (event);
CREATE TABLE undecided (event BIGINT NOT NULL, workflow TEXT COLLATE "C" NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (event, workflow));
CREATE TABLE outbox (
  ref BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, run BIGINT NOT NULL, type TEXT NOT NULL, text TEXT NOT NULL, at BIGINT NOT NULL,
  attempts BIGINT NOT NULL DEFAULT 0, refused BIGINT NOT NULL DEFAULT 0, reason TEXT,
  owner BIGINT DEFAULT nullif(current_setting('waybill.process', true), '')::bigint
);
CREATE INDEX outbox_run ON outbox (run);
CREATE INDEX outbox_refused ON outbox (run) WHERE refused = 1;
CREATE TABLE notices (process BIGINT NOT NULL, run BIGINT NOT NULL, PRIMARY KEY (process, run));
CREATE FUNCTION set_free() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status IN ('failed', 'stranded') AND NEW.status = 'running' THEN
    NEW.owner := NULL;
    NEW.offered := NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER runs_retried BEFORE UPDATE OF status ON runs FOR EACH ROW EXECUTE FUNCTION set_free();
`,
  `
CREATE TABLE waits (
  run BIGINT NOT NULL, key TEXT COLLATE "C" NOT NULL, inbox TEXT COLLATE "C" NOT NULL, step TEXT COLLATE "C" NOT NULL,
  partition TEXT COLLATE "C" NOT NULL, dropping BIGINT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (run, key)
);
CREATE INDEX waits_partition ON waits (partition, step);
CREATE INDEX waits_dropping ON waits (partition) WHERE dropping = 1;
CREATE TABLE subscriptions (
  run BIGINT NOT NULL, inbox TEXT COLLATE "C" NOT NULL, workflow BIGINT NOT NULL, after BIGINT, value TEXT,
  bound TEXT, PRIMARY KEY (run, inbox)
);
CREATE TABLE kept (
  partition TEXT COLLATE "C" NOT NULL, type TEXT COLLATE "C" NOT NULL, event BIGINT NOT NULL,
  PRIMARY KEY (partition, type, event)
);
CREATE INDEX kept_event ON kept (event);
CREATE INDEX journal_unplaced ON journal (run) WHERE seq >= 1099511627776;
ALTER TABLE events ADD COLUMN state TEXT;
CREATE INDEX events_stored ON events (ref) WHERE state IS NOT NULL;
INSERT INTO subscriptions
  SELECT run, inbox, workflow, CAST(token AS BIGINT),
    (SELECT max(other.token) FROM interests AS other WHERE other.run = interests.run AND other.inbox = interests.inbox
      AND other.definition <> '' AND other.token NOT IN ('', 'one'))
  FROM interests WHERE definition = '' ON CONFLICT DO NOTHING;
INSERT INTO subscriptions
  SELECT ref, '', workflow, coalesce((SELECT max(ref) FROM events WHERE at < runs.created), 0), token
  FROM runs WHERE status IN ('running', 'waiting', 'stranded', 'failed') ON CONFLICT DO NOTHING;
UPDATE events SET state = '{"isFree":true}' WHERE text IS NOT NULL AND ref IN (
  SELECT event FROM inbox WHERE taken IS NULL AND (seq >= 0) UNION SELECT event FROM early UNION SELECT event FROM missed);
UPDATE events SET state = '{"isFree":true,"isNew":true}' WHERE text IS NOT NULL AND ref IN (SELECT event FROM undecided);
UPDATE events SET state = json_build_object('isFree', true, 'collectedBy',
    (SELECT json_agg(workflow) FROM collected WHERE event = events.ref))::text
  WHERE text IS NOT NULL AND ref IN (SELECT event FROM collected);
UPDATE events SET state = json_build_object('isFree', false, 'runs',
    (SELECT json_agg(run || ' ' || inbox) FROM inbox WHERE event = events.ref AND taken IS NULL AND seq < 0))::text
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
ALTER TABLE waits ADD COLUMN open BIGINT NOT NULL DEFAULT 1;
DROP INDEX waits_partition;
CREATE INDEX waits_open ON waits (partition, step, run) WHERE open = 1;
`,
  `
ALTER TABLE runs ADD COLUMN root BIGINT;
ALTER TABLE subscriptions ADD COLUMN root BIGINT NOT NULL DEFAULT 0;
ALTER TABLE subscriptions ADD COLUMN number BIGINT NOT NULL DEFAULT 0;
UPDATE subscriptions SET root = run;
CREATE INDEX subscriptions_root ON subscriptions (root, number) WHERE number > 0;
ALTER TABLE waits ADD COLUMN root BIGINT NOT NULL DEFAULT 0;
UPDATE waits SET root = run;
DROP INDEX waits_open;
CREATE INDEX waits_open ON waits (partition, step, root) WHERE open = 1;
`,
  `
DROP INDEX runs_active;
CREATE INDEX runs_listed ON runs (workflow, status, ref);
`,
  `
ALTER TABLE journal ADD COLUMN took BIGINT;
ALTER TABLE journal ADD COLUMN attempt BIGINT;
CREATE INDEX runs_created ON runs (created);
CREATE INDEX runs_token ON runs (substr(token, 1, 200)) WHERE token IS NOT NULL;
CREATE INDEX subscriptions_value ON subscriptions (substr(value, 1, 200)) WHERE value IS NOT NULL;
`,
  `
ALTER TABLE processes ADD COLUMN suspect BIGINT;
`,
  `
ALTER TABLE runs ADD COLUMN trace TEXT;
`,
  `
CREATE TABLE tasks (
  task TEXT PRIMARY KEY, run BIGINT NOT NULL, key TEXT COLLATE "C" NOT NULL, token TEXT COLLATE "C" NOT NULL, state TEXT NOT NULL, beat BIGINT NOT NULL,
  digest TEXT, activity TEXT COLLATE "C", input TEXT, taken TEXT COLLATE "C"
);
CREATE INDEX tasks_run ON tasks (run);
CREATE INDEX tasks_offered ON tasks (activity, beat) WHERE activity IS NOT NULL;
CREATE INDEX tasks_ended ON tasks (beat) WHERE state <> 'awaited';
`,
];

/** The number of the form that this program uses. */
export const form = forms.length;
