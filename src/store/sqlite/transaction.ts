import type { TitleKind } from "../../core/session.ts";
import { indexable } from "../../core/words.ts";
import type {
  HistoryTransaction,
  NewMessage,
  ObservationDraft,
  OpenObservation,
  SessionCursor,
  StoredSessionKey,
} from "../store.ts";
import {
  MESSAGE_COLUMNS,
  MESSAGE_TABLES,
  observationTypeOf,
  packCommands,
  packTouches,
  SESSION_TITLE,
  storedMessage,
} from "./rows.ts";
import { integer, maybeInteger, maybeText, type Row, type Statements, text } from "./statements.ts";
import { pack } from "./text.ts";
import { wordRow, wordRowsOf } from "./words.ts";

const TITLE_COLUMNS: Readonly<Record<TitleKind, string>> = {
  custom: "title_custom",
  generated: "title_generated",
  "last-prompt": "title_last_prompt",
  summary: "title_summary",
};

/** The writes of one open transaction. */
export function historyTransaction(sql: Statements): HistoryTransaction {
  const cursorOf = (row: Row, isNew: boolean): SessionCursor => {
    const open = sql.get(
      "SELECT id, first_seq, last_seq, part, chars, type FROM observations WHERE session_id = ? ORDER BY first_seq DESC LIMIT 1",
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
  };

  const addTitleWords = (session: number): void => {
    sql.run("DELETE FROM session_words WHERE rowid = ?", session);
    const row = sql.get(
      `SELECT ${SESSION_TITLE} AS title, p.name, s.branch FROM sessions s LEFT JOIN projects p ON p.id = s.project_id WHERE s.id = ?`,
      session,
    );
    sql.run(
      "INSERT INTO session_words (rowid, title, project) VALUES (?, ?, ?)",
      session,
      indexable(text(row?.title)),
      indexable(`${text(row?.name)} ${text(row?.branch)}`),
    );
  };

  const dropObservations = (session: number): void => {
    for (const id of sql.numbers("SELECT id FROM observations WHERE session_id = ?", session)) {
      const { first, last } = wordRowsOf(id);
      sql.run("DELETE FROM words WHERE rowid IN (SELECT id FROM words_docsize WHERE id BETWEEN ? AND ?)", first, last);
      sql.run("DELETE FROM touches WHERE observation_id = ?", id);
    }
    sql.run("DELETE FROM observations WHERE session_id = ?", session);
  };

  const recount = (session: number): void => {
    sql.run(
      `UPDATE sessions SET
         messages = (SELECT count(*) FROM messages WHERE session_id = sessions.id),
         turns = (SELECT count(*) FROM messages WHERE session_id = sessions.id AND role = 'human'),
         ended_at = (SELECT max(at) FROM messages WHERE session_id = sessions.id),
         started_at = (SELECT min(at) FROM messages WHERE session_id = sessions.id),
         title_first_prompt = NULL, title_custom = NULL, title_generated = NULL, title_last_prompt = NULL, title_summary = NULL,
         title_stale = 1
       WHERE id = ?`,
      session,
    );
  };

  return {
    async saveFile(file, session) {
      sql.run(
        `INSERT INTO files (agent, path, session_id, size, mtime_ms, inode, offset, window, source_version, reader_state, skipped, items)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (path) DO UPDATE SET agent = excluded.agent, session_id = coalesce(excluded.session_id, session_id),
           size = excluded.size, mtime_ms = excluded.mtime_ms, inode = excluded.inode, offset = excluded.offset,
           window = excluded.window, source_version = excluded.source_version, reader_state = excluded.reader_state,
           skipped = excluded.skipped, items = excluded.items, missing = 0`,
        file.agent,
        file.path,
        session ?? null,
        file.size,
        file.mtimeMs,
        file.inode,
        file.offset,
        file.window,
        file.sourceVersion,
        file.readerState === undefined ? null : JSON.stringify(file.readerState),
        Object.keys(file.skipped).length === 0 ? null : JSON.stringify(file.skipped),
        file.items,
      );
      return sql.number("SELECT id FROM files WHERE path = ?", file.path) ?? 0;
    },

    async markMissing(files) {
      for (const file of files) sql.run("UPDATE files SET missing = 1 WHERE id = ?", file);
    },

    async forgetFile(file) {
      const sessions = sql.numbers(
        "SELECT DISTINCT session_id FROM messages WHERE file_id = ? UNION SELECT session_id FROM files WHERE id = ? AND session_id IS NOT NULL",
        file,
        file,
      );
      const copies = sql.numbers("SELECT file_id FROM copies WHERE owner_file_id = ? AND file_id <> ?", file, file);
      for (const session of sessions) dropObservations(session);
      sql.run("DELETE FROM messages WHERE file_id = ?", file);
      sql.run("DELETE FROM usage WHERE file_id = ?", file);
      sql.run("DELETE FROM copies WHERE file_id = ?", file);
      sql.run("DELETE FROM title_hints WHERE file_id = ?", file);
      for (const session of sessions) recount(session);
      const left = sql
        .all(
          "SELECT id, agent, native_id FROM sessions s WHERE id IN (SELECT value FROM json_each(?)) AND EXISTS (SELECT 1 FROM messages m WHERE m.session_id = s.id)",
          JSON.stringify(sessions),
        )
        .map(sessionKey);
      return { sessions: left, copies };
    },

    fileId: async (path) => sql.number("SELECT id FROM files WHERE path = ?", path),

    async session(key) {
      const known = sql.get("SELECT * FROM sessions WHERE agent = ? AND native_id = ?", key.agent, key.nativeId);
      if (known !== undefined) return cursorOf(known, false);
      const id = sql.run("INSERT INTO sessions (agent, native_id) VALUES (?, ?)", key.agent, key.nativeId);
      return { id, isNew: true, nextSeq: 0, hasParent: false };
    },

    async cursor(session) {
      const row = sql.get("SELECT * FROM sessions WHERE id = ?", session);
      return cursorOf(row ?? {}, false);
    },

    async patchSession(session, patch) {
      sql.run(
        `UPDATE sessions SET project_id = coalesce(project_id, ?), cwd = coalesce(cwd, ?), branch = coalesce(branch, ?),
           started_at = min(coalesce(started_at, ?), coalesce(?, started_at)), ended_at = coalesce(ended_at, started_at, ?),
           agent_version = coalesce(?, agent_version),
           parent = coalesce(parent, ?), relation = coalesce(relation, ?), continued_in = coalesce(?, continued_in), title_stale = 1
         WHERE id = ?`,
        patch.projectId ?? null,
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
         WHERE id = ? AND parent IS NULL`,
        of,
        session,
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

    async project(identity, folder) {
      sql.run(
        "INSERT INTO projects (key, name, identity) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING",
        identity.key,
        identity.name,
        identity.identity,
      );
      const id = sql.number("SELECT id FROM projects WHERE key = ?", identity.key) ?? 0;
      if (folder !== undefined) {
        sql.run(
          "INSERT OR IGNORE INTO project_folders (project_id, folder) VALUES (?, ?)",
          id,
          folder.replaceAll("\n", " "),
        );
      }
      return id;
    },

    findMessages: async (uids) =>
      uids.map((uid) => {
        const row = sql.get("SELECT session_id, file_id FROM messages WHERE uid = ?", uid);
        return row === undefined ? undefined : { session: integer(row.session_id), file: integer(row.file_id) };
      }),

    async noteCopies(file, owners) {
      for (const owner of owners) {
        sql.run("INSERT OR IGNORE INTO copies (owner_file_id, file_id) VALUES (?, ?)", owner, file);
      }
    },

    async addMessages(session, file, messages) {
      for (const message of messages) insertMessage(sql, session, file, message);
      const times = messages.flatMap((message) => message.at ?? []);
      const prompt = messages.find((message) => message.role === "human");
      sql.run(
        `UPDATE sessions SET messages = messages + ?, turns = turns + ?, next_seq = max(next_seq, ?),
           started_at = min(coalesce(started_at, ?), coalesce(?, started_at)),
           ended_at = max(coalesce(ended_at, ?), coalesce(?, ended_at)),
           title_first_prompt = coalesce(title_first_prompt, ?)
         WHERE id = ?`,
        messages.length,
        messages.filter((message) => message.role === "human").length,
        (messages.at(-1)?.seq ?? -1) + 1,
        least(times),
        least(times),
        greatest(times),
        greatest(times),
        prompt?.text.slice(0, 1_000) ?? null,
        session,
      );
    },

    dropObservations: async (session) => dropObservations(session),

    messagesFrom: async (session, fromSeq, limit) =>
      sql
        .all(
          `SELECT ${MESSAGE_COLUMNS} FROM ${MESSAGE_TABLES} WHERE m.session_id = ? AND m.seq >= ? ORDER BY m.seq LIMIT ?`,
          session,
          fromSeq,
          limit,
        )
        .map(storedMessage),

    async saveObservations(session, drafts) {
      for (const draft of drafts) saveObservation(sql, session, draft);
    },

    async addUsage(session, file, rows) {
      for (const { key, at, model, usage } of rows) {
        // A copy in another file never takes a call away from the file that had it first.
        sql.run(
          `INSERT INTO usage (key, session_id, file_id, at, model, input, output, cache_read, cache_write) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (key) DO UPDATE SET model = coalesce(excluded.model, model), input = excluded.input, output = excluded.output,
             cache_read = excluded.cache_read, cache_write = excluded.cache_write WHERE excluded.output > output`,
          key,
          session,
          file,
          at ?? null,
          model ?? null,
          usage.input,
          usage.output,
          usage.cacheRead,
          usage.cacheWrite,
        );
      }
    },

    async settleTitles() {
      sql.run(
        `UPDATE sessions SET title_summary = (SELECT h.text FROM title_hints h JOIN messages m ON m.uid = h.uid WHERE m.session_id = sessions.id ORDER BY h.file_id DESC, m.seq DESC LIMIT 1), title_stale = 1
         WHERE title_summary IS NULL AND id IN (SELECT m.session_id FROM title_hints h JOIN messages m ON m.uid = h.uid)`,
      );
      for (const session of sql.numbers("SELECT id FROM sessions WHERE title_stale = 1")) {
        addTitleWords(session);
        sql.run("UPDATE sessions SET title_stale = 0 WHERE id = ?", session);
      }
    },

    async setIndexedAt(at) {
      sql.run("INSERT OR REPLACE INTO facts (name, value) VALUES ('indexed_at', ?)", String(at));
    },

    async markDerived(session, version) {
      sql.run("UPDATE sessions SET derived = ? WHERE id = ?", version, session);
    },
  };
}

export function sessionKey(row: Row): StoredSessionKey {
  return { id: integer(row.id), agent: text(row.agent), nativeId: text(row.native_id) };
}

function openObservation(row: Row): OpenObservation {
  return {
    id: integer(row.id),
    firstSeq: integer(row.first_seq),
    part: integer(row.part),
    chars: integer(row.chars),
    messages: integer(row.last_seq) - integer(row.first_seq) + 1,
    type: observationTypeOf(row.type),
  };
}

function insertMessage(sql: Statements, session: number, file: number, message: NewMessage): void {
  sql.run(
    `INSERT INTO messages (uid, session_id, seq, file_id, byte, role, part, at, text, tool, call_id, touched, commands,
       is_error, exit_code, duration_ms, branch, cwd)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    message.uid,
    session,
    message.seq,
    file,
    message.byte,
    message.role,
    message.part,
    message.at ?? null,
    pack(message.text),
    message.tool ?? null,
    message.callId ?? null,
    packTouches(message.files),
    packCommands(message.commands, message.text),
    message.isError === undefined ? null : Number(message.isError),
    message.exitCode ?? null,
    message.durationMs ?? null,
    message.branch ?? null,
    message.cwd ?? null,
  );
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

function least(times: readonly number[]): number | null {
  return times.length === 0 ? null : Math.min(...times);
}

function greatest(times: readonly number[]): number | null {
  return times.length === 0 ? null : Math.max(...times);
}
