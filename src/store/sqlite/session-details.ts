import { TITLE_KINDS, type TitleKind } from "../../core/session.ts";
import type { ProjectIdentity, SessionDetails, StoredUsage } from "../store.ts";
import { identityOf, optional, tokenUsage } from "./rows.ts";
import { maybeInteger, maybeText, type Row, type Statements, text } from "./statements.ts";

export function sessionDetails(sql: Statements, session: number): SessionDetails {
  const row = sql.get(DETAILS, session) ?? {};
  const columns: Readonly<Record<TitleKind, unknown>> = {
    custom: row.title_custom,
    generated: row.title_generated,
    "last-prompt": row.title_last_prompt,
    summary: row.title_summary,
  };
  const titles: { [kind in TitleKind]?: string } = {};
  for (const kind of TITLE_KINDS) {
    const title = maybeText(columns[kind]);
    if (title !== undefined) titles[kind] = title;
  }
  return {
    titles,
    tags: sql.all("SELECT tag FROM tags WHERE session_id = ? ORDER BY tag", session).map((one) => text(one.tag)),
    usage: sql.all("SELECT * FROM usage WHERE session_id = ? ORDER BY at, key", session).map(storedUsage),
    ...optional("agentVersion", maybeText(row.agent_version)),
    ...optional("identified", projectIn(row)),
  };
}

const DETAILS = `SELECT s.*, p.key, p.name AS project, p.identified_name, p.identity,
    (SELECT w.worktree FROM project_folders w WHERE w.project_id = p.id AND w.folder = replace(s.cwd, char(10), ' ')) AS worktree
  FROM sessions s LEFT JOIN projects p ON p.id = s.identified_id WHERE s.id = ?`;

function projectIn(row: Row): ProjectIdentity | undefined {
  const key = maybeText(row.key);
  if (key === undefined) return undefined;
  const name = text(row.identified_name) || text(row.project);
  return { key, name, identity: identityOf(row.identity), ...optional("worktree", maybeText(row.worktree)) };
}

function storedUsage(row: Row): StoredUsage {
  return {
    key: Buffer.isBuffer(row.key) ? row.key.toString("hex") : "",
    usage: tokenUsage(row),
    ...optional("at", maybeInteger(row.at)),
    ...optional("model", maybeText(row.model)),
  };
}
