import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { decodeEntries, decodeHeader } from "../../src/ingest/archive/segment.ts";
import { unpack } from "../../src/store/sqlite/text.ts";

/** Where any of the needles stands in any file of a folder, also packed or compressed: by file, and of stores by table. */
export function whereStands(folder: string, needles: readonly string[]): readonly string[] {
  const places = new Set<string>();
  const look = (place: string, text: string): void => {
    for (const needle of needles) if (text.includes(needle)) places.add(`${place}: ${needle}`);
  };
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    look("name", name);
    if (!entry.isFile()) continue;
    const bytes = readFileSync(path);
    look(name, bytes.toString("utf8"));
    look(name, bytes.toString("latin1"));
    if (name.endsWith(".segment")) {
      look(name, decodeEntries(bytes)?.join("\n") ?? "");
      look(name, JSON.stringify(decodeHeader(bytes)?.header));
    }
    if (name === "yore.db") for (const [table, text] of textsOf(path)) look(table, text);
  }
  return [...places].sort();
}

/** Every value of every table, unpacked, and every word of the index. */
function* textsOf(path: string): Generator<readonly [string, string]> {
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

function textOf(value: unknown): string {
  if (!Buffer.isBuffer(value)) return String(value);
  try {
    return unpack(value);
  } catch {
    return value.toString("latin1");
  }
}
