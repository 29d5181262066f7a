/** Applied to stores in the field: never edited, only followed by further migrations. */
export const refusedSessions = `
CREATE TABLE refused_sessions (
  agent TEXT NOT NULL,
  native_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  by TEXT NOT NULL,
  PRIMARY KEY (agent, native_id)
) WITHOUT ROWID;

ALTER TABLE files ADD COLUMN refused TEXT;
`;
