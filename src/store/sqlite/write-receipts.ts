import type { ReceiptDraft, ReceiptWriter, ReceiptWrites } from "../receipts.ts";
import type { RewriteText, SessionKey } from "../store.ts";
import { ERASE_DUE } from "./erase.ts";
import type { Connection } from "./open.ts";
import { integer, maybeText, type Row, type Statements, text } from "./statements.ts";
import { pack, unpack } from "./text.ts";

/** How long it is waited for another process that writes: whoever asked has an answer, or waits for one. */
const WAIT_MS = 20;
/** Old ones that are dropped whenever one is kept: few, and more than come in. */
const DROPPED_AT_ONCE = 8;

export function receiptWriter(db: Connection, sql: Statements): ReceiptWriter {
  return {
    async saveReceipt(receipt, since) {
      soon(db, () => {
        save(sql, receipt);
        sql.run(
          "DELETE FROM receipts WHERE number IN (SELECT number FROM receipts WHERE at < ? ORDER BY at LIMIT ?)",
          since,
          DROPPED_AT_ONCE,
        );
      });
    },

    async dropReceipts(before) {
      soon(db, () => sql.run("DELETE FROM receipts WHERE at < ?", before));
    },
  };
}

export function receiptWrites(sql: Statements): ReceiptWrites {
  return {
    async purgeReceipts(from, limit, { sessions, strings }) {
      const rows = sql.all("SELECT * FROM receipts WHERE number > ? ORDER BY number LIMIT ?", from ?? 0, limit);
      const ofSessions = new Set(sessions.flatMap((session) => numbersOf(sql, session)));
      const wanted = [...sessions.map(({ nativeId }) => nativeId), ...strings];
      for (const row of rows) {
        const texts = receiptTexts(row);
        if (ofSessions.has(integer(row.number)) || wanted.some((string) => texts.some((one) => one.includes(string))))
          drop(sql, integer(row.number));
      }
      const last = rows.at(-1);
      return last !== undefined && rows.length === limit ? integer(last.number) : undefined;
    },
  };
}

/** Removes those that tell of the session, or that it asked for. */
export function dropReceiptsOf(sql: Statements, session: SessionKey): void {
  for (const number of numbersOf(sql, session)) drop(sql, number);
}

/** All that was written down of one. */
export function receiptTexts(row: Row): readonly string[] {
  return [unpack(row.told), unpack(row.text), ...[row.client, row.session].flatMap((one) => maybeText(one) ?? [])];
}

/** What was handed out cannot be handed out otherwise: where something of it would change, it is dropped. */
export function rewriteReceipt(sql: Statements, row: Row, rewrite: RewriteText): void {
  const change = (before: string, form: "text" | "json"): string =>
    before === "" ? before : rewrite(before, { layer: "receipts", form });
  const before = { told: unpack(row.told), text: unpack(row.text), client: text(row.client) };
  const told = change(before.told, "json");
  const handedOut = change(before.text, "text");
  const client = change(before.client, "text");
  if (told === before.told && handedOut === before.text && client === before.client) return;
  sql.run(
    `UPDATE receipts SET told = ?, text = iif(?, text, NULL), client = ? WHERE number = ?`,
    pack(told),
    handedOut === before.text ? 1 : 0,
    client,
    integer(row.number),
  );
}

function numbersOf(sql: Statements, { agent, nativeId }: SessionKey): readonly number[] {
  return sql.numbers(
    `SELECT receipt FROM receipt_parts WHERE agent = ? AND session = ?
     UNION SELECT number FROM receipts WHERE session = ?`,
    agent,
    nativeId,
    nativeId,
  );
}

/** Deleting leaves what was there in the files of the store. */
function drop(sql: Statements, number: number): void {
  sql.run("DELETE FROM receipts WHERE number = ?", number);
  sql.run("INSERT OR REPLACE INTO facts (name, value) VALUES (?, '1')", ERASE_DUE);
}

function save(sql: Statements, receipt: ReceiptDraft): void {
  const { id, at, via, tool, client, session = null, told, text: handedOut, chars } = receipt;
  sql.run("DELETE FROM receipts WHERE id = ?", id);
  const number = sql.run(
    `INSERT INTO receipts (id, at, via, tool, client, session, told, text, chars) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    at,
    via,
    tool,
    client,
    session,
    pack(told),
    handedOut === undefined ? null : pack(handedOut),
    chars,
  );
  const observations = new Map(receipt.observations.map((one) => [one.id, one.isShown]));
  const found = new Map(
    sql
      .all(
        `SELECT o.public_id, s.agent, s.native_id FROM observations o JOIN sessions s ON s.id = o.session_id
         WHERE o.public_id IN (SELECT value FROM json_each(?))`,
        JSON.stringify([...observations.keys()]),
      )
      .map((row) => [text(row.public_id), row]),
  );
  const insert = (row: Row, observation: string | null, isShown: boolean): void => {
    sql.run(
      "INSERT INTO receipt_parts (receipt, place, agent, session, observation, shown) VALUES (?, ?, ?, ?, ?, ?)",
      number,
      place++,
      text(row.agent),
      text(row.native_id),
      observation,
      isShown ? 1 : 0,
    );
  };
  let place = 0;
  for (const [observation, isShown] of observations) {
    const row = found.get(observation);
    if (row !== undefined) insert(row, observation, isShown);
  }
  const known = new Set([...found.values()].map((row) => `${text(row.agent)} ${text(row.native_id)}`));
  const others = sql.all(
    "SELECT agent, native_id FROM sessions WHERE native_id IN (SELECT value FROM json_each(?)) ORDER BY id",
    JSON.stringify(receipt.sessions),
  );
  for (const row of others) if (!known.has(`${text(row.agent)} ${text(row.native_id)}`)) insert(row, null, true);
}

function soon(db: Connection, work: () => void): void {
  const usual = Number(db.pragma("busy_timeout", { simple: true }));
  db.pragma(`busy_timeout = ${WAIT_MS}`);
  try {
    db.transaction(work).immediate();
  } finally {
    db.pragma(`busy_timeout = ${usual}`);
  }
}
