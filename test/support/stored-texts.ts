import Database from "better-sqlite3";
import { unpack } from "../../src/store/sqlite/text.ts";

/** Every value of every table of a store, unpacked, and every word of its index, each with the name of its table. */
export function* storedTexts(path: string): Generator<readonly [table: string, text: string]> {
  const db = new Database(path, { readonly: true });
  try {
    const tables = db.prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    for (const { name } of tables.filter(({ name }) => !/^(?:words|session_words)/.test(name))) {
      for (const row of db.prepare<[], Record<string, unknown>>(`SELECT * FROM "${name}"`).all())
        for (const value of Object.values(row)) yield [name, textOf(value)];
    }
    for (const name of ["words", "session_words"]) {
      db.exec(`CREATE VIRTUAL TABLE temp.${name}_terms USING fts5vocab('main', '${name}', 'row')`);
      for (const { term } of db.prepare<[], { term: string }>(`SELECT term FROM temp.${name}_terms`).all())
        yield [name, term];
    }
  } finally {
    db.close();
  }
}

/** The same as one text. */
export function storedIn(path: string): string {
  return Array.from(storedTexts(path), ([, text]) => text).join("\n");
}

function textOf(value: unknown): string {
  if (!Buffer.isBuffer(value)) return String(value);
  try {
    return unpack(value);
  } catch {
    return value.toString("latin1");
  }
}
