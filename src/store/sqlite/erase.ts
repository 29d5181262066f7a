import type { Connection } from "./open.ts";

/** Stands among the facts while something was removed of which there may be traces. */
export const ERASE_DUE = "erase_due";

/** So much of the word index is merged in one transaction: others that write wait no longer than for that. */
const PAGES_AT_ONCE = 1_000;

/**
 * Takes one step at each call. Words that were taken out of the index stand in it until its segments are merged; bytes
 * that were deleted stand in pages until the file is written anew, and in the write-ahead log until it is cut.
 */
export function eraser(db: Connection, indexes: readonly string[]): () => "more" | "held" | "done" {
  let merging: string[] | undefined;
  let isWrittenAnew = false;
  return () => {
    if (merging === undefined) {
      merging = [...indexes];
      for (const index of indexes) merge(db, index, -PAGES_AT_ONCE);
      return "more";
    }
    const [index] = merging;
    if (index !== undefined) {
      // A merge that has nothing left to do still counts one change.
      if (merge(db, index, PAGES_AT_ONCE) < 2) merging.shift();
      return "more";
    }
    if (!isWrittenAnew) {
      writeAnew(db);
      isWrittenAnew = true;
      return "more";
    }
    db.exec(`DELETE FROM facts WHERE name = '${ERASE_DUE}'`);
    if (!isLogCut(db)) return "held";
    merging = undefined;
    isWrittenAnew = false;
    return "done";
  };
}

function merge(db: Connection, index: string, pages: number): number {
  const before = changesOf(db);
  db.exec(`INSERT INTO ${index} (${index}, rank) VALUES ('merge', ${pages})`);
  return changesOf(db) - before;
}

function changesOf(db: Connection): number {
  return Number(db.prepare("SELECT total_changes()").pluck().get());
}

/** With the copy in a file of SQLite's own, which has no name: in memory, a large store would not fit. */
function writeAnew(db: Connection): void {
  db.pragma("temp_store = FILE");
  try {
    db.exec("VACUUM");
  } finally {
    db.pragma("temp_store = MEMORY");
  }
}

function isLogCut(db: Connection): boolean {
  const [row] = db.pragma("wal_checkpoint(TRUNCATE)") as readonly { readonly busy: number }[];
  return row?.busy === 0;
}
