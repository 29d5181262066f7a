import type { VectorEntry, VectorWrites } from "../vectors.ts";
import { integer, type Statements } from "./statements.ts";
import { entryAt, packVectors } from "./vector-pack.ts";
import { packOf } from "./vectors.ts";

export function vectorWrites(sql: Statements): VectorWrites {
  const engineOf = ({ id, dims }: { readonly id: string; readonly dims: number }): number =>
    sql.number("SELECT id FROM vector_engines WHERE name = ?", id) ??
    sql.run("INSERT INTO vector_engines (name, dims) VALUES (?, ?)", id, dims);

  return {
    async saveVectors(session, engine, entries) {
      const engineId = engineOf(engine);
      const known = new Map<number, VectorEntry>();
      const pack = packOf(sql, session, { id: engineId, dims: engine.dims });
      for (let index = 0; index < (pack?.count ?? 0); index += 1) {
        if (pack !== undefined) known.set(pack.observation(index), entryAt(pack, index));
      }
      for (const entry of entries) known.set(entry.observation, entry);
      const kept: VectorEntry[] = [];
      let isStale = false;
      for (const row of sql.all("SELECT id, last_seq FROM observations WHERE session_id = ? ORDER BY id", session)) {
        const entry = known.get(integer(row.id));
        if (entry !== undefined) kept.push(entry);
        isStale ||= entry?.lastSeq !== integer(row.last_seq);
      }
      if (kept.length === 0) return;
      sql.run(
        `INSERT INTO vectors (session_id, engine_id, observations, is_stale, entries) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (session_id, engine_id) DO UPDATE SET observations = excluded.observations,
           is_stale = excluded.is_stale, entries = excluded.entries`,
        session,
        engineId,
        kept.length,
        Number(isStale),
        packVectors(kept, engine.dims),
      );
    },

    async dropVectors(engine) {
      const [which, values] = engine === undefined ? ["1", []] : ["name = ?", [engine]];
      const those = `SELECT id FROM vector_engines WHERE ${which}`;
      const count = sql.number(`SELECT sum(observations) FROM vectors WHERE engine_id IN (${those})`, ...values) ?? 0;
      sql.run(`DELETE FROM vectors WHERE engine_id IN (${those})`, ...values);
      sql.run(`DELETE FROM vector_engines WHERE ${which}`, ...values);
      return count;
    },

    async saveWeights(engine, counted, weights) {
      sql.run("UPDATE vector_engines SET counted = ?, weights = ? WHERE id = ?", counted, weights, engineOf(engine));
    },
  };
}
