import { normaliseFolder } from "../../core/folder.ts";
import type { ObservationFilter, StoreFilter } from "../store.ts";
import { IS_SEEN } from "./hidden.ts";
import { holes, type Value } from "./statements.ts";

/** A condition and the values for its holes. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly Value[];
}

/** Sessions `s` that pass, of those that are told of. Dates compare with when the session was active. */
export function sessionCondition(filter: StoreFilter): Condition {
  return all([
    ...commonTests(filter),
    filter.branch !== undefined && test("s.branch = ?", filter.branch),
    filter.since !== undefined && test("s.ended_at >= ?", filter.since),
    filter.until !== undefined && test("s.started_at < ?", filter.until),
  ]);
}

/** Observations `o` that pass, of sessions `s` that are told of. */
export function observationCondition(filter: ObservationFilter, now: number): Condition {
  const excluded = filter.excludeSessions ?? [];
  return all([
    ...commonTests(filter),
    isValidAt(filter.asOf ?? now),
    filter.branch !== undefined && test("o.branch = ?", filter.branch),
    filter.since !== undefined && test("o.at >= ?", filter.since),
    filter.until !== undefined && test("o.at < ?", filter.until),
    filter.type !== undefined && test("o.type = ?", filter.type),
    !filter.subagents && test("s.relation IS NOT 'subagent'"),
    excluded.length > 0 &&
      test(
        `s.native_id NOT IN (${holes(excluded.length)}) AND (s.parent IS NULL OR s.parent NOT IN (${holes(excluded.length)}))`,
        ...excluded,
        ...excluded,
      ),
    filter.file !== undefined &&
      test(
        "EXISTS (SELECT 1 FROM touches t JOIN paths p ON p.id = t.path_id WHERE t.observation_id = o.id AND instr(lower(replace(p.path, char(92), '/')), lower(?)) > 0)",
        filter.file.replaceAll("\\", "/"),
      ),
  ]);
}

function commonTests(filter: StoreFilter): (Condition | false)[] {
  return [
    test(IS_SEEN),
    filter.projects !== undefined && test(`s.project_id IN (${holes(filter.projects.length)})`, ...filter.projects),
    filter.withoutProjects !== undefined &&
      test(`s.project_id NOT IN (${holes(filter.withoutProjects.length)})`, ...filter.withoutProjects),
    filter.withoutAgents !== undefined &&
      test(`s.agent NOT IN (${holes(filter.withoutAgents.length)})`, ...filter.withoutAgents),
    filter.agent !== undefined && test("s.agent = ?", filter.agent),
    filter.worktree !== undefined && inWorktree(filter.worktree),
    filter.tag !== undefined && hasTag(filter.tag),
    filter.collection !== undefined && isIn(filter.collection),
    filter.pinned !== undefined && test(`${filter.pinned ? "" : "NOT "}EXISTS (${ANNOTATED} AND a.kind = 'pin')`),
  ];
}

const ANNOTATED = "SELECT 1 FROM annotations a WHERE a.agent = s.agent AND a.session = s.native_id";

function hasTag(tag: string): Condition {
  return test(
    `(EXISTS (${ANNOTATED} AND a.kind = 'tag' AND a.key = ?) OR (
       EXISTS (SELECT 1 FROM tags g WHERE g.session_id = s.id AND g.tag = ?)
       AND NOT EXISTS (${ANNOTATED} AND a.kind = 'untag' AND a.key = ?)))`,
    tag,
    tag,
    tag,
  );
}

function isIn(collection: string): Condition {
  // A path sorts before what is below it, and that before the path with the character that follows the slash.
  return test(
    `EXISTS (${ANNOTATED} AND a.kind = 'collection' AND (a.key = ? OR (a.key >= ? AND a.key < ?)))`,
    collection,
    `${collection}/`,
    `${collection}0`,
  );
}

/** What nothing is said of counts always; else one of the memories that it is, or that stand on it, has to hold. */
export function isValidAt(at: number): Condition {
  return test(
    `o.public_id NOT IN (SELECT v.observation FROM validity v WHERE NOT (v.starts <= ? AND v.ends > ?) AND NOT EXISTS (
       SELECT 1 FROM validity w WHERE w.observation = v.observation AND w.starts <= ? AND w.ends > ?))`,
    at,
    at,
    at,
    at,
  );
}

function inWorktree(worktree: string): Condition {
  const wanted = normaliseFolder(worktree).toLowerCase();
  return test(
    `EXISTS (SELECT 1 FROM project_folders w WHERE w.project_id = s.identified_id AND w.folder = replace(s.cwd, char(10), ' ')
       AND (lower(w.worktree) = ? OR substr(lower(w.worktree), -length(?)) = ?))`,
    wanted,
    `/${wanted}`,
    `/${wanted}`,
  );
}

function test(sql: string, ...values: readonly Value[]): Condition {
  return { sql, values };
}

function all(conditions: readonly (Condition | false)[]): Condition {
  const kept = conditions.filter((condition) => condition !== false);
  return {
    sql: kept.map((condition) => condition.sql).join(" AND "),
    values: kept.flatMap((condition) => condition.values),
  };
}
