import type { RewriteText, TextForm, TextPlace, TextWrites } from "../store.ts";
import { noteChange } from "./decisions.ts";
import { rewriteMessage } from "./rewrite-message.ts";
import { integer, maybeText, type Row, type Statements, text, type Value } from "./statements.ts";
import { unpack } from "./text.ts";
import { type TextTable, textTables } from "./text-columns.ts";
import { titleOfPrompt } from "./write-messages.ts";
import { rewriteReceipt } from "./write-receipts.ts";

export function textWrites(sql: Statements): TextWrites {
  return {
    async rewriteTexts(from, limit, rewrite) {
      const tables = textTables(sql).filter(({ layer }) => layer !== "annotations");
      const at = from === undefined ? 0 : tables.findIndex(({ name }) => name === from.table);
      const table = tables[at];
      if (table === undefined) return undefined;
      const rows = rowsBehind(sql, table, from?.after, limit);
      if (table.name === "messages") rewriteMessages(sql, rows, rewrite);
      else if (table.name === "receipts") for (const row of rows) rewriteReceipt(sql, row, rewrite);
      else for (const row of rows) rewriteRow(sql, table, row, rewrite);
      const last = rows.at(-1);
      if (last !== undefined && rows.length === limit) return { table: table.name, after: keyIn(table, last) };
      const next = tables[at + 1];
      return next === undefined ? undefined : { table: next.name, after: [] };
    },

    async rewriteAnnotations(rewrite) {
      for (const table of textTables(sql).filter(({ layer }) => layer === "annotations")) {
        for (const row of rowsBehind(sql, table, [], -1)) rewriteRow(sql, table, row, rewrite);
      }
    },

    async dropUnused() {
      sql.run("DELETE FROM paths WHERE NOT EXISTS (SELECT 1 FROM touches t WHERE t.path_id = paths.id)");
    },
  };
}

export function rowsBehind(
  sql: Statements,
  { name, key }: TextTable,
  after: TextPlace["after"] = [],
  limit: number,
): Row[] {
  const keys = key.map((column, at) => `${column} AS key_${at}`).join(", ");
  const order = key.join(", ");
  const where = after.length === 0 ? "" : `WHERE (${order}) > (${key.map(() => "?").join(", ")})`;
  return sql.all(`SELECT ${keys}, * FROM ${name} ${where} ORDER BY ${order} LIMIT ?`, ...after.map(value), limit);
}

export function keyIn({ key }: TextTable, row: Row): unknown[] {
  return key.map((_, at) => row[`key_${at}`]);
}

function value(column: unknown): Value {
  return typeof column === "string" || typeof column === "number" || column instanceof Uint8Array ? column : null;
}

function rewriteRow(sql: Statements, table: TextTable, row: Row, rewrite: RewriteText): void {
  const changed = new Map<string, string>();
  for (const { name, form } of table.columns) {
    const before = maybeText(row[name]);
    if (before === undefined || before === "") continue;
    const place = isNamed(table, name, row) ? "name" : table.layer === "annotations" ? formOf(form, row) : form;
    const after = rewrite(before, { layer: table.layer, form: place });
    if (after !== before && form !== "kept") changed.set(name, after);
  }
  if (changed.size === 0) return;
  update(sql, table, keyIn(table, row), changed);
  settle(sql, table, row, changed);
}

/** An alias is a name too, and stands where others have a text. */
function isNamed({ layer }: TextTable, column: string, row: Row): boolean {
  return layer === "annotations" && row.kind === "alias" && ["value", "was", "became"].includes(column);
}

/** Of annotations of another kind than these, key and value may be anything. */
function formOf(form: TextForm, row: Row): TextForm {
  const kind = maybeText(row.kind);
  if (form === "kept" || kind === undefined || NAMED.has(kind)) return form;
  return WRITTEN.has(kind) ? "text" : "json";
}

const NAMED = new Set(["tag", "untag", "collection"]);
const WRITTEN = new Set(["alias", "note", "pin", "memory"]);
const MOST_ALIKE = 1_000;

/** Where two have become the same that must not be, they are told apart by numbers. */
function update(
  sql: Statements,
  table: TextTable,
  key: readonly unknown[],
  changed: ReadonlyMap<string, string>,
): void {
  const columns = [...changed];
  const set = columns.map(([name]) => `${name} = ?`).join(", ");
  const where = table.key.map((column) => `${column} = ?`).join(" AND ");
  for (let number = 1; ; number += 1) {
    const values = columns.map(([name, after]) =>
      number === 1 || !isUnique(table, name) ? after : `${after}-${number}`,
    );
    try {
      sql.run(`UPDATE ${table.name} SET ${set} WHERE ${where}`, ...values, ...key.map(value));
      return;
    } catch (error) {
      if (!isTaken(error) || number >= MOST_ALIKE) throw error;
    }
  }
}

function isUnique({ unique, layer }: TextTable, column: string): boolean {
  return unique.includes(column) || (layer === "annotations" && column === "value");
}

function isTaken(error: unknown): boolean {
  return (
    error instanceof Error && "code" in error && /^SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY)$/.test(String(error.code))
  );
}

/** Has made anew what is made from what changed. */
function settle(sql: Statements, { name, layer }: TextTable, row: Row, changed: ReadonlyMap<string, string>): void {
  if (layer === "projects") noteChange(sql);
  if (name === "projects") sql.run("UPDATE sessions SET title_stale = 1 WHERE project_id = ?", integer(row.id));
  if (name === "title_hints")
    sql.run(
      "UPDATE sessions SET title_stale = 1 WHERE id = (SELECT session_id FROM messages WHERE uid = ?)",
      value(row.uid),
    );
  if (name === "enrichments")
    sql.run(
      "UPDATE sessions SET title_stale = 1 WHERE agent = ? AND native_id = ?",
      text(row.agent),
      text(row.session),
    );
  if (name === "tags") sql.run("UPDATE sessions SET title_stale = 1 WHERE id = ?", integer(row.session_id));
  if (name === "annotations")
    // A memory is indexed as a session of its own.
    sql.run(
      "UPDATE sessions SET title_stale = 1, derived = iif(?, 0, derived) WHERE agent = ? AND native_id = ?",
      row.kind === "memory" ? 1 : 0,
      text(row.agent),
      text(row.session),
    );
  if (name !== "sessions") return;
  sql.run("UPDATE sessions SET title_stale = 1 WHERE id = ?", integer(row.id));
  if (changed.has("branch") || changed.has("cwd"))
    sql.run("UPDATE sessions SET derived = 0 WHERE id = ?", integer(row.id));
}

function rewriteMessages(sql: Statements, rows: readonly Row[], rewrite: RewriteText): void {
  const sessions = new Set<number>();
  for (const row of rows) if (rewriteMessage(sql, row, rewrite)) sessions.add(integer(row.session_id));
  for (const session of sessions) {
    sql.run("DELETE FROM vectors WHERE session_id = ?", session);
    const first = sql.get(
      "SELECT text FROM messages WHERE session_id = ? AND role = 'human' ORDER BY seq LIMIT 1",
      session,
    );
    sql.run(
      `UPDATE sessions SET derived = 0, title_stale = 1,
         title_first_prompt = iif(title_first_prompt IS NULL, NULL, coalesce(?, title_first_prompt)) WHERE id = ?`,
      first === undefined ? null : titleOfPrompt(unpack(first.text)),
      session,
    );
  }
}
