import type { TitleKind } from "../../core/session.ts";
import { indexable } from "../../core/words.ts";
import type { OpenObservation, SessionCursor, SessionWrites } from "../store.ts";
import { belongingOf } from "./belonging.ts";
import { observationTypeOf, SAID_TITLE } from "./rows.ts";
import { integer, maybeInteger, maybeText, type Row, type Statements, text } from "./statements.ts";

const TITLE_COLUMNS: Readonly<Record<TitleKind, string>> = {
  custom: "title_custom",
  generated: "title_generated",
  "last-prompt": "title_last_prompt",
  summary: "title_summary",
};

export function sessionWrites(sql: Statements): SessionWrites {
  return {
    async session(key) {
      const known = sql.get("SELECT * FROM sessions WHERE agent = ? AND native_id = ?", key.agent, key.nativeId);
      if (known !== undefined) return cursorOf(sql, known, false);
      const id = sql.run("INSERT INTO sessions (agent, native_id) VALUES (?, ?)", key.agent, key.nativeId);
      return { id, isNew: true, nextSeq: 0, hasParent: false };
    },

    async cursor(session) {
      const row = sql.get("SELECT * FROM sessions WHERE id = ?", session);
      return cursorOf(sql, row ?? {}, false);
    },

    async patchSession(session, patch) {
      const { projectId } = patch;
      sql.run(
        `UPDATE sessions SET project_id = CASE WHEN cwd IS NULL THEN coalesce(?, project_id) ELSE project_id END,
           identified_id = CASE WHEN cwd IS NULL THEN coalesce(?, identified_id) ELSE identified_id END,
           cwd = coalesce(cwd, ?), branch = coalesce(branch, ?),
           started_at = min(coalesce(started_at, ?), coalesce(?, started_at)), ended_at = coalesce(ended_at, started_at, ?),
           agent_version = coalesce(?, agent_version),
           parent = coalesce(parent, ?), relation = coalesce(relation, ?), continued_in = coalesce(?, continued_in), title_stale = 1
         WHERE id = ?`,
        projectId === undefined ? null : belongingOf(sql)(projectId, patch.cwd),
        projectId ?? null,
        patch.cwd ?? null,
        patch.branch ?? null,
        patch.startedAt ?? null,
        patch.startedAt ?? null,
        patch.startedAt ?? null,
        patch.agentVersion ?? null,
        patch.parent?.session ?? null,
        patch.parent?.relation ?? null,
        patch.continuedIn ?? null,
        session,
      );
    },

    async noteFork(session, of) {
      sql.run(
        `UPDATE sessions SET parent = (SELECT o.native_id FROM sessions o WHERE o.id = ?), relation = 'fork'
         WHERE id = ? AND parent IS NULL
           AND NOT EXISTS (SELECT 1 FROM sessions o WHERE o.id = ? AND o.agent = sessions.agent AND o.parent = sessions.native_id)`,
        of,
        session,
        of,
      );
    },

    async setTitle(session, title, body) {
      sql.run(`UPDATE sessions SET ${TITLE_COLUMNS[title]} = ?, title_stale = 1 WHERE id = ?`, body, session);
    },

    async setTitleOfMessage(file, uid, body) {
      sql.run("INSERT OR REPLACE INTO title_hints (uid, file_id, text) VALUES (?, ?, ?)", uid, file, body);
    },

    async addTag(session, tag) {
      sql.run("INSERT OR IGNORE INTO tags (tag, session_id) VALUES (?, ?)", tag, session);
    },

    async refuseSession({ agent, nativeId }, { at, by }) {
      sql.run(
        "INSERT OR IGNORE INTO refused_sessions (agent, native_id, at, by) VALUES (?, ?, ?, ?)",
        agent,
        nativeId,
        at,
        by,
      );
    },

    async settleTitles() {
      sql.run(
        `UPDATE sessions SET title_summary = ${HINTED_TITLE}, title_stale = 1
         WHERE id IN (SELECT m.session_id FROM title_hints h JOIN messages m ON m.uid = h.uid)
           AND title_summary IS NOT ${HINTED_TITLE}`,
      );
      for (const session of sql.numbers("SELECT id FROM sessions WHERE title_stale = 1")) {
        addTitleWords(sql, session);
        sql.run("UPDATE sessions SET title_stale = 0 WHERE id = ?", session);
      }
    },
  };
}

/** Of several titles given for messages of a session, the one for its last message. */
const HINTED_TITLE = `(SELECT h.text FROM title_hints h JOIN messages m ON m.uid = h.uid
  WHERE m.session_id = sessions.id ORDER BY m.seq DESC, h.file_id DESC LIMIT 1)`;

function cursorOf(sql: Statements, row: Row, isNew: boolean): SessionCursor {
  const open = sql.get(
    "SELECT id, first_seq, last_seq, part, chars, type, traits FROM observations WHERE session_id = ? ORDER BY first_seq DESC LIMIT 1",
    integer(row.id),
  );
  const cwd = maybeText(row.cwd);
  const branch = maybeText(row.branch);
  const startedAt = maybeInteger(row.started_at);
  const lastAt = maybeInteger(row.ended_at) ?? startedAt;
  return {
    id: integer(row.id),
    isNew,
    nextSeq: integer(row.next_seq),
    hasParent: row.parent !== null,
    ...(cwd !== undefined && { cwd }),
    ...(branch !== undefined && { branch }),
    ...(startedAt !== undefined && { startedAt }),
    ...(lastAt !== undefined && { lastAt }),
    ...(open !== undefined && { open: openObservation(open) }),
  };
}

function openObservation(row: Row): OpenObservation {
  return {
    id: integer(row.id),
    firstSeq: integer(row.first_seq),
    part: integer(row.part),
    chars: integer(row.chars),
    messages: integer(row.last_seq) - integer(row.first_seq) + 1,
    type: observationTypeOf(row.type),
    traits: integer(row.traits),
  };
}

function addTitleWords(sql: Statements, session: number): void {
  sql.run("DELETE FROM session_words WHERE rowid = ?", session);
  const row = sql.get(
    `SELECT coalesce(s.title_custom, s.title_generated, ${SAID_TITLE}) AS title, p.name, s.branch, (
       SELECT group_concat(CASE a.kind WHEN 'tag' THEN '#' || a.key WHEN 'collection' THEN a.key ELSE a.value END, char(10))
       FROM annotations a WHERE a.agent = s.agent AND a.session = s.native_id AND a.kind IN ('alias', 'tag', 'note', 'collection')
     ) AS annotated,
     (SELECT e.title || char(10) || e.summary FROM enrichments e WHERE e.agent = s.agent AND e.session = s.native_id) AS enriched FROM sessions s LEFT JOIN projects p ON p.id = s.project_id WHERE s.id = ?`,
    session,
  );
  sql.run(
    "INSERT INTO session_words (rowid, title, project) VALUES (?, ?, ?)",
    session,
    indexable(`${text(row?.title)}\n${text(row?.annotated)}\n${text(row?.enriched)}`.trim()),
    indexable(`${text(row?.name)} ${text(row?.branch)}`),
  );
}
