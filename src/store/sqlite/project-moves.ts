import { settleBelonging } from "./belonging.ts";
import { noteChange } from "./decisions.ts";
import { integer, type Statements, text } from "./statements.ts";

/** The git directory stood elsewhere before: what was worked there was worked in this repository. */
export function followMove(sql: Statements, id: number, root: string, stamp: string): void {
  const others = sql.all(
    `SELECT r.root, r.project_id, p.key FROM project_roots r JOIN projects p ON p.id = r.project_id
     WHERE r.stamp = ? AND r.root <> ? AND r.project_id <> ?`,
    stamp,
    root,
    id,
  );
  for (const other of others) {
    if (text(other.key) === `git:${text(other.root)}`) succeed(sql, integer(other.project_id), id);
    else moveRoot(sql, integer(other.project_id), id, text(other.root));
  }
}

/** One clone has another remote now; other clones of the old one keep theirs. */
export function moveRoot(sql: Statements, from: number, to: number, root: string): void {
  if (from === to) return;
  if (text(sql.get("SELECT key FROM projects WHERE id = ?", from)?.key) === `git:${root}`) {
    succeed(sql, from, to);
    return;
  }
  sql.run(
    `UPDATE sessions SET identified_id = ? WHERE identified_id = ? AND replace(cwd, char(10), ' ') IN (
       SELECT folder FROM project_folders WHERE project_id = ? AND root = ?)`,
    to,
    from,
    from,
    root,
  );
  moveFolders(sql, from, to, "root = ?", root);
  sql.run("UPDATE project_roots SET project_id = ? WHERE root = ?", to, root);
  sql.run(
    "UPDATE projects SET now_id = ? WHERE key IN (?, ?) AND id <> ? AND now_id = ?",
    to,
    `git:${root}`,
    `folder:${root}`,
    to,
    from,
  );
  settleBelonging(sql, to);
  noteChange(sql);
}

/** Folders in the repository that were projects by themselves, and the repository when it had no remote. */
export function takeInKeys(sql: Statements, id: number, root: string): void {
  const own = sql.numbers("SELECT id FROM projects WHERE key = ? AND now_id IS NULL AND id <> ?", `git:${root}`, id);
  const below = sql.numbers(
    `SELECT id FROM projects WHERE identity = 'folder' AND now_id IS NULL AND id <> ?
       AND (key = ? OR (key >= ? AND key < ?))`,
    id,
    `folder:${root}`,
    `folder:${root}/`,
    // The character behind a slash.
    `folder:${root}0`,
  );
  for (const project of [...own, ...below]) succeed(sql, project, id);
}

/** A folder that was a project by itself turns out to be a repository's. */
export function takeInFolder(sql: Statements, id: number, place: string): void {
  const lone = sql.numbers(
    `SELECT DISTINCT p.id FROM project_folders f JOIN projects p ON p.id = f.project_id
     WHERE f.place = ? AND p.identity = 'folder' AND p.id <> ?`,
    place,
    id,
  );
  for (const project of lone) succeed(sql, project, id);
}

/** `from` turned out to be `to`: its sessions and all that is known of it go there. */
function succeed(sql: Statements, from: number, to: number): void {
  if (from === to) return;
  sql.run("UPDATE projects SET now_id = ? WHERE id = ? OR now_id = ?", to, from, from);
  // What it turned out to be cannot have turned out to be something else: that would go round in circles.
  sql.run("UPDATE projects SET now_id = NULL WHERE id = ?", to);
  sql.run("UPDATE sessions SET identified_id = ? WHERE identified_id = ?", to, from);
  moveFolders(sql, from, to, "1");
  sql.run("UPDATE project_roots SET project_id = ? WHERE project_id = ?", to, from);
  settleBelonging(sql, to);
  noteChange(sql);
}

function moveFolders(sql: Statements, from: number, to: number, condition: string, ...values: string[]): void {
  sql.run(
    `INSERT OR IGNORE INTO project_folders (project_id, folder, place, root, worktree, belongs_id)
     SELECT ?, folder, place, root, worktree, ? FROM project_folders WHERE project_id = ? AND ${condition}`,
    to,
    to,
    from,
    ...values,
  );
  sql.run(`DELETE FROM project_folders WHERE project_id = ? AND ${condition}`, from, ...values);
}
