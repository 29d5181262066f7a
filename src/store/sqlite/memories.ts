import { MEMORY_AGENT } from "../../core/memory.ts";
import type { MemoryReader } from "../store.ts";
import { type Statements, text } from "./statements.ts";

export function memoryReader(sql: Statements): MemoryReader {
  return {
    outdated: async (version) =>
      sql
        .all(
          `SELECT a.session AS id FROM annotations a LEFT JOIN sessions s ON s.agent = a.agent AND s.native_id = a.session
           WHERE a.kind = 'memory' AND (s.id IS NULL OR s.derived < ?)
           UNION SELECT s.native_id FROM sessions s WHERE s.agent = ? AND NOT EXISTS (
             SELECT 1 FROM annotations a WHERE a.kind = 'memory' AND a.agent = s.agent AND a.session = s.native_id)
           ORDER BY 1`,
          version,
          MEMORY_AGENT,
        )
        .map((row) => text(row.id)),

    areBehind: async (version) =>
      sql.number("SELECT 1 FROM sessions WHERE derived < ? AND agent = ? LIMIT 1", version, MEMORY_AGENT) !== undefined,

    withdrawing: async (observation, at) =>
      sql
        .all(
          `SELECT v.memory FROM validity v WHERE v.observation = ? AND v.memory <> v.observation AND v.ends <= ?
             AND NOT EXISTS (SELECT 1 FROM validity w WHERE w.observation = v.observation AND w.starts <= ? AND w.ends > ?)
           ORDER BY v.ends DESC, v.memory`,
          observation,
          at,
          at,
          at,
        )
        .map((row) => text(row.memory)),
  };
}
