import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { decodeEntries } from "../../src/ingest/archive/segment.ts";
import { unpack } from "../../src/store/sqlite/text.ts";
import type { TestHome } from "./home.ts";

/** Everything that Yore wrote down, unpacked. */
export function keptIn(
  home: TestHome,
): Readonly<Record<"archived" | "headers" | "stored" | "files" | "folders", string>> {
  const archived: string[] = [];
  const headers: string[] = [];
  const files: string[] = [];
  const folders = new Set<string>();
  for (const entry of readdirSync(home.yoreHome, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = readFileSync(path);
    folders.add(dirname(path));
    files.push(entry.name);
    if (!entry.name.endsWith(".segment")) files.push(bytes.toString("latin1"));
    else {
      archived.push(...(decodeEntries(bytes) ?? []));
      headers.push(bytes.toString("utf8", 0, bytes.indexOf("\n")));
    }
  }
  return {
    archived: archived.join("\n"),
    headers: headers.join("\n"),
    stored: storedIn(home.storePath),
    files: files.join("\n"),
    folders: [...folders].join("\n"),
  };
}

/** Every value of every table, unpacked, and every word of the index. */
function storedIn(path: string): string {
  const db = new Database(path, { readonly: true });
  try {
    const said: string[] = [];
    const tables = db.prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    for (const { name } of tables.filter(({ name }) => !/^(?:words|session_words)/.test(name))) {
      for (const row of db.prepare<[], Record<string, unknown>>(`SELECT * FROM "${name}"`).all())
        for (const value of Object.values(row)) said.push(textOf(value));
    }
    for (const name of ["words", "session_words"]) {
      db.exec(`CREATE VIRTUAL TABLE temp.${name}_terms USING fts5vocab('main', '${name}', 'row')`);
      for (const { term } of db.prepare<[], { term: string }>(`SELECT term FROM temp.${name}_terms`).all())
        said.push(term);
    }
    return said.join("\n");
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
