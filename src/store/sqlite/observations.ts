import type { Clock } from "../../core/time.ts";
import type { ObservationReader } from "../store.ts";
import { observationCondition } from "./filter.ts";
import { IS_SEEN } from "./hidden.ts";
import {
  MESSAGE_COLUMNS,
  MESSAGE_TABLES,
  OBSERVATION_COLUMNS,
  OBSERVATION_TABLES,
  storedMessage,
  storedObservation,
} from "./rows.ts";
import { integer, type Statements, text } from "./statements.ts";

const SELECT = `SELECT ${OBSERVATION_COLUMNS} FROM ${OBSERVATION_TABLES}`;

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
      const condition = observationCondition(filter, clock());
      if (ids.length === 0) return ids;
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
