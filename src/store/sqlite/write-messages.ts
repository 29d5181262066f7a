import { withoutRecall } from "../../core/fence.ts";
import type { MessageWrites, NewMessage } from "../store.ts";
import { MESSAGE_COLUMNS, MESSAGE_TABLES, packCommands, packTouches, storedMessage } from "./rows.ts";
import { integer, type Statements } from "./statements.ts";
import { pack } from "./text.ts";

export function messageWrites(sql: Statements): MessageWrites {
  return {
    findMessages: async (uids) =>
      uids.map((uid) => {
        const row = sql.get("SELECT session_id, file_id FROM messages WHERE uid = ?", uid);
        return row === undefined ? undefined : { session: integer(row.session_id), file: integer(row.file_id) };
      }),

    async addMessages(session, file, messages) {
      for (const message of messages) insertMessage(sql, session, file, message);
      const times = messages.flatMap((message) => message.at ?? []);
      const prompt = messages.find((message) => message.role === "human");
      sql.run(
        `UPDATE sessions SET messages = messages + ?, turns = turns + ?, next_seq = max(next_seq, ?),
           started_at = min(coalesce(started_at, ?), coalesce(?, started_at)),
           ended_at = max(coalesce(ended_at, ?), coalesce(?, ended_at)),
           title_stale = iif(title_first_prompt IS NULL, 1, title_stale),
           title_first_prompt = coalesce(title_first_prompt, ?)
         WHERE id = ?`,
        messages.length,
        messages.filter((message) => message.role === "human").length,
        (messages.at(-1)?.seq ?? -1) + 1,
        least(times),
        least(times),
        greatest(times),
        greatest(times),
        prompt === undefined ? null : titleOfPrompt(prompt.text),
        session,
      );
    },

    messagesFrom: async (session, fromSeq, limit) =>
      sql
        .all(
          `SELECT ${MESSAGE_COLUMNS} FROM ${MESSAGE_TABLES} WHERE m.session_id = ? AND m.seq >= ? ORDER BY m.seq LIMIT ?`,
          session,
          fromSeq,
          limit,
        )
        .map(storedMessage),

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
  };
}

/** As much of a session's first prompt as may become its title. */
export function titleOfPrompt(text: string): string {
  return withoutRecall(text).slice(0, 1_000);
}

export function insertMessage(sql: Statements, session: number, file: number, message: NewMessage): void {
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

function least(times: readonly number[]): number | null {
  return times.length === 0 ? null : Math.min(...times);
}

function greatest(times: readonly number[]): number | null {
  return times.length === 0 ? null : Math.max(...times);
}
