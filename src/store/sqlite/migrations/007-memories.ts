/** Applied to stores in the field: never edited, only followed by further migrations. */
export const memories = `
CREATE TABLE validity (
  observation TEXT NOT NULL,
  memory TEXT NOT NULL,
  starts INTEGER NOT NULL,
  ends INTEGER NOT NULL,
  PRIMARY KEY (observation, memory)
) WITHOUT ROWID;
CREATE INDEX validity_by_memory ON validity (memory);
`;
