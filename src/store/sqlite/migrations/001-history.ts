/** Applied to stores in the field: never edited, only followed by further migrations. */
export const history = `
CREATE TABLE facts (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE lease (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  token TEXT NOT NULL,
  until INTEGER NOT NULL
);

CREATE TABLE projects (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  identity TEXT NOT NULL
);

CREATE TABLE project_folders (
  project_id INTEGER NOT NULL REFERENCES projects (id),
  folder TEXT NOT NULL,
  PRIMARY KEY (project_id, folder)
) WITHOUT ROWID;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  agent TEXT NOT NULL,
  native_id TEXT NOT NULL,
  project_id INTEGER REFERENCES projects (id),
  cwd TEXT,
  branch TEXT,
  started_at INTEGER,
  ended_at INTEGER,
  agent_version TEXT,
  parent TEXT,
  relation TEXT,
  continued_in TEXT,
  title_custom TEXT,
  title_generated TEXT,
  title_last_prompt TEXT,
  title_summary TEXT,
  title_first_prompt TEXT,
  messages INTEGER NOT NULL DEFAULT 0,
  turns INTEGER NOT NULL DEFAULT 0,
  next_seq INTEGER NOT NULL DEFAULT 0,
  derived INTEGER NOT NULL DEFAULT 0,
  title_stale INTEGER NOT NULL DEFAULT 1,
  UNIQUE (agent, native_id)
);
CREATE INDEX sessions_by_native_id ON sessions (native_id);
CREATE INDEX sessions_by_parent ON sessions (agent, parent) WHERE parent IS NOT NULL;
CREATE INDEX sessions_by_end ON sessions (ended_at);
CREATE INDEX sessions_by_project ON sessions (project_id, ended_at);
CREATE INDEX sessions_with_stale_title ON sessions (id) WHERE title_stale = 1;
CREATE INDEX sessions_by_derived ON sessions (derived);

CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  agent TEXT NOT NULL,
  path TEXT NOT NULL UNIQUE,
  session_id INTEGER REFERENCES sessions (id),
  size INTEGER NOT NULL,
  mtime_ms REAL NOT NULL,
  inode INTEGER NOT NULL,
  offset INTEGER NOT NULL,
  window TEXT NOT NULL,
  source_version INTEGER NOT NULL,
  reader_state TEXT,
  skipped TEXT,
  items INTEGER NOT NULL DEFAULT 0,
  missing INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX files_by_session ON files (session_id);

CREATE TABLE copies (
  file_id INTEGER NOT NULL REFERENCES files (id),
  owner_file_id INTEGER NOT NULL REFERENCES files (id),
  PRIMARY KEY (owner_file_id, file_id)
) WITHOUT ROWID;

CREATE TABLE messages (
  id INTEGER PRIMARY KEY,
  uid BLOB NOT NULL UNIQUE,
  session_id INTEGER NOT NULL REFERENCES sessions (id),
  seq INTEGER NOT NULL,
  file_id INTEGER NOT NULL REFERENCES files (id),
  byte INTEGER NOT NULL,
  role TEXT NOT NULL,
  part TEXT NOT NULL,
  at INTEGER,
  text NOT NULL,
  tool TEXT,
  call_id TEXT,
  touched TEXT,
  commands TEXT,
  is_error INTEGER,
  exit_code INTEGER,
  duration_ms INTEGER,
  branch TEXT,
  cwd TEXT
);
CREATE UNIQUE INDEX messages_by_session ON messages (session_id, seq);
CREATE INDEX messages_by_file ON messages (file_id);

CREATE TABLE usage (
  key BLOB PRIMARY KEY,
  session_id INTEGER NOT NULL REFERENCES sessions (id),
  file_id INTEGER NOT NULL REFERENCES files (id),
  at INTEGER,
  model TEXT,
  input INTEGER NOT NULL,
  output INTEGER NOT NULL,
  cache_read INTEGER NOT NULL,
  cache_write INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX usage_by_session ON usage (session_id);
CREATE INDEX usage_by_file ON usage (file_id);

CREATE TABLE tags (
  tag TEXT NOT NULL,
  session_id INTEGER NOT NULL REFERENCES sessions (id),
  PRIMARY KEY (tag, session_id)
) WITHOUT ROWID;
CREATE INDEX tags_by_session ON tags (session_id);

CREATE TABLE title_hints (
  uid BLOB NOT NULL,
  file_id INTEGER NOT NULL REFERENCES files (id),
  text TEXT NOT NULL,
  PRIMARY KEY (uid, file_id)
) WITHOUT ROWID;

CREATE TABLE observations (
  id INTEGER PRIMARY KEY,
  public_id TEXT NOT NULL UNIQUE,
  session_id INTEGER NOT NULL REFERENCES sessions (id),
  first_seq INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  part INTEGER NOT NULL,
  at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  type TEXT NOT NULL,
  title TEXT NOT NULL,
  chars INTEGER NOT NULL,
  branch TEXT
);
CREATE INDEX observations_by_session ON observations (session_id, first_seq);
CREATE INDEX observations_by_time ON observations (at, id);

CREATE TABLE paths (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE
);

CREATE TABLE touches (
  observation_id INTEGER NOT NULL REFERENCES observations (id),
  path_id INTEGER NOT NULL REFERENCES paths (id),
  changed INTEGER NOT NULL,
  PRIMARY KEY (observation_id, path_id)
) WITHOUT ROWID;
CREATE INDEX touches_by_path ON touches (path_id);

CREATE VIRTUAL TABLE words USING fts5 (
  output, action, answer, aside, prompt, parts,
  content = '', contentless_delete = 1,
  tokenize = "porter unicode61 remove_diacritics 2"
);

CREATE VIRTUAL TABLE session_words USING fts5 (
  title, project,
  content = '', contentless_delete = 1,
  tokenize = "porter unicode61 remove_diacritics 2"
);
`;
