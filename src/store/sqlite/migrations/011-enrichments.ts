/** Applied to stores in the field: never edited, only followed by further migrations. */
export const enrichments = `
CREATE TABLE enrichments (
  agent TEXT NOT NULL,
  session TEXT NOT NULL,
  title TEXT NOT NULL,
  summary TEXT NOT NULL,
  model TEXT NOT NULL,
  prompt_hash TEXT NOT NULL,
  input INTEGER NOT NULL,
  output INTEGER NOT NULL,
  is_estimated INTEGER NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (agent, session)
) WITHOUT ROWID;
`;
