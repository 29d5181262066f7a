import { normaliseFolder } from "../../core/folder.ts";
import { MEMORY_AGENT } from "../../core/memory.ts";
import type { Clock } from "../../core/time.ts";
import {
  HIDING_REASONS,
  type HidingReason,
  type SessionReader,
  type StoredProject,
  type StoredSession,
} from "../store.ts";
import { SESSION_TAGS } from "./annotations.ts";
import { sessionCondition } from "./filter.ts";
import { type ExcludedSessions, IS_SEEN } from "./hidden.ts";
import {
  IS_TOP_LEVEL,
  identityOf,
  MESSAGE_COLUMNS,
  MESSAGE_TABLES,
  optional,
  SESSION_COLUMNS,
  SESSION_TABLES,
  storedMessage,
  storedSession,
} from "./rows.ts";
import { sessionDetails } from "./session-details.ts";
import { holes, integer, maybeInteger, maybeText, type Row, type Statements, text } from "./statements.ts";
import { sessionKey } from "./write-files.ts";

export function sessionReader(sql: Statements, clock: Clock, excluded: ExcludedSessions): SessionReader {
  const select = (rest: string, ...values: (string | number)[]): StoredSession[] =>
    sql
      .all(`SELECT ${SESSION_COLUMNS} FROM ${SESSION_TABLES} ${rest}`, ...values)
      .map((row) => storedSession(row, clock()));

  return {
    async list(filter, options, slice) {
      const condition = sessionCondition(filter);
      // A replay that holds nothing of its own is not a conversation anyone had.
      const holds = options.silent === true ? `(s.messages > 0 OR ${HAS_USAGE})` : "s.messages > 0";
      const where = `WHERE ${holds} AND ${condition.sql}${options.subagents ? "" : ` AND ${IS_TOP_LEVEL}`}`;
      return {
        total: sql.number(`SELECT count(*) FROM sessions s ${where}`, ...condition.values) ?? 0,
        items: sql
          .all(
            `SELECT ${SESSION_COLUMNS} FROM ${SESSION_TABLES} ${where} ORDER BY s.ended_at DESC, s.agent, s.native_id LIMIT ? OFFSET ?`,
            ...condition.values,
            slice.limit,
            slice.offset,
          )
          .map((row) => storedSession(row, clock())),
      };
    },

    get: async (id) => select(`WHERE s.id = ? AND ${IS_SEEN}`, id)[0],

    byKey: async ({ agent, nativeId }) =>
      select(`WHERE s.agent = ? AND s.native_id = ? AND ${IS_SEEN}`, agent, nativeId)[0],

    details: async (session) => sessionDetails(sql, session),

    byPrefix: async (prefix, limit) =>
      select(
        // One that only repeated another, and was emptied for that, is not what an id means.
        `WHERE s.native_id >= ? AND s.native_id < ? AND s.agent <> '${MEMORY_AGENT}' AND ${IS_SEEN}
           AND (s.messages > 0 OR NOT EXISTS (
             SELECT 1 FROM sessions t WHERE t.native_id = s.native_id AND t.id <> s.id AND t.messages > 0))
           ORDER BY s.native_id <> ?, s.relation IS 'subagent', s.native_id, s.agent LIMIT ?`,
        prefix,
        `${prefix}\u{10ffff}`,
        prefix,
        limit,
      ),

    async nearest(id, limit) {
      // The longest beginning that any session shares, then the most recent of those.
      for (let length = Math.min(id.length, 36); length >= 0; length--) {
        const prefix = id.slice(0, length);
        const found = sql.all(
          `SELECT native_id FROM sessions s WHERE native_id >= ? AND native_id < ? AND messages > 0 AND relation IS NOT 'subagent'
             AND ${IS_SEEN} ORDER BY ended_at DESC, native_id LIMIT ?`,
          prefix,
          `${prefix}\u{10ffff}`,
          limit,
        );
        if (found.length > 0) return found.map((row) => text(row.native_id));
      }
      return [];
    },

    async related(session) {
      const parents =
        session.parent === undefined
          ? []
          : select(`WHERE s.agent = ? AND s.native_id = ? AND ${IS_SEEN}`, session.agent, session.parent);
      const successors =
        session.continuedIn === undefined
          ? []
          : select(`WHERE s.agent = ? AND s.native_id = ? AND ${IS_SEEN}`, session.agent, session.continuedIn);
      const children = select(
        `WHERE s.agent = ? AND s.parent = ? AND s.messages > 0 AND ${IS_SEEN} ORDER BY s.started_at, s.native_id`,
        session.agent,
        session.nativeId,
      );
      const predecessors = select(
        `WHERE s.agent = ? AND s.continued_in = ? AND ${IS_SEEN} ORDER BY s.started_at, s.native_id`,
        session.agent,
        session.nativeId,
      );
      return [
        ...[...parents, ...predecessors].map((found) => ({ session: found, relation: "parent" as const })),
        ...successors.map((found) => ({ session: found, relation: "continuation" as const })),
        ...children.map((found) => ({ session: found, relation: found.relation ?? ("subagent" as const) })),
      ];
    },

    hideExcluded: async (exclusions) => excluded.hide(exclusions),

    excluded: async () =>
      sql.all("SELECT s.id, s.agent, s.native_id FROM excluded e JOIN sessions s ON s.id = e.id").map(sessionKey),

    async hidden({ reason, prefix = "" }, slice) {
      const where = `WHERE (s.messages > 0 OR s.agent = '${MEMORY_AGENT}') AND s.native_id >= ? AND s.native_id < ?${reason === undefined ? "" : " AND h.reason = ?"}`;
      const values = [prefix, `${prefix}\u{10ffff}`, ...(reason === undefined ? [] : [reason])];
      return {
        total: sql.number(`SELECT count(*) FROM hidden h JOIN sessions s ON s.id = h.id ${where}`, ...values) ?? 0,
        items: sql
          .all(
            `SELECT h.reason, ${SESSION_COLUMNS} FROM hidden h JOIN sessions s ON s.id = h.id LEFT JOIN projects p ON p.id = s.project_id
             ${where} ORDER BY s.relation IS 'subagent', s.ended_at DESC, s.agent, s.native_id LIMIT ? OFFSET ?`,
            ...values,
            slice.limit,
            slice.offset,
          )
          .map((row) => ({ ...storedSession(row, clock()), hidden: hidingReasonOf(row.reason) })),
      };
    },

    async messages(session, options, slice) {
      const { roles, parts } = options;
      const where = [
        "m.session_id = ?",
        ...(roles === undefined ? [] : [`m.role IN (${holes(roles.length)})`]),
        ...(parts === undefined ? [] : [`m.part IN (${holes(parts.length)})`]),
      ].join(" AND ");
      const values = [session, ...(roles ?? []), ...(parts ?? [])];
      return {
        total: sql.number(`SELECT count(*) FROM messages m WHERE ${where}`, ...values) ?? 0,
        items: sql
          .all(
            `SELECT ${MESSAGE_COLUMNS} FROM ${MESSAGE_TABLES} WHERE ${where} ORDER BY m.seq LIMIT ? OFFSET ?`,
            ...values,
            slice.limit,
            slice.offset,
          )
          .map(storedMessage),
      };
    },

    async projects(filter, slice) {
      const { sql: condition, values } = sessionCondition(filter);
      const from = `FROM sessions s JOIN projects p ON p.id = s.project_id WHERE s.messages > 0 AND ${condition}`;
      return {
        total: sql.number(`SELECT count(DISTINCT p.id) ${from}`, ...values) ?? 0,
        items: sql
          .all(
            `SELECT ${PROJECT_COLUMNS} ${from} GROUP BY p.id ORDER BY last_at DESC, p.key LIMIT ? OFFSET ?`,
            ...values,
            slice.limit,
            slice.offset,
          )
          .map(storedProject),
      };
    },

    async matchProjects(wanted) {
      const all = sql
        .all(
          `SELECT ${PROJECT_COLUMNS} FROM sessions s JOIN projects p ON p.id = s.project_id
             WHERE (s.messages > 0 OR s.agent = '${MEMORY_AGENT}') AND ${IS_SEEN} GROUP BY p.id ORDER BY last_at DESC, p.key`,
        )
        .map(storedProject);
      const asked = normalise(wanted);
      const exact = all.filter((project) => namesOf(project).includes(asked));
      if (exact.length > 0) return exact;
      // The kind of a key is no part of a name.
      const parts = (project: StoredProject) =>
        namesOf(project).map((name) => name.replace(/^(?:folder|git|remote|split):/, ""));
      return all.filter((project) => parts(project).some((name) => name.includes(asked)));
    },

    async tags(filter, slice) {
      const condition = sessionCondition(filter);
      const from = `FROM (${SESSION_TAGS}) g JOIN sessions s ON s.id = g.session_id WHERE s.messages > 0 AND ${condition.sql}`;
      return {
        total: sql.number(`SELECT count(DISTINCT g.tag) ${from}`, ...condition.values) ?? 0,
        items: sql
          .all(
            `SELECT g.tag, count(*) AS sessions ${from} GROUP BY g.tag ORDER BY sessions DESC, g.tag LIMIT ? OFFSET ?`,
            ...condition.values,
            slice.limit,
            slice.offset,
          )
          .map((row) => ({ tag: text(row.tag), sessions: integer(row.sessions) })),
      };
    },
  };
}

