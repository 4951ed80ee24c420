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
