import { type Fields, fieldsOf } from "../fields.ts";

/**
 * The first record of a session, of its row or of the file that describes it, which name the same things otherwise.
 * What is not there is left out.
 */
export function sessionRecord(session: Fields): Fields {
  const time = fieldsOf(session.time);
  return {
    table: "session",
    id: session.id,
    parent: session.parent_id ?? session.parentID ?? undefined,
    fork: session.fork_session_id ?? undefined,
    directory: session.directory,
    title: session.title ?? undefined,
    version: session.version,
    created: session.time_created ?? time.created,
  };
}
