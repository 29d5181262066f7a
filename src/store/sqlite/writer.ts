import type { HistoryTransaction, HistoryWriter } from "../store.ts";
import { eraser } from "./erase.ts";
import { acquireLease, releaseLease } from "./lease.ts";
import type { Connection } from "./open.ts";
import { prepareOn } from "./statements.ts";
import { historyTransaction } from "./transaction.ts";
import { wordWriter } from "./word-writer.ts";
import { receiptWriter } from "./write-receipts.ts";

const INDEXES = ["words", "session_words"];

export function historyWriter(db: Connection): HistoryWriter {
  const sql = prepareOn(db);
  const words = wordWriter(sql);
  const erase = eraser(db, INDEXES);
  const receipts = receiptWriter(db, sql);
  const transaction = historyTransaction(sql, words);
  const transact = async <T>(work: (tx: HistoryTransaction) => Promise<T>): Promise<T> => {
    db.exec("BEGIN IMMEDIATE");
    try {
      const result = await work(transaction);
      words.flush();
      db.exec("COMMIT");
      return result;
    } catch (error) {
      words.discard();
      if (db.inTransaction) db.exec("ROLLBACK");
      throw error;
    }
  };

  // What is asked for while a transaction waits for its work would become part of it.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => T | Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };

  return {
    acquireLease: (holder, until, now, purpose = "write") =>
      inTurn(() => acquireLease(db, sql, holder, until, now, purpose)),
    releaseLease: (holder, purpose = "write") => inTurn(() => releaseLease(db, sql, holder, purpose)),
    transaction: (work) => inTurn(() => transact(work)),

    saveReceipt: (receipt, since) => inTurn(() => receipts.saveReceipt(receipt, since)),
    dropReceipts: (before) => inTurn(() => receipts.dropReceipts(before)),

    repairWords: () => inTurn(() => repairWords(db)),

    erase: () => inTurn(erase),

    checkpoint: () =>
      inTurn(() => {
        giveBackPages(db);
        // PASSIVE never waits for a reader; the rest is written back the next time.
        db.pragma("wal_checkpoint(PASSIVE)");
      }),

    optimise: () =>
      inTurn(() => {
        db.exec("INSERT INTO words (words) VALUES ('optimize')");
        db.pragma("optimize");
        db.pragma("incremental_vacuum");
        db.pragma("wal_checkpoint(TRUNCATE)");
      }),
  };
}

/** So many at once that it takes milliseconds; and where there are few, they are soon needed again. */
const PAGES_AT_ONCE = 500;
const FEW_PAGES = 1 / 100;

/** Merging the word index leaves pages empty. */
function giveBackPages(db: Connection): void {
  const free = Number(db.pragma("freelist_count", { simple: true }));
  const pages = Number(db.pragma("page_count", { simple: true }));
  if (free > pages * FEW_PAGES) db.pragma(`incremental_vacuum(${PAGES_AT_ONCE})`);
}

function repairWords(db: Connection): void {
  if (INDEXES.every((index) => isSound(db, index))) return;
  db.transaction(() => {
    for (const index of INDEXES) db.exec(`INSERT INTO ${index} (${index}) VALUES ('delete-all')`);
    db.exec("UPDATE sessions SET derived = 0, title_stale = 1");
  }).immediate();
}

function isSound(db: Connection, index: string): boolean {
  try {
    db.exec(`INSERT INTO ${index} (${index}, rank) VALUES ('integrity-check', 0)`);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_CORRUPT")) return false;
    throw error;
  }
}
