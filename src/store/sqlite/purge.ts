import type { PurgeWrites } from "../store.ts";
import { UNREAD } from "../store.ts";
import { noteChange } from "./decisions.ts";
import { ERASE_DUE } from "./erase.ts";
import { integer, type Statements, text } from "./statements.ts";
import { filesIn } from "./traces.ts";
import type { WordWriter } from "./word-writer.ts";
import { dropObservations } from "./write-observations.ts";
import { dropReceiptsOf } from "./write-receipts.ts";

export function purgeWrites(sql: Statements, words: WordWriter): PurgeWrites {
  return {
    async purgeSessions(sessions) {
      const asked = JSON.stringify(sessions);
      const projects = sql.numbers(
        `SELECT project_id FROM sessions WHERE id IN (SELECT value FROM json_each(?)) AND project_id IS NOT NULL
         UNION SELECT identified_id FROM sessions WHERE id IN (SELECT value FROM json_each(?)) AND identified_id IS NOT NULL`,
        asked,
        asked,
      );
      const files = filesIn(sql, sessions).map(({ id }) => id);
      readCopiesAgain(sql, files);
      for (const session of sessions) purgeSession(sql, words, session);
      for (const file of files) purgeFile(sql, file);
      for (const project of projects) purgeProject(sql, project);
      sql.run("DELETE FROM paths WHERE NOT EXISTS (SELECT 1 FROM touches t WHERE t.path_id = paths.id)");
      sql.run("INSERT OR REPLACE INTO facts (name, value) VALUES (?, '1')", ERASE_DUE);
    },

    async purgeAnnotations(sessions) {
      for (const { agent, nativeId } of sessions) {
        sql.run("DELETE FROM annotations WHERE agent = ? AND session = ?", agent, nativeId);
        sql.run("DELETE FROM annotation_history WHERE agent = ? AND session = ?", agent, nativeId);
        sql.run("UPDATE sessions SET title_stale = 1 WHERE agent = ? AND native_id = ?", agent, nativeId);
      }
    },
  };
}

/** A fork has messages of its original only as copies; without that, they become its own. */
function readCopiesAgain(sql: Statements, files: readonly number[]): void {
  const list = JSON.stringify(files);
  sql.run(
    `UPDATE files SET source_version = ${UNREAD} WHERE id IN (
       SELECT file_id FROM copies WHERE owner_file_id IN (SELECT value FROM json_each(?))
         AND file_id NOT IN (SELECT value FROM json_each(?)))`,
    list,
    list,
  );
}

function purgeSession(sql: Statements, words: WordWriter, session: number): void {
  const row = sql.get("SELECT agent, native_id FROM sessions WHERE id = ?", session);
  if (row === undefined) return;
  dropObservations(sql, words, session);
  sql.run("DELETE FROM session_words WHERE rowid = ?", session);
  for (const table of ["messages", "usage", "tags"]) sql.run(`DELETE FROM ${table} WHERE session_id = ?`, session);
  sql.run("UPDATE files SET session_id = NULL WHERE session_id = ?", session);
  const name = [text(row.agent), text(row.native_id)] as const;
  dropReceiptsOf(sql, { agent: name[0], nativeId: name[1] });
  sql.run("UPDATE sessions SET parent = NULL, relation = NULL WHERE agent = ? AND parent = ?", ...name);
  sql.run("UPDATE sessions SET continued_in = NULL WHERE agent = ? AND continued_in = ?", ...name);
  sql.run("DELETE FROM enrichments WHERE agent = ? AND session = ?", ...name);
  sql.run("DELETE FROM sessions WHERE id = ?", session);
}

/** One from which something of other sessions was read too stays. */
function purgeFile(sql: Statements, file: number): void {
  const isNeeded = sql.number(
    "SELECT 1 WHERE EXISTS (SELECT 1 FROM messages WHERE file_id = ?) OR EXISTS (SELECT 1 FROM usage WHERE file_id = ?)",
    file,
    file,
  );
  if (isNeeded !== undefined) return;
  sql.run("DELETE FROM copies WHERE file_id = ? OR owner_file_id = ?", file, file);
  sql.run("DELETE FROM title_hints WHERE file_id = ?", file);
  sql.run("DELETE FROM files WHERE id = ?", file);
}

/** Stays where something is left of it, or a person said what it has to do with another one. */
function purgeProject(sql: Statements, id: number): void {
  const isNeeded = sql.number(
    `SELECT 1 FROM projects p WHERE p.id = ? AND (
       EXISTS (SELECT 1 FROM sessions s WHERE s.project_id = p.id OR s.identified_id = p.id)
       OR EXISTS (SELECT 1 FROM projects o WHERE o.id <> p.id AND (o.now_id = p.id OR o.belongs_id = p.id))
       OR EXISTS (SELECT 1 FROM project_folders f WHERE f.belongs_id = p.id AND f.project_id <> p.id)
       OR EXISTS (SELECT 1 FROM project_decisions d WHERE d.kind <> 'rename' AND p.key IN (d.project, d.target)))`,
    id,
  );
  const key = sql.get("SELECT key FROM projects WHERE id = ?", id)?.key;
  if (isNeeded !== undefined || key === undefined) return;
  for (const row of sql.all("SELECT number FROM project_decisions WHERE project = ?", text(key))) {
    sql.run("DELETE FROM project_history WHERE decision = ?", integer(row.number));
    sql.run("DELETE FROM project_decisions WHERE number = ?", integer(row.number));
  }
  sql.run("DELETE FROM project_folders WHERE project_id = ?", id);
  sql.run("DELETE FROM project_roots WHERE project_id = ?", id);
  sql.run("DELETE FROM projects WHERE id = ?", id);
  noteChange(sql);
}
