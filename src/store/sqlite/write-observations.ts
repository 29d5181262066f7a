import type { ObservationDraft, ObservationWrites } from "../store.ts";
import type { Statements } from "./statements.ts";
import type { WordWriter } from "./word-writer.ts";

export function observationWrites(sql: Statements, words: WordWriter): ObservationWrites {
  return {
    dropObservations: async (session) => dropObservations(sql, words, session),

    async saveObservations(session, drafts) {
      for (const draft of drafts) saveObservation(sql, words, session, draft);
      if (drafts.length > 0) sql.run("UPDATE vectors SET is_stale = 1 WHERE session_id = ?", session);
    },

    async markDerived(session, version) {
      // A session without a title is called what its first observation is.
      sql.run("UPDATE sessions SET derived = ?, title_stale = 1 WHERE id = ?", version, session);
    },
  };
}

export function dropObservations(sql: Statements, words: WordWriter, session: number): void {
  for (const id of sql.numbers("SELECT id FROM observations WHERE session_id = ?", session)) {
    words.dropObservation(id);
    sql.run("DELETE FROM touches WHERE observation_id = ?", id);
  }
  sql.run("DELETE FROM vectors WHERE session_id = ?", session);
  sql.run("DELETE FROM observations WHERE session_id = ?", session);
}

export function saveObservation(sql: Statements, words: WordWriter, session: number, draft: ObservationDraft): void {
  const id = draft.id ?? createObservation(sql, session, draft);
  if (draft.id !== undefined) {
    sql.run(
      "UPDATE observations SET last_seq = ?, ended_at = max(ended_at, ?), type = ?, traits = ?, title = coalesce(?, title), chars = ? WHERE id = ?",
      draft.lastSeq,
      draft.endedAt,
      draft.type,
      draft.traits,
      draft.title ?? null,
      draft.chars,
      id,
    );
    // A session without a title is called what its first observation is.
    if (draft.title !== undefined) sql.run("UPDATE sessions SET title_stale = 1 WHERE id = ?", session);
  }
  for (const { path, changed } of draft.files) {
    const known = sql.number("SELECT id FROM paths WHERE path = ?", path);
    const pathId = known ?? sql.run("INSERT INTO paths (path) VALUES (?)", path);
    sql.run(
      `INSERT INTO touches (observation_id, path_id, changed) VALUES (?, ?, ?)
       ON CONFLICT (observation_id, path_id) DO UPDATE SET changed = max(changed, excluded.changed)`,
      id,
      pathId,
      Number(changed),
    );
  }
  for (const piece of draft.pieces) words.add(id, piece);
}

function createObservation(sql: Statements, session: number, draft: ObservationDraft): number {
  return sql.run(
    `INSERT INTO observations (public_id, session_id, first_seq, last_seq, part, at, ended_at, type, traits, title, chars, branch)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    draft.publicId,
    session,
    draft.firstSeq,
    draft.lastSeq,
    draft.part,
    draft.at,
    draft.endedAt,
    draft.type,
    draft.traits,
    draft.title ?? "",
    draft.chars,
    draft.branch ?? null,
  );
}
