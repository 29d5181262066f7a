/** Applied to stores in the field: never edited, only followed by further migrations. */
export const receipts = `
CREATE TABLE receipts (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  at INTEGER NOT NULL,
  via TEXT NOT NULL,
  tool TEXT NOT NULL,
  client TEXT NOT NULL,
  session TEXT,
  told NOT NULL,
  text,
  chars INTEGER NOT NULL
);
CREATE INDEX receipts_by_time ON receipts (at);
CREATE INDEX receipts_by_session ON receipts (session) WHERE session IS NOT NULL;

CREATE TABLE receipt_parts (
  receipt INTEGER NOT NULL REFERENCES receipts (number) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  agent TEXT NOT NULL,
  session TEXT NOT NULL,
  observation TEXT,
  shown INTEGER NOT NULL,
  PRIMARY KEY (receipt, place)
) WITHOUT ROWID;
CREATE INDEX receipt_parts_by_observation ON receipt_parts (observation) WHERE observation IS NOT NULL;
CREATE INDEX receipt_parts_by_session ON receipt_parts (agent, session);
`;