const HAS_USAGE = "EXISTS (SELECT 1 FROM usage u WHERE u.session_id = s.id)";

const PROJECT_COLUMNS = `p.id, p.key, p.name, p.identity, p.identified_name,
  (SELECT group_concat(f.folder, char(10)) FROM project_folders f WHERE f.belongs_id = p.id) AS folders,
  (SELECT group_concat(q.key, char(10)) FROM projects q WHERE q.now_id = p.id) AS former,
  (SELECT json_group_array(json_array(q.key, q.name)) FROM projects q WHERE q.belongs_id = p.id AND q.now_id IS NULL) AS merged,
  (SELECT d.project FROM project_decisions d WHERE d.kind = 'split' AND d.target = p.key AND d.undone_at IS NULL
    ORDER BY d.number DESC LIMIT 1) AS split_from,
  coalesce(group_concat(DISTINCT iif(s.messages > 0, s.agent, NULL)), '') AS agents,
  sum(s.messages > 0 AND ${IS_TOP_LEVEL}) AS sessions, sum(s.messages) AS messages,
  min(s.started_at) AS first_at, max(s.ended_at) AS last_at`;

function storedProject(row: Row): StoredProject {
  const pairs: readonly (readonly [string, string])[] = JSON.parse(text(row.merged));
  const merged = pairs.map(([key, name]) => ({ key, name })).sort((a, b) => (a.key < b.key ? -1 : 1));
  const formerKeys = text(row.former).split("\n").filter(Boolean).sort();
  const name = text(row.name);
  const identifiedName = text(row.identified_name);
  return {
    id: integer(row.id),
    key: text(row.key),
    name,
    identity: identityOf(row.identity),
    folders: [...new Set(text(row.folders).split("\n").filter(Boolean))].sort(),
    agents: text(row.agents).split(",").filter(Boolean).sort(),
    sessions: integer(row.sessions),
    messages: integer(row.messages),
    ...optional("firstAt", maybeInteger(row.first_at)),
    ...optional("lastAt", maybeInteger(row.last_at)),
    ...optional("identifiedName", identifiedName === name ? undefined : identifiedName),
    ...optional("formerKeys", formerKeys.length === 0 ? undefined : formerKeys),
    ...optional("merged", merged.length === 0 ? undefined : merged),
    ...optional("splitFrom", maybeText(row.split_from)),
  };
}

function hidingReasonOf(column: unknown): HidingReason {
  return HIDING_REASONS.find((reason) => reason === column) ?? "forgotten";
}

function namesOf({ key, name, folders, identifiedName, formerKeys = [], merged = [] }: StoredProject): string[] {
  const others = merged.flatMap((one) => [one.key, one.name]);
  const names = [key, name, ...folders, ...(identifiedName === undefined ? [] : [identifiedName]), ...formerKeys];
  return [...names, ...others].map(normalise);
}

/** Spellings of one path are one name. */
function normalise(name: string): string {
  return normaliseFolder(name).toLowerCase();
}
