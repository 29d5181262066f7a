import type { HistoryWriter, LeaseHolder } from "../store.ts";
import type { Connection } from "./open.ts";
import { prepareOn } from "./statements.ts";
import { historyTransaction } from "./transaction.ts";
import { wordWriter } from "./word-writer.ts";

export function historyWriter(db: Connection): HistoryWriter {
  const sql = prepareOn(db);
  const words = wordWriter(sql);
  const transaction = historyTransaction(sql, words);

  return {
    async acquireLease(holder, until, now) {
      return db
        .transaction(() => {
          const current = sql.get("SELECT host, pid, token, until FROM lease WHERE id = 1");
          const isFree =
            current === undefined ||
            current.token === holder.token ||
            Number(current.until) <= now ||
            (current.host === holder.host && !isAlive(Number(current.pid)));
          if (isFree) {
            sql.run(
              "INSERT OR REPLACE INTO lease (id, host, pid, token, until) VALUES (1, ?, ?, ?, ?)",
              holder.host,
              holder.pid,
              holder.token,
              until,
            );
          }
          return isFree;
        })
        .immediate();
    },

    async releaseLease(holder: LeaseHolder) {
      sql.run("DELETE FROM lease WHERE id = 1 AND token = ?", holder.token);
    },

    async transaction(work) {
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
    },

    async checkpoint() {
      // PASSIVE never waits for a reader; the rest is written back the next time.
      db.pragma("wal_checkpoint(PASSIVE)");
    },

    async optimise() {
      db.exec("INSERT INTO words (words) VALUES ('optimize')");
      db.pragma("optimize");
      db.pragma("wal_checkpoint(TRUNCATE)");
    },
  };
}

// A holder that was killed must not keep everyone waiting for its lease to run out.
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
