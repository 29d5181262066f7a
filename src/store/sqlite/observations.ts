import { ROLES } from "../../core/session.ts";
import type { Clock } from "../../core/time.ts";
import type { ObservationFilter, ObservationReader } from "../store.ts";
import { observationCondition } from "./filter.ts";
import { IS_SEEN } from "./hidden.ts";
import {
  MESSAGE_COLUMNS,
  MESSAGE_TABLES,
  OBSERVATION_COLUMNS,
  OBSERVATION_TABLES,
  oneOf,
  storedMessage,
  storedObservation,
} from "./rows.ts";
import { integer, type Statements, text } from "./statements.ts";

const SELECT = `SELECT ${OBSERVATION_COLUMNS} FROM ${OBSERVATION_TABLES}`;

/** Whether it asks for nothing but what is told of and counts. */
function passesAll({ subagents, excludeSessions = [], asOf: _, ...tests }: ObservationFilter): boolean {
  return subagents && excludeSessions.length === 0 && Object.values(tests).every((test) => test === undefined);
}

/** Whether nothing is hidden, and nothing was withdrawn: where most stores are, thousands of candidates need no look. */
function isAllShown(sql: Statements, at: number): boolean {
  const found = sql.number(
    `SELECT EXISTS (SELECT 1 FROM forgotten) OR EXISTS (SELECT 1 FROM excluded)
       OR EXISTS (SELECT 1 FROM validity WHERE NOT (starts <= ? AND ends > ?))`,
    at,
    at,
  );
  return found === 0;
}

export function observationReader(sql: Statements, clock: Clock): ObservationReader {
  return {
    async byIds(ids) {
      const found = new Map(
        sql
          .all(`${SELECT} WHERE o.id IN (SELECT value FROM json_each(?))`, JSON.stringify(ids))
          .map((row) => [integer(row.id), storedObservation(row)]),
      );
      return ids.flatMap((id) => found.get(id) ?? []);
    },

    async narrow(ids, filter) {
      if (ids.length === 0 || (passesAll(filter) && isAllShown(sql, filter.asOf ?? clock()))) return ids;
      const condition = observationCondition(filter, clock());
      const passing = new Set(
        sql.numbers(
          `SELECT o.id FROM observations o JOIN sessions s ON s.id = o.session_id WHERE o.id IN (SELECT value FROM json_each(?)) AND ${condition.sql}`,
          JSON.stringify(ids),
          ...condition.values,
        ),
      );
      return ids.filter((id) => passing.has(id));
    },

    byPrefix: async (prefix, limit) =>
      sql
        .all(
          `${SELECT} WHERE o.public_id >= ? AND o.public_id < ? AND ${IS_SEEN} ORDER BY o.public_id LIMIT ?`,
          prefix,
          `${prefix}~`,
          limit,
        )
        .map(storedObservation),

    async nearest(publicId, limit) {
      for (let length = Math.min(publicId.length, 12); length > 0; length--) {
        const prefix = publicId.slice(0, length);
        const found = sql.all(
          `SELECT o.public_id FROM observations o JOIN sessions s ON s.id = o.session_id
           WHERE o.public_id >= ? AND o.public_id < ? AND ${IS_SEEN} ORDER BY o.public_id LIMIT ?`,
          prefix,
          `${prefix}~`,
          limit,
        );
        if (found.length > 0) return found.map((row) => text(row.public_id));
      }
      return [];
    },

    async recent(filter, slice) {
      const condition = observationCondition(filter, clock());
      return {
        total:
          sql.number(`SELECT count(*) FROM ${OBSERVATION_TABLES} WHERE ${condition.sql}`, ...condition.values) ?? 0,
        items: sql
          .all(
            `${SELECT} WHERE ${condition.sql} ORDER BY o.at DESC, o.id DESC LIMIT ? OFFSET ?`,
            ...condition.values,
            slice.limit,
            slice.offset,
          )
          .map(storedObservation),
      };
    },

    async around(at, filter, options) {
      const condition = observationCondition(filter, clock());
      const within = options.session === undefined ? "" : " AND o.session_id = ?";
      const values = [...condition.values, ...(options.session === undefined ? [] : [options.session])];
      const side = (comparison: string, order: string, limit: number) =>
        sql
          .all(
            `${SELECT} WHERE ${condition.sql}${within} AND o.at ${comparison} ? ORDER BY o.at ${order}, o.id ${order} LIMIT ?`,
            ...values,
            at,
            limit,
          )
          .map(storedObservation);
      return { before: side("<", "DESC", options.before), after: side(">=", "ASC", options.after) };
    },

    async beside(ids) {
      const rows = sql.lists(
        `SELECT o.id,
           (SELECT b.id FROM observations b WHERE b.session_id = o.session_id AND b.first_seq < o.first_seq ORDER BY b.first_seq DESC LIMIT 1),
           (SELECT a.id FROM observations a WHERE a.session_id = o.session_id AND a.first_seq > o.first_seq ORDER BY a.first_seq LIMIT 1)
         FROM observations o WHERE o.id IN (SELECT value FROM json_each(?))`,
        JSON.stringify(ids),
      );
      return new Map(
        rows.map(([id, before, after]) => [
          integer(id),
          { ...(before !== null && { before: integer(before) }), ...(after !== null && { after: integer(after) }) },
        ]),
      );
    },

    spans: async (session) =>
      sql
        .all("SELECT public_id, first_seq, last_seq FROM observations WHERE session_id = ? ORDER BY first_seq", session)
        .map((row) => ({
          publicId: text(row.public_id),
          firstSeq: integer(row.first_seq),
          lastSeq: integer(row.last_seq),
        })),

    messages: async (observation) =>
      sql
        .all(
          `SELECT ${MESSAGE_COLUMNS} FROM ${MESSAGE_TABLES} WHERE m.session_id = ? AND m.seq BETWEEN ? AND ? ORDER BY m.seq`,
          observation.sessionId,
          observation.firstSeq,
          observation.lastSeq,
        )
        .map(storedMessage),

    async messageAt(observation, index) {
      const row = sql.get(
        `SELECT ${MESSAGE_COLUMNS} FROM ${MESSAGE_TABLES} WHERE m.session_id = ? AND m.seq = ?`,
        observation.sessionId,
        observation.firstSeq + index,
      );
      return row === undefined ? undefined : storedMessage(row);
    },

    async uidsAt({ sessionId, firstSeq, lastSeq }, indexes) {
      const rows = sql.all(
        "SELECT seq, uid, role FROM messages WHERE session_id = ? AND seq <= ? AND seq IN (SELECT ? + value FROM json_each(?)) ORDER BY seq",
        sessionId,
        lastSeq,
        firstSeq,
        JSON.stringify(indexes),
      );
      return rows.map((row) => ({
        index: integer(row.seq) - firstSeq,
        uid: Buffer.isBuffer(row.uid) ? row.uid.toString("hex") : "",
        role: oneOf(ROLES, row.role) ?? "system",
      }));
    },

    traits: async (observation) => sql.number("SELECT traits FROM observations WHERE id = ?", observation) ?? 0,

    files: async (observation) =>
      sql
        .all(
          "SELECT p.path, t.changed FROM touches t JOIN paths p ON p.id = t.path_id WHERE t.observation_id = ? ORDER BY t.changed DESC, p.path",
          observation,
        )
        .map((row) => ({ path: text(row.path), changed: row.changed === 1 })),
  };
}
