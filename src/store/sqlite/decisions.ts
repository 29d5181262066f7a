import {
  DECISION_KINDS,
  type DecisionEvent,
  type DecisionReader,
  type ProjectDecision,
  type ProjectRecordState,
  type StoredDecision,
} from "../store.ts";
import { integer, maybeText, type Row, type Statements, text } from "./statements.ts";

export function decisionReader(sql: Statements): DecisionReader {
  return {
    standing: async () => standingDecisions(sql),
    history: async () => decisionHistory(sql),
    recordState: async () => recordState(sql),
  };
}

/** In the order in which they were made. */
export function standingDecisions(sql: Statements): StoredDecision[] {
  return sql
    .all("SELECT * FROM project_decisions WHERE undone_at IS NULL ORDER BY number")
    .flatMap((row) => storedDecision(row) ?? []);
}

export function storedDecision(row: Row): StoredDecision | undefined {
  const kind = DECISION_KINDS.find((one) => one === row.kind);
  const [project, into] = [text(row.project), text(row.target)];
  const note = { number: integer(row.number), at: integer(row.at), by: text(row.by) };
  if (kind === "merge") return { kind, project, into, ...note };
  if (kind === "split") return { kind, project, folder: text(row.folder), into, name: text(row.name), ...note };
  return kind === "rename" ? { kind, project, name: text(row.name), ...note } : undefined;
}

/** Values of the columns kind, project, target, folder and name. */
export function decisionColumns(decision: ProjectDecision): readonly (string | null)[] {
  return [
    decision.kind,
    decision.project,
    decision.kind === "rename" ? null : decision.into,
    decision.kind === "split" ? decision.folder : null,
    decision.kind === "merge" ? null : decision.name,
  ];
}

export function addHistory(sql: Statements, { at, by, action, decision, was, became }: DecisionEvent): void {
  sql.run(
    "INSERT INTO project_history (at, by, action, decision, was, became) VALUES (?, ?, ?, ?, ?, ?)",
    at,
    by,
    action,
    decision,
    JSON.stringify(was ?? null),
    JSON.stringify(became ?? null),
  );
}

export function decisionHistory(sql: Statements): DecisionEvent[] {
  return sql.all("SELECT * FROM project_history ORDER BY id").map((row) => ({
    at: integer(row.at),
    by: text(row.by),
    action: DECISION_KINDS.find((kind) => kind === row.action) ?? "undo",
    decision: integer(row.decision),
    was: JSON.parse(text(row.was)),
    became: JSON.parse(text(row.became)),
  }));
}

export function recordState(sql: Statements): ProjectRecordState {
  const written = factOf(sql, "projects_written");
  const [size, mtimeMs] = [factOf(sql, "projects_size"), factOf(sql, "projects_mtime")];
  return {
    revision: factOf(sql, "projects_revision") ?? 0,
    ...(written !== undefined && { written }),
    ...(size !== undefined && mtimeMs !== undefined && { file: { size, mtimeMs } }),
  };
}

/** What is known of projects has changed, and the record of it is out of date. */
export function noteChange(sql: Statements): void {
  const revision = (factOf(sql, "projects_revision") ?? 0) + 1;
  sql.run("INSERT OR REPLACE INTO facts (name, value) VALUES ('projects_revision', ?)", String(revision));
}

function factOf(sql: Statements, name: string): number | undefined {
  const value = maybeText(sql.get("SELECT value FROM facts WHERE name = ?", name)?.value);
  return value === undefined ? undefined : Number(value);
}
