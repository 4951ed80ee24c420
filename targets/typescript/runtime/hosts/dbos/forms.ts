/**
 * The tables of a store, as in `sqlite/schema.ts`: what made the first form of it, and what each later one has changed in the one before. Here besides:
 *
 * - `processes`: the processes on the database; each holds the advisory lock of its number for as long as its session lasts.
 * - `runs.owner`: the process that goes on with a run; `runs.offered` the one that has offered a run to all which nobody goes on with.
 * - `processes.last`: the number of the last transaction of a process, by which it knows whether that is there when nobody has answered.
 * - `outbox.owner`: the process that sends an event; of what a process leaves behind it is that which takes it to the end of its own.
 * - `inbox.heard`: the process of the run has gone through the event and has not used it.
 * - `notices`: runs that their processes have to stop with.
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
];

/** The number of the form that this program uses. */
export const form = forms.length;
