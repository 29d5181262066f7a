import type { ObservationDraft, ObservationWrites } from "../store.ts";
import type { Statements } from "./statements.ts";
import { wordRow, wordRowsOf } from "./words.ts";

export function observationWrites(sql: Statements): ObservationWrites {
  return {
    dropObservations: async (session) => dropObservations(sql, session),

    async saveObservations(session, drafts) {
      for (const draft of drafts) saveObservation(sql, session, draft);
    },

    async markDerived(session, version) {
      sql.run("UPDATE sessions SET derived = ? WHERE id = ?", version, session);
    },
  };
}

export function dropObservations(sql: Statements, session: number): void {
  for (const id of sql.numbers("SELECT id FROM observations WHERE session_id = ?", session)) {
    const { first, last } = wordRowsOf(id);
    sql.run("DELETE FROM words WHERE rowid IN (SELECT id FROM words_docsize WHERE id BETWEEN ? AND ?)", first, last);
    sql.run("DELETE FROM touches WHERE observation_id = ?", id);
  }
  sql.run("DELETE FROM observations WHERE session_id = ?", session);
}

function saveObservation(sql: Statements, session: number, draft: ObservationDraft): void {
  const id = draft.id ?? createObservation(sql, session, draft);
  if (draft.id !== undefined) {
    sql.run(
      "UPDATE observations SET last_seq = ?, ended_at = max(ended_at, ?), type = ?, chars = ? WHERE id = ?",
      draft.lastSeq,
      draft.endedAt,
      draft.type,
      draft.chars,
      id,
    );
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
  for (const piece of draft.pieces) {
    sql.run(
      `INSERT INTO words (rowid, ${piece.place}, parts) VALUES (?, ?, ?)`,
      wordRow(id, piece.message, piece.piece),
      piece.text,
      piece.parts,
    );
  }
}

function createObservation(sql: Statements, session: number, draft: ObservationDraft): number {
  return sql.run(
    `INSERT INTO observations (public_id, session_id, first_seq, last_seq, part, at, ended_at, type, title, chars, branch)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    draft.publicId,
    session,
    draft.firstSeq,
    draft.lastSeq,
    draft.part,
    draft.at,
    draft.endedAt,
    draft.type,
    draft.title,
    draft.chars,
    draft.branch ?? null,
  );
}
