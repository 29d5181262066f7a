/** Applied to stores in the field: never edited, only followed by further migrations. */
export const containers = `
ALTER TABLE files ADD COLUMN container TEXT;
ALTER TABLE files ADD COLUMN copy_of TEXT;
CREATE INDEX files_by_copy_of ON files (copy_of) WHERE copy_of IS NOT NULL;
`;
