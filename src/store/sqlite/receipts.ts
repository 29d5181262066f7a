import type { ReceiptReader, StoredReceipt } from "../receipts.ts";
import { IS_SEEN } from "./hidden.ts";
import { optional } from "./rows.ts";
import { integer, maybeText, type Row, type Statements, text, type Value } from "./statements.ts";
import { unpack } from "./text.ts";

const COLUMNS = `r.id, r.at, r.via, r.tool, r.client, r.session, r.chars, r.text IS NOT NULL AS has_text,
  EXISTS (SELECT 1 FROM receipt_parts p JOIN sessions s ON s.agent = p.agent AND s.native_id = p.session
    WHERE p.receipt = r.number AND NOT (${IS_SEEN}))
  OR EXISTS (SELECT 1 FROM sessions s WHERE s.native_id = r.session AND NOT (${IS_SEEN})) AS is_hidden,
  (SELECT json_group_array(observation) FROM (SELECT p.observation FROM receipt_parts p
    WHERE p.receipt = r.number AND p.shown = 1 AND p.observation IS NOT NULL ORDER BY p.place)) AS shown`;

export function receiptReader(sql: Statements): ReceiptReader {
  return {
    byPrefix: async (prefix, limit) =>
      sql
        .all(
          `SELECT ${COLUMNS} FROM receipts r WHERE r.id >= ? AND r.id < ? ORDER BY r.id LIMIT ?`,
          prefix,
          `${prefix}~`,
          limit,
        )
        .map(storedReceipt),

    async list({ since, observation }, { offset, limit }) {
      const showing = " AND r.number IN (SELECT receipt FROM receipt_parts WHERE observation = ? AND shown = 1)";
      const where = `WHERE r.at >= ?${observation === undefined ? "" : showing}`;
      const values: readonly Value[] = [since, ...(observation === undefined ? [] : [observation])];
      return {
        total: sql.number(`SELECT count(*) FROM receipts r ${where}`, ...values) ?? 0,
        items: sql
          .all(
            `SELECT ${COLUMNS} FROM receipts r ${where} ORDER BY r.at DESC, r.number DESC LIMIT ? OFFSET ?`,
            ...values,
            limit,
            offset,
          )
          .map(storedReceipt),
      };
    },

    async contents(id) {
      const row = sql.get("SELECT told, text FROM receipts WHERE id = ?", id);
      if (row === undefined) return undefined;
      return { told: unpack(row.told), ...(row.text !== null && { text: unpack(row.text) }) };
    },
  };
}

function storedReceipt(row: Row): StoredReceipt {
  const shown: string[] = JSON.parse(text(row.shown));
  return {
    id: text(row.id),
    at: integer(row.at),
    via: text(row.via),
    tool: text(row.tool),
    client: text(row.client),
    ...optional("session", maybeText(row.session)),
    chars: integer(row.chars),
    hasText: row.has_text === 1,
    isHidden: row.is_hidden === 1,
    shown,
  };
}
