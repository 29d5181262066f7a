import Database from "better-sqlite3";
import type { PlainIndex } from "../plain-index.ts";
import { prepareOn } from "./statements.ts";

/** SQLite keeps a database without a name in a file that nobody else can open, and that is gone with the connection. */
const NAMELESS = "";

export function plainIndex(): PlainIndex {
  const db = new Database(NAMELESS);
  const sql = prepareOn(db);
  db.exec("CREATE VIRTUAL TABLE texts USING fts5 (text, content = '', tokenize = 'unicode61')");
  return {
    async add(texts) {
      db.transaction(() => {
        for (const { id, text } of texts) sql.run("INSERT INTO texts (rowid, text) VALUES (?, ?)", id, text);
      })();
    },
    async search(words, limit) {
      if (words.length === 0) return [];
      const any = words.map((word) => `"${word.replaceAll("\u0000", " ").replaceAll('"', '""')}"`).join(" OR ");
      return sql.numbers("SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts), rowid LIMIT ?", any, limit);
    },
    async close() {
      db.close();
    },
  };
}
