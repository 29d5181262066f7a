import type { Found, TextLayer, TraceReader } from "../store.ts";
import { ERASE_DUE } from "./erase.ts";
import { keyIn, rowsBehind } from "./rewrite-texts.ts";
import { optional, storedMessage } from "./rows.ts";
import { integer, maybeText, type Row, type Statements, text } from "./statements.ts";
import { unpack } from "./text.ts";
import { type TextTable, textTables } from "./text-columns.ts";
import { sessionKey } from "./write-files.ts";
import { receiptTexts } from "./write-receipts.ts";

/** Rows that are looked through at once. */
const ROWS_AT_ONCE = 200;

export function traceReader(sql: Statements): TraceReader {
  return {
    family: async (sessions) => sql.all(FAMILY, JSON.stringify(sessions)).map(sessionKey),

    projects: async (asked) =>
      sql
        .all(
          `SELECT p.id, p.key FROM projects p WHERE (p.key = ? OR lower(p.name) = lower(?)
             OR EXISTS (SELECT 1 FROM project_folders f WHERE f.belongs_id = p.id AND f.folder = ?))
             AND EXISTS (SELECT 1 FROM sessions s WHERE s.project_id = p.id) ORDER BY p.key`,
          asked,
          asked,
          asked,
        )
        .map((row) => ({ id: integer(row.id), key: text(row.key) })),

    ofProject: async (project) =>
      sql.all("SELECT id, agent, native_id FROM sessions WHERE project_id = ? ORDER BY id", project).map(sessionKey),

    filesOf: async (sessions) =>
      filesIn(sql, sessions).map(({ agent, path, container }) =>
        container === undefined
          ? { agent, path }
          : { agent, path: container, ...optional("part", path.slice(container.length + 1) || undefined) },
      ),

    async count(sessions) {
      const list = JSON.stringify(sessions);
      const count = (from: string): number =>
        sql.number(`SELECT count(*) FROM ${from} IN (SELECT value FROM json_each(?))`, list) ?? 0;
      return {
        messages: count("messages WHERE session_id"),
        observations: count("observations WHERE session_id"),
        annotations: count("annotations a JOIN sessions s ON s.agent = a.agent AND s.native_id = a.session WHERE s.id"),
        projects:
          sql.number(
            `SELECT count(DISTINCT s.project_id) FROM sessions s WHERE s.id IN (SELECT value FROM json_each(?))
               AND NOT EXISTS (SELECT 1 FROM sessions o WHERE o.project_id = s.project_id
                 AND o.id NOT IN (SELECT value FROM json_each(?)))`,
            list,
            list,
          ) ?? 0,
      };
    },

    relatives: async (sessions) => sql.all(RELATIVES, JSON.stringify(sessions)).map(sessionKey),

    async sample(sessions, limit) {
      const list = JSON.stringify(sessions);
      const total = sql.number(
        "SELECT count(*) FROM messages WHERE session_id IN (SELECT value FROM json_each(?))",
        list,
      );
      const step = Math.max(1, Math.ceil((total ?? 0) / limit));
      return sql
        .all(
          `SELECT text FROM (SELECT text, row_number() OVER (ORDER BY id) AS nth FROM messages
             WHERE session_id IN (SELECT value FROM json_each(?))) WHERE nth % ? = 0 LIMIT ?`,
          list,
          step,
          limit,
        )
        .map((row) => unpack(row.text));
    },

    async find(strings, without) {
      const found = new Map<string, Found>();
      const left = new Set(without);
      for (const table of textTables(sql)) {
        for (const row of allRows(sql, table)) {
          if (left.has(integer(row.session_id)) || (table.name === "sessions" && left.has(integer(row.id)))) continue;
          const texts = textsIn(table, row);
          for (const string of strings) {
            if (texts.some((one) => one.includes(string))) note(found, string, table.layer);
          }
        }
      }
      return [...found.values()];
    },

    isEraseDue: async () => sql.number("SELECT 1 FROM facts WHERE name = ?", ERASE_DUE) !== undefined,
  };
}

export interface FileOf {
  readonly id: number;
  readonly agent: string;
  readonly path: string;
  readonly container?: string;
}

/** Files that the sessions were read from, and that repeat them. */
export function filesIn(sql: Statements, sessions: readonly number[]): readonly FileOf[] {
  const list = JSON.stringify(sessions);
  return sql
    .all(
      `SELECT id, agent, path, container FROM files f WHERE session_id IN (SELECT value FROM json_each(?))
         OR id IN (SELECT file_id FROM messages WHERE session_id IN (SELECT value FROM json_each(?)))
         OR copy_of IN (SELECT agent || ' ' || native_id FROM sessions WHERE id IN (SELECT value FROM json_each(?)))
       ORDER BY path`,
      list,
      list,
      list,
    )
    .map((row) => ({
      id: integer(row.id),
      agent: text(row.agent),
      path: text(row.path),
      ...optional("container", maybeText(row.container)),
    }));
}

const FAMILY = `
  WITH RECURSIVE family (id) AS (
    SELECT value FROM json_each(?)
    UNION SELECT c.id FROM family f JOIN sessions s ON s.id = f.id
      JOIN sessions c ON c.agent = s.agent AND c.parent = s.native_id AND c.relation = 'subagent'
    UNION SELECT r.session_id FROM family f JOIN sessions s ON s.id = f.id
      JOIN files r ON r.copy_of = s.agent || ' ' || s.native_id WHERE r.session_id IS NOT NULL
  )
  SELECT s.id, s.agent, s.native_id FROM sessions s WHERE s.id IN (SELECT id FROM family) ORDER BY s.id`;

const RELATIVES = `
  WITH family (id) AS (SELECT value FROM json_each(?))
  SELECT s.id, s.agent, s.native_id FROM sessions s WHERE s.id NOT IN (SELECT id FROM family) AND (
    EXISTS (SELECT 1 FROM sessions f WHERE f.id IN (SELECT id FROM family) AND f.agent = s.agent
      AND (f.native_id IN (s.parent, s.continued_in) OR s.native_id IN (f.parent, f.continued_in)))
    OR EXISTS (SELECT 1 FROM files h JOIN copies c ON c.file_id = h.id JOIN files o ON o.id = c.owner_file_id
      WHERE h.session_id = s.id AND o.session_id IN (SELECT id FROM family)))
  ORDER BY s.id`;

function* allRows(sql: Statements, table: TextTable): Generator<Row> {
  for (let after: readonly unknown[] = []; ; ) {
    const rows = rowsBehind(sql, table, after, ROWS_AT_ONCE);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return;
    after = keyIn(table, last);
  }
}

function textsIn(table: TextTable, row: Row): readonly string[] {
  const columns = table.columns.filter(({ form }) => form !== "kept").flatMap(({ name }) => maybeText(row[name]) ?? []);
  if (table.name === "receipts") return receiptTexts(row);
  return table.name === "messages" ? [storedMessage(row).text, ...columns] : columns;
}

function note(found: Map<string, Found>, string: string, layer: TextLayer): void {
  found.set(`${layer} ${string}`, { string, layer });
}
