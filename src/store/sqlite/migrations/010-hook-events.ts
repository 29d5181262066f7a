/** Applied to stores in the field: never edited, only followed by further migrations. */
export const hookEvents = `
CREATE TABLE hook_events (
  hash TEXT PRIMARY KEY,
  until INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX hook_events_by_end ON hook_events (until);

CREATE TABLE hook_runs (
  agent TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  stored_at INTEGER
) WITHOUT ROWID;

CREATE TABLE early_files (
  file_id INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE
);
`;
