import { MEMORY_AGENT } from "../../core/memory.ts";
import type { FileReader, StoredFile } from "../store.ts";
import { placeOf } from "./hidden.ts";
import { optional } from "./rows.ts";
import { integer, maybeInteger, type Statements, text } from "./statements.ts";
import { sessionKey } from "./write-files.ts";

export function fileReader(sql: Statements): FileReader {
  return {
    all: async () =>
      sql
        .lists(`SELECT ${COLUMNS} FROM files WHERE agent <> '${MEMORY_AGENT}' ORDER BY id`)
        .map((row) => new FileOfStore(row, sql)),
    at: async (path) =>
      sql
        // Parts have their container's path with `#` behind it, after which `$` is the next character.
        .lists(
          `SELECT ${COLUMNS} FROM files WHERE path = ? OR (path >= ? AND path < ? AND container = ?) ORDER BY id`,
          path,
          `${path}#`,
          `${path}$`,
          path,
        )
        .map((row) => new FileOfStore(row, sql)),
    hasKin: async (file) =>
      sql.number(
        `SELECT 1 WHERE EXISTS (SELECT 1 FROM copies WHERE file_id = ? OR owner_file_id = ?) OR EXISTS (
           SELECT 1 FROM files f JOIN files o ON o.session_id = f.session_id AND o.id <> f.id WHERE f.id = ?)`,
        file,
        file,
        file,
      ) !== undefined,
    early: async () => sql.numbers("SELECT file_id FROM early_files ORDER BY file_id"),
    copies: async () =>
      sql
        .all("SELECT file_id, owner_file_id FROM copies")
        .map((row) => [integer(row.file_id), integer(row.owner_file_id)] as const),
    outdated: async (version) =>
      sql
        .all(
          `SELECT id, agent, native_id FROM sessions WHERE derived < ? AND agent <> '${MEMORY_AGENT}' ORDER BY id`,
          version,
        )
        .map(sessionKey),
    isSettled: async () => sql.number("SELECT 1 FROM sessions WHERE title_stale = 1 LIMIT 1") === undefined,
    workPlaces: async () =>
      sql
        .all(
          `SELECT f.folder, i.key AS identified, p.key AS belongs FROM project_folders f
             LEFT JOIN projects i ON i.id = f.project_id LEFT JOIN projects p ON p.id = f.belongs_id ORDER BY f.folder`,
        )
        .map(placeOf),
    refused: async () =>
      sql
        .all(
          `SELECT r.agent, r.native_id, s.id FROM refused_sessions r
             LEFT JOIN sessions s ON s.agent = r.agent AND s.native_id = r.native_id ORDER BY r.agent, r.native_id`,
        )
        .map((row) => ({
          agent: text(row.agent),
          nativeId: text(row.native_id),
          ...optional("id", maybeInteger(row.id)),
        })),
    workFolders: async () =>
      sql.all("SELECT DISTINCT folder FROM project_folders ORDER BY folder").map((row) => text(row.folder)),
    indexedAt: async () => sql.number("SELECT CAST(value AS INTEGER) FROM facts WHERE name = 'indexed_at'"),
  };
}

const COLUMNS =
  "id, agent, path, container, session_id, size, mtime_ms, inode, window, source_version, missing, refused";

/** Most files are unchanged in most passes: what only a changed one is asked for stays in the database. */
class FileOfStore implements StoredFile {
  readonly id: number;
  readonly agent: string;
  readonly path: string;
  readonly container?: string;
  readonly session?: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: number;
  readonly window: string;
  readonly sourceVersion: number;
  readonly missing: boolean;
  readonly refused?: string;
  readonly #sql: Statements;

  constructor(columns: readonly unknown[], sql: Statements) {
    const [id, agent, path, container, session, size, mtimeMs, inode, window, sourceVersion, missing, refused] =
      columns;
    this.id = integer(id);
    this.agent = text(agent);
    this.path = text(path);
    if (typeof container === "string") this.container = container;
    if (typeof session === "number") this.session = session;
    this.size = integer(size);
    this.mtimeMs = integer(mtimeMs);
    this.inode = integer(inode);
    this.window = text(window);
    this.sourceVersion = integer(sourceVersion);
    this.missing = missing === 1;
    if (typeof refused === "string") this.refused = refused;
    this.#sql = sql;
  }

  get offset(): number {
    return integer(this.#later("offset"));
  }

  get readerState(): unknown {
    return parsed(this.#later("reader_state"));
  }

  get skipped(): Readonly<Record<string, number>> {
    return skippedOf(parsed(this.#later("skipped")));
  }

  get items(): number {
    return integer(this.#later("items"));
  }

  #later(name: "offset" | "reader_state" | "skipped" | "items"): unknown {
    return this.#sql.get(`SELECT ${name} AS value FROM files WHERE id = ?`, this.id)?.value;
  }
}

function parsed(json: unknown): unknown {
  return typeof json === "string" ? JSON.parse(json) : undefined;
}

function skippedOf(value: unknown): Record<string, number> {
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
