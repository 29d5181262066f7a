import type { Exclusions, WorkPlace } from "../../core/exclusion.ts";
import { MEMORY_AGENT } from "../../core/memory.ts";
import type { Connection } from "./open.ts";
import { integer, maybeText, type Row, type Statements, text } from "./statements.ts";

/**
 * Whether a session `s` is one that is told of. Those that are not are looked up once for each statement, so that a
 * candidate costs no more than a look at a short list. Works where {@link defineHidden} was called.
 */
export const IS_SEEN = isSeen("s");

/** The same of sessions under another name. */
export function isSeen(sessions: string): string {
  return `${sessions}.id NOT IN (SELECT id FROM forgotten) AND ${sessions}.id NOT IN (SELECT id FROM excluded)`;
}

/**
 * What a subagent did was done for the session that is forgotten. What is removed for good is there no more, or its removal
 * was cut off.
 */
const FORGOTTEN = `
  WITH RECURSIVE forgotten (id, agent, native_id) AS (
    SELECT s.id, s.agent, s.native_id
      FROM annotations a JOIN sessions s ON s.agent = a.agent AND s.native_id = a.session WHERE a.kind = 'forgotten'
    UNION
    SELECT s.id, s.agent, s.native_id
      FROM refused_sessions r JOIN sessions s ON s.agent = r.agent AND s.native_id = r.native_id
    UNION
    SELECT c.id, c.agent, c.native_id
      FROM forgotten f JOIN sessions c ON c.agent = f.agent AND c.parent = f.native_id WHERE c.relation = 'subagent'
  )
  SELECT id FROM forgotten`;

/**
 * Names the hidden sessions on this connection alone, which may be one that only reads: what is excluded is set for each
 * process, and may be set otherwise for another.
 */
export function defineHidden(db: Connection): void {
  db.exec(`CREATE TEMP VIEW forgotten AS ${FORGOTTEN};
    CREATE TEMP TABLE excluded (id INTEGER PRIMARY KEY);
    CREATE TEMP VIEW hidden AS SELECT id, 'forgotten' AS reason FROM forgotten
      UNION ALL SELECT id, 'excluded' FROM excluded WHERE id NOT IN (SELECT id FROM forgotten);`);
}

/** Keeps the list of excluded sessions of one connection in step with the store, at the cost of a look where nothing changed. */
export class ExcludedSessions {
  readonly #sql: Statements;
  readonly #db: Connection;
  #exclusions: Exclusions | undefined;
  #version = -1;

  constructor(db: Connection, sql: Statements) {
    this.#db = db;
    this.#sql = sql;
  }

  /** Hides the sessions of the places that are excluded, and no others. */
  hide(exclusions: Exclusions | undefined): void {
    const version = Number(this.#db.pragma("data_version", { simple: true }));
    if (exclusions === this.#exclusions && (exclusions === undefined || version === this.#version)) return;
    this.#exclusions = exclusions;
    this.#version = version;
    const ids = exclusions === undefined ? [] : this.#idsOf(exclusions);
    this.#sql.run("DELETE FROM excluded");
    this.#sql.run("INSERT INTO excluded SELECT value FROM json_each(?)", JSON.stringify(ids));
  }

  #idsOf({ test }: Exclusions): readonly number[] {
    const verdicts = new Map<string, boolean>();
    const isExcluded = (row: Row): boolean => {
      const place = placeOf(row);
      const key = JSON.stringify(place);
      const verdict = verdicts.get(key) ?? test(place) === "yes";
      verdicts.set(key, verdict);
      return verdict;
    };
    const rows = this.#sql.all(
      `SELECT s.id, s.agent, s.native_id, s.parent, s.relation, s.cwd AS folder, i.key AS identified, p.key AS belongs
         FROM sessions s LEFT JOIN projects i ON i.id = s.identified_id LEFT JOIN projects p ON p.id = s.project_id
         WHERE s.agent <> '${MEMORY_AGENT}'`,
    );
    const names = new Set<string>();
    const ids = new Set<number>();
    // A subagent may have begun before its spawner, and one that tells no folder is where that is.
    for (let known = -1; known < ids.size; ) {
      known = ids.size;
      for (const row of rows) {
        const isBelow = row.relation === "subagent" && names.has(`${text(row.agent)} ${text(row.parent)}`);
        if (ids.has(integer(row.id)) || !(isBelow || isExcluded(row))) continue;
        ids.add(integer(row.id));
        names.add(`${text(row.agent)} ${text(row.native_id)}`);
      }
    }
    return [...ids];
  }
}

export function placeOf({ folder, identified, belongs }: Row): WorkPlace {
  const path = maybeText(folder);
  const projects = [...new Set([maybeText(identified), maybeText(belongs)])].filter((key) => key !== undefined);
  return { ...(path !== undefined && { folder: path }), projects };
}
