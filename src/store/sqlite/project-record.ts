import { folderKey } from "../../core/folder.ts";
import type { ProjectRecord } from "../store.ts";
import { projectOfKey } from "./belonging.ts";
import { addHistory, decisionColumns, decisionHistory, noteChange, storedDecision } from "./decisions.ts";
import { ensureProject } from "./identify-rows.ts";
import { identityOf, optional } from "./rows.ts";
import { maybeInteger, maybeText, type Statements, text } from "./statements.ts";

export function readRecord(sql: Statements): ProjectRecord {
  return {
    projects: sql
      .all(
        `SELECT p.key, p.identified_name, p.identity, n.key AS now FROM projects p LEFT JOIN projects n ON n.id = p.now_id
         ORDER BY p.key`,
      )
      .map((row) => ({
        key: text(row.key),
        name: text(row.identified_name),
        identity: identityOf(row.identity),
        ...optional("now", maybeText(row.now)),
      })),
    folders: sql
      .all(
        `SELECT p.key, f.folder, f.root, f.worktree FROM project_folders f JOIN projects p ON p.id = f.project_id
         ORDER BY f.folder, p.key`,
      )
      .map((row) => ({
        project: text(row.key),
        folder: text(row.folder),
        ...optional("root", maybeText(row.root)),
        ...optional("worktree", maybeText(row.worktree)),
      })),
    roots: sql
      .all("SELECT r.root, p.key, r.stamp FROM project_roots r JOIN projects p ON p.id = r.project_id ORDER BY r.root")
      .map((row) => ({ root: text(row.root), project: text(row.key), ...optional("stamp", maybeText(row.stamp)) })),
    decisions: sql.all("SELECT * FROM project_decisions ORDER BY number").flatMap((row) => {
      const decision = storedDecision(row);
      const undoneAt = maybeInteger(row.undone_at);
      return decision === undefined ? [] : [{ ...decision, ...(undoneAt !== undefined && { undoneAt }) }];
    }),
    history: decisionHistory(sql),
  };
}

/** What is there already stays as it is. */
export function loadRecord(sql: Statements, record: ProjectRecord): void {
  for (const project of record.projects) ensureProject(sql, project);
  for (const { key, now } of record.projects) {
    const id = now === undefined ? undefined : projectOfKey(sql, now);
    if (id !== undefined) sql.run("UPDATE projects SET now_id = ? WHERE key = ? AND id <> ?", id, key, id);
  }
  for (const { project, folder, root, worktree } of record.folders) {
    const id = projectOfKey(sql, project);
    if (id === undefined) continue;
    sql.run(
      `INSERT OR IGNORE INTO project_folders (project_id, folder, place, root, worktree, belongs_id)
       VALUES (?, ?, ?, ?, ?, ?)`,
      id,
      folder,
      folderKey(folder),
      root ?? null,
      worktree ?? null,
      id,
    );
  }
  for (const { root, project, stamp } of record.roots) {
    const id = projectOfKey(sql, project);
    if (id === undefined) continue;
    sql.run("INSERT OR IGNORE INTO project_roots (root, project_id, stamp) VALUES (?, ?, ?)", root, id, stamp ?? null);
  }
  if (sql.number("SELECT 1 FROM project_decisions LIMIT 1") === undefined) loadDecisions(sql, record);
  noteChange(sql);
}

function loadDecisions(sql: Statements, { decisions, history }: ProjectRecord): void {
  for (const decision of decisions) {
    sql.run(
      `INSERT OR IGNORE INTO project_decisions (number, kind, project, target, folder, name, at, by, undone_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      decision.number,
      ...decisionColumns(decision),
      decision.at,
      decision.by,
      decision.undoneAt ?? null,
    );
  }
  for (const event of history) addHistory(sql, event);
}
