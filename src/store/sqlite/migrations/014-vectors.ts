/** Applied to stores in the field: never edited, only followed by further migrations. */
export const vectors = `
CREATE TABLE vector_engines (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  dims INTEGER NOT NULL,
  counted INTEGER NOT NULL DEFAULT 0,
  weights BLOB
);

CREATE TABLE vectors (
  session_id INTEGER NOT NULL REFERENCES sessions (id),
  engine_id INTEGER NOT NULL REFERENCES vector_engines (id),
  observations INTEGER NOT NULL,
  is_stale INTEGER NOT NULL,
  entries BLOB NOT NULL
);
CREATE UNIQUE INDEX vectors_by_session ON vectors (session_id, engine_id);
CREATE INDEX vectors_by_engine ON vectors (engine_id, session_id, is_stale, observations);
`;
