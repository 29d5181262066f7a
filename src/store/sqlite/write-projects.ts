import type { ProjectWrites } from "../store.ts";
import { settleBelonging } from "./belonging.ts";
import { addHistory, decisionColumns, noteChange, recordState, storedDecision } from "./decisions.ts";
import { ensureProject, identifyProject } from "./identify-rows.ts";
import { loadRecord, readRecord } from "./project-record.ts";
import type { Statements } from "./statements.ts";

export function projectWrites(sql: Statements): ProjectWrites {
  return {
    project: async (identity, folder) => identifyProject(sql, identity, folder),

    async decide(decision, { at, by, was }) {
      if (decision.kind === "split") {
        ensureProject(sql, { key: decision.into, name: decision.name, identity: "folder" });
      }
      const number = (sql.number("SELECT max(number) FROM project_decisions") ?? 0) + 1;
      sql.run(
        "INSERT INTO project_decisions (number, kind, project, target, folder, name, at, by) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        number,
        ...decisionColumns(decision),
        at,
        by,
      );
      addHistory(sql, { at, by, action: decision.kind, decision: number, was, became: decision });
      noteChange(sql);
      return { number, sessions: settleBelonging(sql) };
    },

    async undo(number, { at, by }) {
      const row = sql.get("SELECT * FROM project_decisions WHERE number = ? AND undone_at IS NULL", number);
      const decision = row === undefined ? undefined : storedDecision(row);
      if (decision === undefined) return undefined;
      sql.run("UPDATE project_decisions SET undone_at = ? WHERE number = ?", at, number);
      addHistory(sql, { at, by, action: "undo", decision: number, was: decision, became: null });
      noteChange(sql);
      return { decision, sessions: settleBelonging(sql) };
    },

    readRecord: async () => ({ record: readRecord(sql), ...recordState(sql) }),

    async loadRecord(record) {
      loadRecord(sql, record);
      settleBelonging(sql);
    },

    async noteRecordWritten(revision, { size, mtimeMs }) {
      const facts = { projects_written: revision, projects_size: size, projects_mtime: mtimeMs };
      for (const [name, value] of Object.entries(facts))
        sql.run("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", name, String(value));
    },
  };
}
