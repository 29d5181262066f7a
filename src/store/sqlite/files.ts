import type { FileReader, StoredFile } from "../store.ts";
import { integer, type Row, type Statements, text } from "./statements.ts";
import { sessionKey } from "./write-files.ts";

export function fileReader(sql: Statements): FileReader {
  return {
    all: async () => sql.all("SELECT * FROM files ORDER BY id").map(storedFile),
    copies: async () =>
      sql
        .all("SELECT file_id, owner_file_id FROM copies")
        .map((row) => [integer(row.file_id), integer(row.owner_file_id)] as const),
    outdated: async (version) =>
      sql.all("SELECT id, agent, native_id FROM sessions WHERE derived < ? ORDER BY id", version).map(sessionKey),
    indexedAt: async () => sql.number("SELECT CAST(value AS INTEGER) FROM facts WHERE name = 'indexed_at'"),
  };
}

function storedFile(row: Row): StoredFile {
  return {
    id: integer(row.id),
    agent: text(row.agent),
    path: text(row.path),
    size: integer(row.size),
    mtimeMs: integer(row.mtime_ms),
    inode: integer(row.inode),
    offset: integer(row.offset),
    window: text(row.window),
    sourceVersion: integer(row.source_version),
    ...(typeof row.session_id === "number" && { session: row.session_id }),
    // Parsed when used: most files are unchanged in most passes.
    get readerState() {
      return typeof row.reader_state === "string" ? JSON.parse(row.reader_state) : undefined;
    },
    get skipped() {
      return typeof row.skipped === "string" ? JSON.parse(row.skipped) : {};
    },
    items: integer(row.items),
    missing: row.missing === 1,
  };
}
