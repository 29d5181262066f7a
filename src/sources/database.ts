import { closeSync, copyFileSync, mkdtempSync, openSync, readSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import Database from "better-sqlite3";

/** An agent's SQLite database, which is only read. */
export interface ForeignDatabase {
  /** Rows of a query, one at a time. A query that is left early frees its statement. */
  rows(sql: string, ...values: readonly (string | number | bigint)[]): IterableIterator<Row>;
  /** The first row of a query. */
  row(sql: string, ...values: readonly (string | number | bigint)[]): Row | undefined;
  /** Names of the columns of a table; none where there is no such table. */
  columns(table: string): ReadonlySet<string>;
  close(): void;
}

export type Row = Readonly<Record<string, unknown>>;

/** Files beside a database of which a change is one of the database. */
export function databaseSidecars(path: string): readonly string[] {
  return [`${path}-wal`];
}

/**
 * Opens an agent's database with what stands in its write-ahead log, and without writing anything beside it.
 *
 * A database in use is read in place, as any reader of it does. One in write-ahead mode that was closed cleanly is
 * opened as immutable, since SQLite would create files beside it. One that was left with a log but without its shared
 * memory, or with a rollback journal, is copied to a temporary folder and opened there, where SQLite may recover it.
 * Throws where the file is no database, is locked, or is too large to be copied.
 */
export function openDatabase(path: string): ForeignDatabase {
  const log = sizeOf(`${path}-wal`) ?? 0;
  const isLeftOver = (log > 0 && sizeOf(`${path}-shm`) === undefined) || (sizeOf(`${path}-journal`) ?? 0) > 0;
  if (isLeftOver) return openCopy(path);
  if (log === 0 && isWriteAhead(path)) return openImmutable(path);
  return wrap(new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY_MS }));
}

/** An agent that holds the lock for longer is working; its history is read in a later pass. */
const BUSY_MS = 200;
/** A larger database is not copied: its agent will open it again, and leave it whole. */
const MAX_COPY_BYTES = 2_000_000_000;
const MAGIC = "SQLite format 3\0";

function openImmutable(path: string): ForeignDatabase {
  const database = new Database(":memory:");
  const url = pathToFileURL(path);
  url.search = "immutable=1&mode=ro";
  try {
    database.prepare("ATTACH ? AS agent").run(url.href);
    return wrap(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

function openCopy(path: string): ForeignDatabase {
  const bytes = (sizeOf(path) ?? 0) + (sizeOf(`${path}-wal`) ?? 0);
  if (bytes > MAX_COPY_BYTES) throw new Error("was left half written, and is too large to be copied");
  const folder = mkdtempSync(join(tmpdir(), "yore-"));
  try {
    const copy = join(folder, basename(path));
    copyFileSync(path, copy);
    for (const suffix of ["-wal", "-journal"]) {
      if (sizeOf(path + suffix) !== undefined) copyFileSync(path + suffix, copy + suffix);
    }
    return wrap(new Database(copy, { timeout: BUSY_MS }), folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function wrap(database: Database.Database, folder?: string): ForeignDatabase {
  const close = (): void => {
    database.close();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  };
  try {
    // Fails here, and not in the middle of a history, where the file is no database or is locked.
    database.prepare("SELECT count(*) FROM sqlite_master").get();
  } catch (error) {
    close();
    throw error;
  }
  return {
    *rows(sql, ...values) {
      for (const row of database.prepare(sql).iterate(...values)) yield row as Row;
    },
    row(sql, ...values) {
      return database.prepare(sql).get(...values) as Row | undefined;
    },
    columns(table) {
      const columns = database.prepare("SELECT name FROM pragma_table_info(?)").pluck().all(table);
      return new Set(columns.filter((name): name is string => typeof name === "string"));
    },
    close,
  };
}

/** The header says whether a database is in write-ahead mode: SQLite's file format, section 1.3.3. */
function isWriteAhead(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const header = Buffer.alloc(20);
    const read = readSync(file, header, 0, header.length, 0);
    return read === header.length && header.toString("latin1", 0, 16) === MAGIC && header[19] === 2;
  } finally {
    closeSync(file);
  }
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}
