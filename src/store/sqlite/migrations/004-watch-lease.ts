/** Applied to stores in the field: never edited, only followed by further migrations. */
export const watchLease = `
CREATE TABLE watch_lease (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  host TEXT NOT NULL,
  pid INTEGER NOT NULL,
  token TEXT NOT NULL,
  until INTEGER NOT NULL
);
`;
