/** Applied to stores in the field: never edited, only followed by further migrations. */
export const projectDecisions = `
ALTER TABLE projects ADD COLUMN identified_name TEXT NOT NULL DEFAULT '';
ALTER TABLE projects ADD COLUMN now_id INTEGER REFERENCES projects (id);
ALTER TABLE projects ADD COLUMN belongs_id INTEGER REFERENCES projects (id);
UPDATE projects SET identified_name = name;
CREATE INDEX projects_by_now ON projects (now_id) WHERE now_id IS NOT NULL;
CREATE INDEX projects_by_belonging ON projects (belongs_id) WHERE belongs_id IS NOT NULL;

ALTER TABLE project_folders ADD COLUMN place TEXT NOT NULL DEFAULT '';
ALTER TABLE project_folders ADD COLUMN root TEXT;
ALTER TABLE project_folders ADD COLUMN worktree TEXT;
ALTER TABLE project_folders ADD COLUMN belongs_id INTEGER REFERENCES projects (id);
UPDATE project_folders SET place = replace(folder, char(92), '/'), belongs_id = project_id;
CREATE INDEX project_folders_by_place ON project_folders (place);
CREATE INDEX project_folders_by_belonging ON project_folders (belongs_id);

CREATE TABLE project_roots (
  root TEXT PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES projects (id),
  stamp TEXT
) WITHOUT ROWID;
CREATE INDEX project_roots_by_stamp ON project_roots (stamp) WHERE stamp IS NOT NULL;

ALTER TABLE sessions ADD COLUMN identified_id INTEGER REFERENCES projects (id);
UPDATE sessions SET identified_id = project_id;
CREATE INDEX sessions_by_identity ON sessions (identified_id);

CREATE TABLE project_decisions (
  number INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  project TEXT NOT NULL,
  target TEXT,
  folder TEXT,
  name TEXT,
  at INTEGER NOT NULL,
  by TEXT NOT NULL,
  undone_at INTEGER
);

CREATE TABLE project_history (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  by TEXT NOT NULL,
  action TEXT NOT NULL,
  decision INTEGER NOT NULL,
  was TEXT NOT NULL,
  became TEXT NOT NULL
);
`;
