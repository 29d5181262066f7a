/** What the type of an observation is told by, so that it can be told again when messages join. Derived. */
export const traits = `
ALTER TABLE observations ADD COLUMN traits INTEGER NOT NULL DEFAULT 0;
`;
