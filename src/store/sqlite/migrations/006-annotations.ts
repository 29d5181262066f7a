/** Applied to stores in the field: never edited, only followed by further migrations. */
export const annotations = `
CREATE TABLE annotations (
  agent TEXT NOT NULL,
  session TEXT NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  at INTEGER NOT NULL,
  by TEXT NOT NULL,
  PRIMARY KEY (agent, session, kind, key)
) WITHOUT ROWID;
CREATE UNIQUE INDEX annotations_by_alias ON annotations (value) WHERE kind = 'alias';
CREATE INDEX annotations_by_key ON annotations (kind, key);

CREATE TABLE annotation_history (
  id INTEGER PRIMARY KEY,
  number INTEGER NOT NULL,
  at INTEGER NOT NULL,
  by TEXT NOT NULL,
  via TEXT NOT NULL,
  kind TEXT NOT NULL,
  agent TEXT NOT NULL,
  session TEXT NOT NULL,
  key TEXT NOT NULL,
  was TEXT,
  became TEXT,
  undoes INTEGER,
  undone_by INTEGER
);
CREATE INDEX annotation_history_by_number ON annotation_history (number);
CREATE INDEX annotation_history_by_session ON annotation_history (agent, session, number);

CREATE TABLE mirror_files (
  name TEXT PRIMARY KEY,
  hash TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime_ms REAL NOT NULL,
  agent TEXT,
  session TEXT
) WITHOUT ROWID;
`;
