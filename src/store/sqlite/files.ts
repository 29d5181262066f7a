import type { FileReader, StoredFile } from "../store.ts";
import { integer, type Row, type Statements, text } from "./statements.ts";
import { sessionKey } from "./write-files.ts";

export function fileReader(sql: Statements): FileReader {
  return {
    all: async () => sql.all(`SELECT ${COLUMNS} FROM files ORDER BY id`).map((row) => storedFile(row, sql)),
    at: async (path) =>
      sql
        // Parts have their container's path with `#` behind it, after which `$` is the next character.
        .all(
          `SELECT ${COLUMNS} FROM files WHERE path = ? OR (path >= ? AND path < ? AND container = ?) ORDER BY id`,
          path,
          `${path}#`,
          `${path}$`,
          path,
        )
        .map((row) => storedFile(row, sql)),
    copies: async () =>
      sql
        .all("SELECT file_id, owner_file_id FROM copies")
        .map((row) => [integer(row.file_id), integer(row.owner_file_id)] as const),
    outdated: async (version) =>
      sql.all("SELECT id, agent, native_id FROM sessions WHERE derived < ? ORDER BY id", version).map(sessionKey),
    isSettled: async () => sql.number("SELECT 1 FROM sessions WHERE title_stale = 1 LIMIT 1") === undefined,
    workFolders: async () =>
      sql.all("SELECT DISTINCT folder FROM project_folders ORDER BY folder").map((row) => text(row.folder)),
    indexedAt: async () => sql.number("SELECT CAST(value AS INTEGER) FROM facts WHERE name = 'indexed_at'"),
  };
}

const COLUMNS =
  "id, agent, path, container, session_id, size, mtime_ms, inode, offset, window, source_version, missing";

function storedFile(row: Row, sql: Statements): StoredFile {
  const id = integer(row.id);
  // What only a changed file is asked for stays in the database: most files are unchanged in most passes.
  const column = (name: "reader_state" | "skipped" | "items"): unknown =>
    sql.get(`SELECT ${name} AS value FROM files WHERE id = ?`, id)?.value;
  const json = (value: unknown): unknown => (typeof value === "string" ? JSON.parse(value) : undefined);
  return {
    id,
    agent: text(row.agent),
    path: text(row.path),
    size: integer(row.size),
    mtimeMs: integer(row.mtime_ms),
    inode: integer(row.inode),
    offset: integer(row.offset),
    window: text(row.window),
    sourceVersion: integer(row.source_version),
    ...(typeof row.container === "string" && { container: row.container }),
    ...(typeof row.session_id === "number" && { session: row.session_id }),
    get readerState() {
      return json(column("reader_state"));
    },
    get skipped() {
      return skippedOf(json(column("skipped")));
    },
    get items() {
      return integer(column("items"));
    },
    missing: row.missing === 1,
  };
}

function skippedOf(value: unknown): Record<string, number> {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
