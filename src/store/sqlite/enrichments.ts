import type { EnrichmentReader, EnrichmentWrites, StoredEnrichment } from "../enrichments.ts";
import { IS_SEEN } from "./hidden.ts";
import { integer, type Row, type Statements, text } from "./statements.ts";

export function enrichmentReader(sql: Statements): EnrichmentReader {
  return {
    async of({ agent, nativeId }) {
      const row = sql.get(`SELECT e.* FROM ${SEEN} AND s.agent = ? AND s.native_id = ?`, agent, nativeId);
      return row === undefined ? undefined : storedEnrichment(row);
    },

    perModel: async () =>
      sql
        .all(
          `SELECT e.model, count(*) AS sessions, sum(e.input) AS input, sum(e.output) AS output FROM ${SEEN}
             GROUP BY e.model ORDER BY e.model`,
        )
        .map((row) => ({
          model: text(row.model),
          sessions: integer(row.sessions),
          input: integer(row.input),
          output: integer(row.output),
        })),
  };
}

const SEEN = `enrichments e JOIN sessions s ON s.agent = e.agent AND s.native_id = e.session WHERE ${IS_SEEN}`;

export function enrichmentWrites(sql: Statements): EnrichmentWrites {
  return {
    async enrich({ agent, nativeId }, enrichment) {
      const session = sql.number(
        `SELECT s.id FROM sessions s WHERE s.agent = ? AND s.native_id = ? AND s.messages > 0 AND ${IS_SEEN}`,
        agent,
        nativeId,
      );
      if (session === undefined) return false;
      sql.run(
        `INSERT OR REPLACE INTO enrichments (agent, session, title, summary, model, prompt_hash, input, output, is_estimated, at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        agent,
        nativeId,
        enrichment.title,
        enrichment.summary,
        enrichment.model,
        enrichment.promptHash,
        enrichment.input,
        enrichment.output,
        enrichment.isEstimated ? 1 : 0,
        enrichment.at,
      );
      // The words that it is found by.
      sql.run("UPDATE sessions SET title_stale = 1 WHERE id = ?", session);
      return true;
    },

    async dropEnrichments(model) {
      const [which, values] = model === undefined ? ["1", []] : ["model = ?", [model]];
      const count = sql.number(`SELECT count(*) FROM enrichments WHERE ${which}`, ...values) ?? 0;
      sql.run(
        `UPDATE sessions SET title_stale = 1
           WHERE (agent, native_id) IN (SELECT agent, session FROM enrichments WHERE ${which})`,
        ...values,
      );
      sql.run(`DELETE FROM enrichments WHERE ${which}`, ...values);
      return count;
    },
  };
}

function storedEnrichment(row: Row): StoredEnrichment {
  return {
    title: text(row.title),
    summary: text(row.summary),
    model: text(row.model),
    promptHash: text(row.prompt_hash),
    input: integer(row.input),
    output: integer(row.output),
    isEstimated: integer(row.is_estimated) === 1,
    at: integer(row.at),
  };
}
