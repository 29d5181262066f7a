import type { HookReader, HookWrites } from "../hook-log.ts";
import { optional } from "./rows.ts";
import { integer, maybeInteger, type Statements, text } from "./statements.ts";

export function hookReader(sql: Statements): HookReader {
  return {
    runs: async () =>
      sql.all("SELECT agent, at, stored_at FROM hook_runs ORDER BY agent").map((row) => ({
        agent: text(row.agent),
        at: integer(row.at),
        ...optional("storedAt", maybeInteger(row.stored_at)),
      })),
  };
}

export function hookWrites(sql: Statements): HookWrites {
  return {
    async noteHookEvent({ hash, now, until }) {
      sql.run("DELETE FROM hook_events WHERE until <= ?", now);
      const isKnown = sql.number("SELECT 1 FROM hook_events WHERE hash = ?", hash) !== undefined;
      if (!isKnown) sql.run("INSERT INTO hook_events (hash, until) VALUES (?, ?)", hash, until);
      return !isKnown;
    },

    async noteHookRun({ agent, at, stored }) {
      sql.run(
        `INSERT INTO hook_runs (agent, at, stored_at) VALUES (?, ?, ?)
         ON CONFLICT (agent) DO UPDATE SET at = excluded.at, stored_at = coalesce(excluded.stored_at, stored_at)`,
        agent,
        at,
        stored ? at : null,
      );
    },

    async noteEarly(paths) {
      for (const path of paths)
        sql.run("INSERT OR IGNORE INTO early_files (file_id) SELECT id FROM files WHERE path = ?", path);
    },

    async forgetEarly() {
      sql.run("DELETE FROM early_files");
    },
  };
}
