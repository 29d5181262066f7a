/** Applied to stores in the field: never edited, only followed by further migrations. */
export const containers = `
ALTER TABLE files ADD COLUMN container TEXT;
`;
