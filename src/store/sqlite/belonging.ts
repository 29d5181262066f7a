import { folderKey, isWithin } from "../../core/folder.ts";
import type { StoredDecision } from "../store.ts";
import { standingDecisions } from "./decisions.ts";
import { IS_TOP_LEVEL } from "./rows.ts";
import { integer, maybeInteger, maybeText, type Statements, text } from "./statements.ts";

/** The project that work belongs to by what a person decided, given the one that it was identified as. */
export type Belonging = (identified: number, folder: string | undefined) => number;

/** Decisions apply in the order in which they were made, each to what the ones before it made. */
export function belongingOf(sql: Statements): Belonging {
  const steps = standingDecisions(sql).flatMap((decision) => stepOf(sql, decision) ?? []);
  return (identified, folder) => {
    if (steps.length === 0) return identified;
    const place = folder === undefined ? undefined : folderKey(folder);
    return steps.reduce((project, step) => {
      const fits = project === step.from && (step.folder === undefined || (place && isWithin(place, step.folder)));
      return fits ? step.to : project;
    }, identified);
  };
}

/**
 * Brings sessions, folders and names in line with the decisions. Returns how many sessions changed their project. `changed`
 * is the one project of which that can be where nothing was decided.
 */
export function settleBelonging(sql: Statements, changed?: number): number {
  const belonging = belongingOf(sql);
  const only = standingDecisions(sql).length === 0 ? changed : undefined;
  const [where, values] = only === undefined ? ["identified_id IS NOT NULL", []] : ["identified_id = ?", [only]];
  let moved = 0;
  for (const row of sql.all(`SELECT DISTINCT identified_id, cwd FROM sessions WHERE ${where}`, ...values)) {
    const [identified, cwd] = [integer(row.identified_id), maybeText(row.cwd)];
    const to = belonging(identified, cwd);
    const others = "s.identified_id = ? AND s.cwd IS ? AND s.project_id IS NOT ?";
    moved +=
      sql.number(
        `SELECT count(*) FROM sessions s WHERE ${others} AND s.messages > 0 AND ${IS_TOP_LEVEL}`,
        identified,
        cwd ?? null,
        to,
      ) ?? 0;
    sql.run(
      `UPDATE sessions AS s SET project_id = ?, title_stale = 1 WHERE ${others}`,
      to,
      identified,
      cwd ?? null,
      to,
    );
  }
  settleFolders(sql, belonging, only);
  settleProjects(sql, belonging);
  return moved;
}

/** Row of the project that a key stands for today. */
export function projectOfKey(sql: Statements, key: string): number | undefined {
  return sql.number("SELECT coalesce(now_id, id) FROM projects WHERE key = ?", key);
}

function stepOf(
  sql: Statements,
  decision: StoredDecision,
): { readonly from: number; readonly to: number; readonly folder?: string } | undefined {
  if (decision.kind === "rename") return undefined;
  const [from, to] = [projectOfKey(sql, decision.project), projectOfKey(sql, decision.into)];
  if (from === undefined || to === undefined) return undefined;
  return { from, to, ...(decision.kind === "split" && { folder: decision.folder }) };
}

function settleFolders(sql: Statements, belonging: Belonging, only: number | undefined): void {
  const [where, values] = only === undefined ? ["1", []] : ["project_id = ?", [only]];
  for (const row of sql.all(`SELECT project_id, folder, belongs_id FROM project_folders WHERE ${where}`, ...values)) {
    const [project, folder] = [integer(row.project_id), text(row.folder)];
    const to = belonging(project, folder);
    if (to === maybeInteger(row.belongs_id)) continue;
    sql.run("UPDATE project_folders SET belongs_id = ? WHERE project_id = ? AND folder = ?", to, project, folder);
  }
}

function settleProjects(sql: Statements, belonging: Belonging): void {
  const names = new Map<number, string>();
  for (const decision of standingDecisions(sql)) {
    const id = decision.kind === "rename" ? projectOfKey(sql, decision.project) : undefined;
    if (id !== undefined && decision.kind === "rename") names.set(id, decision.name);
  }
  for (const row of sql.all("SELECT id, name, identified_name, now_id, belongs_id FROM projects")) {
    const id = integer(row.id);
    const now = maybeInteger(row.now_id) ?? id;
    const to = belonging(now, undefined);
    const belongs = to === now ? null : to;
    const name = names.get(id) ?? text(row.identified_name);
    if (belongs === (row.belongs_id ?? null) && name === row.name) continue;
    sql.run("UPDATE projects SET belongs_id = ?, name = ? WHERE id = ?", belongs, name, id);
    if (name !== row.name) sql.run("UPDATE sessions SET title_stale = 1 WHERE project_id = ?", id);
  }
}
