import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import Database from "better-sqlite3";

/** An agent's SQLite database, which is only read. */
export interface ForeignDatabase {
  /** Rows of a query, one at a time. A query that is left early frees its statement. */
  rows(sql: string, ...values: readonly (string | number | bigint)[]): IterableIterator<Row>;
  /** The first row of a query. */
  row(sql: string, ...values: readonly (string | number | bigint)[]): Row | undefined;
  /** Names of the columns of a table; none where there is no such table. */
  columns(table: string): ReadonlySet<string>;
  tables(): readonly string[];
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
 * A database in use is read in place, as any reader of it does. One in write-ahead mode that was closed cleanly is read
 * from a copy, since SQLite would create files beside it; a small one in memory. One that was left with a log but
 * without its shared memory, or in the middle of a transaction, is copied with these files, so that SQLite may recover
 * it there. Throws where the file is no database, is locked, or is too large to be copied.
 */
export function openDatabase(path: string): ForeignDatabase {
  const log = sizeOf(`${path}-wal`);
  const isShared = sizeOf(`${path}-shm`) !== undefined;
  if (log !== undefined && log > 0 && !isShared) return openCopy(path, ["-wal"]);
  if (!(log !== undefined && isShared) && isWriteAhead(path)) return openClosed(path);
  try {
    return openInPlace(path);
  } catch (error) {
    if (!isLeftHalfWritten(path, error)) throw error;
    return openCopy(path, ["-journal"]);
  }
}

/**
 * Throws where a database has tables but none that is known: the agent has begun to keep its history in another way, and
 * an empty answer would hide that. Only tables whose names `tells` matches tell of a history.
 */
export function expectTables(database: ForeignDatabase, known: readonly string[], tells = /./): void {
  const tables = database.tables().filter((name) => tells.test(name) && !BOOKKEEPING.test(name));
  if (tables.length > 0 && !tables.some((name) => known.includes(name))) throw notUnderstood();
}

/** The code is what is shown, as of any error of the system. */
export function notUnderstood(): Error {
  const what = "has tables that are not understood";
  return Object.assign(new Error(what), { code: what });
}

const BOOKKEEPING = /^sqlite_|version|migration/i;
/** An agent that holds the lock for longer is working; its history is read in a later pass. */
const BUSY_MS = 200;
/** A larger database is copied only where the file system does so without writing it again. */
const MAX_COPY_BYTES = 2_000_000_000;
const MAX_MEMORY_BYTES = 8_000_000;
const MAGIC = "SQLite format 3\0";
/** Versions for writing and reading in the header, of a database without a write-ahead log. */
const MODE_AT = 18;
const PLAIN_MODE = Buffer.from([1, 1]);

function openInPlace(path: string): ForeignDatabase {
  return wrap(new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY_MS }));
}

/** As immutable, if SQLite were built to take addresses. Without the mode in its header, a copy needs no log. */
function openClosed(path: string): ForeignDatabase {
  if ((sizeOf(path) ?? 0) > MAX_MEMORY_BYTES) return openCopy(path, []);
  const bytes = readFileSync(path);
  PLAIN_MODE.copy(bytes, MODE_AT);
  return wrap(new Database(bytes, { readonly: true }));
}

function openCopy(path: string, suffixes: readonly string[]): ForeignDatabase {
  const folder = mkdtempSync(join(tmpdir(), "yore-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, basename(path));
    for (const suffix of ["", ...suffixes]) copyFile(path + suffix, copy + suffix);
    if (suffixes.length === 0) writePlainMode(copy);
    return wrap(new Database(copy, { timeout: BUSY_MS }), remove);
  } catch (error) {
    remove();
    throw error;
  }
}

function copyFile(from: string, to: string): void {
  const isLarge = (sizeOf(from) ?? 0) > MAX_COPY_BYTES;
  try {
    copyFileSync(from, to, isLarge ? constants.COPYFILE_FICLONE_FORCE : constants.COPYFILE_FICLONE);
  } catch (error) {
    if (isLarge) throw new Error("is not open in its agent, and is too large to be copied", { cause: error });
    throw error;
  }
  // A copy of a file that is only to be read could not be recovered or removed everywhere.
  chmodSync(to, 0o600);
}

function writePlainMode(path: string): void {
  const file = openSync(path, "r+");
  try {
    writeSync(file, PLAIN_MODE, 0, PLAIN_MODE.length, MODE_AT);
  } finally {
    closeSync(file);
  }
}

/** The rollback journal of a process that is gone can be played back only by one that may write. */
function isLeftHalfWritten(path: string, error: unknown): boolean {
  const code = error instanceof Database.SqliteError ? error.code : "";
  return (code.startsWith("SQLITE_READONLY") || code === "SQLITE_CANTOPEN") && (sizeOf(`${path}-journal`) ?? 0) > 0;
}

function wrap(database: Database.Database, afterwards: () => void = () => {}): ForeignDatabase {
  const single = new Map<string, Database.Statement>();
  const close = (): void => {
    database.close();
    afterwards();
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
      // Asked thousands of times over for the messages of a session.
      const statement = single.get(sql) ?? database.prepare(sql);
      single.set(sql, statement);
      return statement.get(...values) as Row | undefined;
    },
    columns(table) {
      const columns = database.prepare("SELECT name FROM pragma_table_info(?)").pluck().all(table);
      return new Set(columns.filter((name): name is string => typeof name === "string"));
    },
    tables() {
      const tables = database
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        .pluck()
        .all();
      return tables.filter((name): name is string => typeof name === "string");
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
