import { type FileWrites, type StoredSessionKey, UNREAD } from "../store.ts";
import { integer, type Row, type Statements, text } from "./statements.ts";
import { unpack } from "./text.ts";
import type { WordWriter } from "./word-writer.ts";
import { titleOfPrompt } from "./write-messages.ts";
import { dropObservations } from "./write-observations.ts";

export function fileWrites(sql: Statements, words: WordWriter): FileWrites {
  return {
    async saveFile(file, session) {
      sql.run(
        `INSERT INTO files (agent, path, container, copy_of, missing, refused, session_id, size, mtime_ms, inode, offset, window, source_version, reader_state, skipped, items)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (path) DO UPDATE SET agent = excluded.agent, session_id = coalesce(excluded.session_id, session_id),
           size = excluded.size, mtime_ms = excluded.mtime_ms, inode = excluded.inode, offset = excluded.offset,
           window = excluded.window, source_version = excluded.source_version, reader_state = excluded.reader_state,
           skipped = excluded.skipped, items = excluded.items, container = excluded.container, copy_of = excluded.copy_of, missing = excluded.missing,
           refused = excluded.refused`,
        file.agent,
        file.path,
        file.container ?? null,
        file.copyOf === undefined ? null : `${file.copyOf.agent} ${file.copyOf.nativeId}`,
        file.missing === true ? 1 : 0,
        file.refused ?? null,
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

    forgetFile: async (file) => forgetFile(sql, words, file),

    async forgetRepeats() {
      const repeats = sql.numbers(
        `SELECT f.id FROM files f JOIN sessions s ON s.agent = substr(f.copy_of, 1, instr(f.copy_of, ' ') - 1)
           AND s.native_id = substr(f.copy_of, instr(f.copy_of, ' ') + 1)
         WHERE f.copy_of IS NOT NULL AND s.messages > 0 AND EXISTS (SELECT 1 FROM messages m WHERE m.file_id = f.id)`,
      );
      for (const file of repeats) forgetFile(sql, words, file);
    },

    async readAnew(files) {
      for (const file of files) sql.run("UPDATE files SET source_version = ? WHERE id = ?", UNREAD, file);
    },

    async markVersion(path, version) {
      sql.run("UPDATE files SET source_version = ? WHERE path = ?", version, path);
    },

    async noteCopies(file, owners) {
      for (const owner of owners) {
        sql.run("INSERT OR IGNORE INTO copies (owner_file_id, file_id) VALUES (?, ?)", owner, file);
      }
    },

    async setIndexedAt(at) {
      sql.run("INSERT OR REPLACE INTO facts (name, value) VALUES ('indexed_at', ?)", String(at));
    },
  };
}

export function sessionKey(row: Row): StoredSessionKey {
  return { id: integer(row.id), agent: text(row.agent), nativeId: text(row.native_id) };
}

function forgetFile(sql: Statements, words: WordWriter, file: number): Awaited<ReturnType<FileWrites["forgetFile"]>> {
  const sessions = sql.numbers(
    "SELECT DISTINCT session_id FROM messages WHERE file_id = ? UNION SELECT session_id FROM files WHERE id = ? AND session_id IS NOT NULL",
    file,
    file,
  );
  const speaking = new Set(sql.numbers("SELECT DISTINCT session_id FROM messages WHERE file_id = ?", file));
  const copies = sql.numbers("SELECT file_id FROM copies WHERE owner_file_id = ? AND file_id <> ?", file, file);
  for (const session of sessions) dropObservations(sql, words, session);
  sql.run(
    `UPDATE sessions SET title_summary = NULL, title_stale = 1 WHERE id IN (
       SELECT m.session_id FROM title_hints h JOIN messages m ON m.uid = h.uid WHERE h.file_id = ?)`,
    file,
  );
  sql.run("DELETE FROM messages WHERE file_id = ?", file);
  sql.run("DELETE FROM usage WHERE file_id = ?", file);
  sql.run("DELETE FROM copies WHERE file_id = ?", file);
  sql.run("DELETE FROM title_hints WHERE file_id = ?", file);
  for (const session of sessions) {
    const rest = sql.number("SELECT 1 FROM messages WHERE session_id = ? LIMIT 1", session);
    if (rest === undefined) reset(sql, session);
    // Of a file that was taken back before, nothing is left to be taken off what others told since.
    else if (speaking.has(session)) recount(sql, session);
  }
  const left = sql
    .all(
      "SELECT id, agent, native_id FROM sessions s WHERE id IN (SELECT value FROM json_each(?)) AND EXISTS (SELECT 1 FROM messages m WHERE m.session_id = s.id)",
      JSON.stringify(sessions),
    )
    .map(sessionKey);
  return { sessions: left, copies };
}

/** Takes everything off a session; its row stays, for what refers to it. */
function reset(sql: Statements, session: number): void {
  sql.run("DELETE FROM tags WHERE session_id = ?", session);
  sql.run(
    `UPDATE sessions SET project_id = NULL, identified_id = NULL, cwd = NULL, branch = NULL, started_at = NULL, ended_at = NULL,
       agent_version = NULL, parent = NULL, relation = NULL, continued_in = NULL, title_custom = NULL,
       title_generated = NULL, title_last_prompt = NULL, title_summary = NULL, title_first_prompt = NULL,
       messages = 0, turns = 0, next_seq = 0, title_stale = 1
     WHERE id = ?`,
    session,
  );
}

/** Titles and tags stay: they may be those of the files that are left. */
function recount(sql: Statements, session: number): void {
  const first = sql.get(
    "SELECT text FROM messages WHERE session_id = ? AND role = 'human' ORDER BY seq LIMIT 1",
    session,
  );
  sql.run(
    `UPDATE sessions SET
       messages = (SELECT count(*) FROM messages WHERE session_id = sessions.id),
       turns = (SELECT count(*) FROM messages WHERE session_id = sessions.id AND role = 'human'),
       ended_at = (SELECT max(at) FROM messages WHERE session_id = sessions.id),
       started_at = (SELECT min(at) FROM messages WHERE session_id = sessions.id),
       title_first_prompt = ?, title_stale = 1
     WHERE id = ?`,
    first === undefined ? null : titleOfPrompt(unpack(first.text)),
    session,
  );
}
