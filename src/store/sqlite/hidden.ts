import type { Connection } from "./open.ts";

/**
 * Whether a session `s` is one that is told of. Those that are not are looked up once for each statement, so that a
 * candidate costs no more than a look at a short list. Works where {@link defineHidden} was called.
 */
export const IS_SEEN = "s.id NOT IN (SELECT id FROM hidden)";

/** What a subagent did was done for the session that is forgotten. */
const FORGOTTEN = `
  WITH RECURSIVE forgotten (id, agent, native_id) AS (
    SELECT s.id, s.agent, s.native_id
      FROM annotations a JOIN sessions s ON s.agent = a.agent AND s.native_id = a.session WHERE a.kind = 'forgotten'
    UNION
    SELECT c.id, c.agent, c.native_id
      FROM forgotten f JOIN sessions c ON c.agent = f.agent AND c.parent = f.native_id WHERE c.relation = 'subagent'
  )
  SELECT id, 'forgotten' AS reason FROM forgotten`;

/** Names the hidden sessions on this connection alone, which may be one that only reads. */
export function defineHidden(db: Connection): void {
  db.exec(`CREATE TEMP VIEW hidden AS ${FORGOTTEN}`);
}
