import { folderKey, withAncestors } from "../../core/folder.ts";
import type { ProjectIdentity } from "../store.ts";
import { belongingOf } from "./belonging.ts";
import { noteChange } from "./decisions.ts";
import { followMove, moveRoot, takeInFolder, takeInKeys } from "./project-moves.ts";
import { holes, integer, maybeText, type Statements } from "./statements.ts";

/** The row of the project that an identity stands for, made if need be. */
export function identifyProject(sql: Statements, identity: ProjectIdentity, folder: string | undefined): number {
  const path = folder?.replaceAll("\n", " ");
  const place = path === undefined ? undefined : folderKey(path);
  const known =
    identity.identity === "folder" && place !== undefined
      ? knownProject(sql, place, identity.seen !== undefined)
      : undefined;
  const id = known ?? settleIdentity(sql, identity);
  if (known === undefined) noteWorktree(sql, id, identity);
  if (path !== undefined && place !== undefined) noteFolder(sql, id, path, place, identity);
  if (identity.identity !== "folder" && place !== undefined) takeInFolder(sql, id, place);
  return id;
}

/** A row for a key that is new. */
export function ensureProject(sql: Statements, { key, name, identity }: ProjectIdentity): number {
  const known = sql.number("SELECT id FROM projects WHERE key = ?", key);
  if (known !== undefined) return known;
  noteChange(sql);
  return sql.run(
    "INSERT INTO projects (key, name, identified_name, identity) VALUES (?, ?, ?, ?)",
    key,
    name,
    name,
    identity,
  );
}

/** What is known of a folder that is gone, or that was a repository's once. */
export function knownProject(sql: Statements, place: string, isThere: boolean): number | undefined {
  const inRepository = sql.number(
    `SELECT p.id FROM project_folders f JOIN projects p ON p.id = f.project_id
     WHERE f.place = ? AND p.identity <> 'folder' ORDER BY p.id LIMIT 1`,
    place,
  );
  if (inRepository !== undefined || isThere) return inRepository;
  const above = withAncestors(place);
  return (
    sql.number(
      `SELECT project_id FROM project_roots WHERE root IN (${holes(above.length)}) ORDER BY length(root) DESC LIMIT 1`,
      ...above,
    ) ?? sql.number("SELECT project_id FROM project_folders WHERE place = ? ORDER BY project_id LIMIT 1", place)
  );
}

function settleIdentity(sql: Statements, identity: ProjectIdentity): number {
  const own = ensureProject(sql, identity);
  const { root, stamp } = identity.seen ?? {};
  if (root === undefined) return nowOf(sql, own);
  const before = sql.get("SELECT project_id, stamp FROM project_roots WHERE root = ?", root);
  const isOther = before !== undefined && isOtherRepository(maybeText(before.stamp), stamp);
  // Another repository stands where one was, so that what that one became is no longer this one's.
  if (isOther && identity.key === `git:${root}`) sql.run("UPDATE projects SET now_id = NULL WHERE id = ?", own);
  const id = nowOf(sql, own);
  if (before !== undefined && before.project_id === id && maybeText(before.stamp) === stamp) return id;
  const isSame = before !== undefined && stamp !== undefined && maybeText(before.stamp) === stamp;
  if (isSame) moveRoot(sql, integer(before.project_id), id, root);
  if (stamp !== undefined) followMove(sql, id, root, stamp);
  if (!isOther) takeInKeys(sql, id, root);
  noteRoot(sql, root, id, stamp);
  return id;
}

/** So that what lies in a worktree is known by that when it is gone, as in a repository. */
function noteWorktree(sql: Statements, id: number, { worktree, seen }: ProjectIdentity): void {
  if (worktree === undefined || seen?.root === undefined) return;
  const root = folderKey(worktree);
  const before = sql.get("SELECT project_id, stamp FROM project_roots WHERE root = ?", root);
  if (before?.project_id !== id || maybeText(before.stamp) !== seen.stamp) noteRoot(sql, root, id, seen.stamp);
}

function noteRoot(sql: Statements, root: string, id: number, stamp: string | undefined): void {
  sql.run("INSERT OR REPLACE INTO project_roots (root, project_id, stamp) VALUES (?, ?, ?)", root, id, stamp ?? null);
  noteChange(sql);
}

function nowOf(sql: Statements, id: number): number {
  return sql.number("SELECT now_id FROM projects WHERE id = ?", id) ?? id;
}

function isOtherRepository(before: string | undefined, now: string | undefined): boolean {
  return before !== undefined && now !== undefined && before !== now;
}

function noteFolder(
  sql: Statements,
  project: number,
  folder: string,
  place: string,
  { worktree, seen }: ProjectIdentity,
): void {
  const known = sql.get(
    "SELECT root, worktree FROM project_folders WHERE project_id = ? AND folder = ?",
    project,
    folder,
  );
  const root = seen?.root ?? maybeText(known?.root) ?? null;
  const top = worktree ?? maybeText(known?.worktree) ?? null;
  if (known !== undefined && known.root === root && known.worktree === top) return;
  sql.run(
    `INSERT OR REPLACE INTO project_folders (project_id, folder, place, root, worktree, belongs_id)
     VALUES (?, ?, ?, ?, ?, ?)`,
    project,
    folder,
    place,
    root,
    top,
    belongingOf(sql)(project, folder),
  );
  noteChange(sql);
}
