import { MEMORY_AGENT } from "../../core/memory.ts";
import type { MemoryWrites } from "../store.ts";
import { belongingOf } from "./belonging.ts";
import { memoryReader } from "./memories.ts";
import type { Statements } from "./statements.ts";
import type { WordWriter } from "./word-writer.ts";
import { insertMessage } from "./write-messages.ts";
import { dropObservations, saveObservation } from "./write-observations.ts";

export function memoryWrites(sql: Statements, words: WordWriter): MemoryWrites {
  const drop = (id: string): void => {
    sql.run("DELETE FROM validity WHERE memory = ?", id);
    const session = sql.number("SELECT id FROM sessions WHERE agent = ? AND native_id = ?", MEMORY_AGENT, id);
    if (session === undefined) return;
    dropObservations(sql, words, session);
    const files = sql.numbers("SELECT DISTINCT file_id FROM messages WHERE session_id = ?", session);
    sql.run("DELETE FROM messages WHERE session_id = ?", session);
    for (const file of files) sql.run("DELETE FROM files WHERE id = ?", file);
    sql.run("DELETE FROM tags WHERE session_id = ?", session);
    sql.run("DELETE FROM session_words WHERE rowid = ?", session);
    sql.run("DELETE FROM sessions WHERE id = ?", session);
  };

  return {
    memories: memoryReader(sql),

    async dropMemory(id) {
      drop(id);
    },

    async saveMemory({ id, title, tags, projectId, path, message, observation, validity, version }) {
      drop(id);
      const file = sql.run(
        `INSERT INTO files (agent, path, size, mtime_ms, inode, offset, window, source_version) VALUES (?, ?, 0, 0, 0, 0, '', 0)`,
        MEMORY_AGENT,
        path,
      );
      const session = sql.run(
        `INSERT INTO sessions (agent, native_id, project_id, identified_id, started_at, ended_at, title_custom, derived)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        MEMORY_AGENT,
        id,
        projectId === undefined ? null : belongingOf(sql)(projectId, undefined),
        projectId ?? null,
        observation.at,
        observation.endedAt,
        title,
        version,
      );
      for (const tag of tags) sql.run("INSERT INTO tags (tag, session_id) VALUES (?, ?)", tag, session);
      insertMessage(sql, session, file, message);
      saveObservation(sql, words, session, observation);
      for (const { observation: about, starts, ends } of validity) {
        sql.run(
          "INSERT INTO validity (observation, memory, starts, ends) VALUES (?, ?, ?, ?)",
          about,
          id,
          starts,
          ends,
        );
      }
    },
  };
}
