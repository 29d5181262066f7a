import { statSync } from "node:fs";
import type { FigureReader, StoreFilter, Totals } from "../store.ts";
import { sessionCondition } from "./filter.ts";
import { type Connection, openForReading, schemaOf } from "./open.ts";
import { IS_TOP_LEVEL, tokenUsage } from "./rows.ts";
import { integer, maybeInteger, type Row, type Statements, text } from "./statements.ts";

export function figureReader(db: Connection, sql: Statements, path: string): FigureReader {
  // `by` is a column of sessions, or a constant for one group. Three sums apart, since joined they would multiply.
  const totals = (filter: StoreFilter, by: "s.agent" | "''"): Row[] => {
    const { sql: condition, values } = sessionCondition(filter);
    const counts = sql.all(
      `SELECT ${by} AS agent, sum(${IS_TOP_LEVEL}) AS sessions, sum(NOT ${IS_TOP_LEVEL}) AS subagents,
         sum(s.messages) AS messages, sum(s.turns) AS prompts, count(DISTINCT s.project_id) AS projects,
         min(s.started_at) AS first_at, max(s.ended_at) AS last_at,
         sum((SELECT min(f.missing) FROM files f WHERE f.session_id = s.id) IS 1) AS archived
       FROM sessions s WHERE s.messages > 0 AND ${condition} GROUP BY 1 ORDER BY messages DESC, 1`,
      ...values,
    );
    const usage = sql.all(
      `SELECT ${by} AS agent, sum(c.input) AS input, sum(c.output) AS output, sum(c.cache_read) AS cache_read,
         sum(c.cache_write) AS cache_write
       FROM usage c JOIN sessions s ON s.id = c.session_id WHERE ${condition} GROUP BY 1`,
      ...values,
    );
    const observations = sql.all(
      `SELECT ${by} AS agent, count(*) AS observations FROM observations o JOIN sessions s ON s.id = o.session_id
       WHERE ${condition} GROUP BY 1`,
      ...values,
    );
    const of = (rows: readonly Row[], agent: unknown) => rows.find((row) => row.agent === agent) ?? {};
    return counts.map((row) => ({ ...of(usage, row.agent), ...of(observations, row.agent), ...row }));
  };

  return {
    totals: async (filter) => totalsOf(totals(filter, "''")[0] ?? {}),
    perAgent: async (filter) =>
      totals(filter, "s.agent").map((row) => ({
        agent: text(row.agent),
        archived: integer(row.archived),
        ...totalsOf(row),
      })),

    async perModel(filter) {
      const condition = sessionCondition(filter);
      return sql
        .all(
          `SELECT c.model, count(*) AS calls, sum(c.input) AS input, sum(c.output) AS output, sum(c.cache_read) AS cache_read,
             sum(c.cache_write) AS cache_write
           FROM usage c JOIN sessions s ON s.id = c.session_id WHERE c.model IS NOT NULL AND ${condition.sql}
           GROUP BY c.model ORDER BY output DESC, c.model`,
          ...condition.values,
        )
        .map((row) => ({ model: text(row.model), calls: integer(row.calls), usage: tokenUsage(row) }));
    },

    async activity(filter) {
      const condition = sessionCondition(filter);
      // Days of every time zone are made of quarters of an hour.
      return sql
        .all(
          `SELECT o.at / 900000 * 900000 AS at, o.session_id AS session, sum(o.last_seq - o.first_seq + 1) AS messages
           FROM observations o JOIN sessions s ON s.id = o.session_id WHERE ${condition.sql} GROUP BY 1, 2 ORDER BY 1, 2`,
          ...condition.values,
        )
        .map((row) => ({ at: integer(row.at), session: integer(row.session), messages: integer(row.messages) }));
    },

    async busiestFiles(filter, limit) {
      const condition = sessionCondition(filter);
      return sql
        .all(
          `SELECT p.path, count(*) AS touches FROM touches t JOIN paths p ON p.id = t.path_id
             JOIN observations o ON o.id = t.observation_id JOIN sessions s ON s.id = o.session_id
           WHERE t.changed = 1 AND ${condition.sql} GROUP BY p.id ORDER BY touches DESC, p.path LIMIT ?`,
          ...condition.values,
          limit,
        )
        .map((row) => ({ path: text(row.path), touches: integer(row.touches) }));
    },

    async integrity() {
      // A connection that has read the word index before takes what others have merged since for damage.
      const fresh = openForReading(path);
      try {
        const detail = String(fresh.pragma("integrity_check(1)", { simple: true }));
        return detail === "ok" ? { ok: true } : { ok: false, detail };
      } finally {
        fresh.close();
      }
    },

    schema: async () => schemaOf(db),
    bytes: async () =>
      [path, `${path}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0),
  };
}

function totalsOf(row: Row): Totals {
  const firstAt = maybeInteger(row.first_at);
  const lastAt = maybeInteger(row.last_at);
  return {
    sessions: integer(row.sessions),
    subagents: integer(row.subagents),
    messages: integer(row.messages),
    prompts: integer(row.prompts),
    observations: integer(row.observations),
    projects: integer(row.projects),
    usage: tokenUsage(row),
    ...(firstAt !== undefined && { firstAt }),
    ...(lastAt !== undefined && { lastAt }),
  };
}
