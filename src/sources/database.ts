import { readFileSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { copyFiles, type FileCopy, MODE_AT, PLAIN_MODE, writePlainMode } from "./database-copy.ts";
import { generationOf, isOpenSomewhere, isWriteAhead } from "./database-use.ts";
import { kindOfError, problemError } from "./problem.ts";

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
 * A database in use is read in place, as any reader of it does. One in write-ahead mode that no process has open is read
 * from a copy, since SQLite would create files beside it or write those anew that a killed process left; a small one
 * that was closed cleanly in memory. One that was left in the middle of a transaction is copied with its journal, so that
 * SQLite may recover it there. Where the system does not tell whether a database is in use, a small one is copied.
 * Throws where the file is no database, is locked, or is too large to be copied.
 */
export function openDatabase(path: string): ForeignDatabase {
  // What changes while it is copied is being written to.
  for (let tries = 0; tries < COPY_TRIES && !isInUse(path); tries += 1) {
    const database = openUnused(path);
    if (database !== undefined) return database;
  }
  return openInPlace(path);
}

/**
 * Throws where a database has tables but none that is known: the agent has begun to keep its history in another way, and
 * an empty answer would hide that. Only tables whose names `tells` matches tell of a history.
 */
export function expectTables(database: ForeignDatabase, known: readonly string[], tells = /./): void {
  const tables = database.tables().filter((name) => tells.test(name) && !BOOKKEEPING.test(name));
  if (tables.length > 0 && !tables.some((name) => known.includes(name)))
    throw problemError("unknown-tables", "has tables that are not understood");
}

const BOOKKEEPING = /^sqlite_|version|migration/i;
/** An agent that holds the lock for longer is working; its history is read in a later pass. */
const BUSY_MS = 200;
const COPY_TRIES = 3;
const MAX_MEMORY_BYTES = 8_000_000;
/** Of a database that may be in use. A larger one would be copied again each time that its agent wrote to it. */
const MAX_BLIND_COPY_BYTES = 16_000_000;

function isInUse(path: string): boolean {
  const log = sizeOf(`${path}-wal`);
  if (log === undefined || sizeOf(`${path}-shm`) === undefined) return false;
  return isOpenSomewhere(path) ?? log + (sizeOf(path) ?? 0) > MAX_BLIND_COPY_BYTES;
}

/** Undefined where it changed meanwhile. */
function openUnused(path: string): ForeignDatabase | undefined {
  if ((sizeOf(`${path}-wal`) ?? 0) > 0) return openLeft(path);
  if (isWriteAhead(path)) return openClosed(path);
  try {
    return openInPlace(path);
  } catch (error) {
    if (!isLeftHalfWritten(path, error)) throw error;
    return openCopy(path, ["-journal"]);
  }
}

/** One that is too large to be copied is read in place, if it has all beside it that SQLite needs. */
function openLeft(path: string): ForeignDatabase | undefined {
  try {
    return openCopy(path, ["-wal"]);
  } catch (error) {
    if (kindOfError(error) !== "too-large" || sizeOf(`${path}-shm`) === undefined) throw error;
    return openInPlace(path);
  }
}

/** As immutable, if SQLite were built to take addresses. Without the mode in its header, a copy needs no log. */
function openClosed(path: string): ForeignDatabase | undefined {
  if ((sizeOf(path) ?? 0) > MAX_MEMORY_BYTES) return openCopy(path, []);
  const generation = generationOf(path);
  const bytes = readFileSync(path);
  if (generationOf(path) !== generation) return undefined;
  PLAIN_MODE.copy(bytes, MODE_AT);
  return wrap(new Database(bytes, { readonly: true }));
}

/** Undefined where it changed meanwhile. */
function openCopy(path: string, suffixes: readonly string[]): ForeignDatabase | undefined {
  const copy = copyOfOneMoment(path, suffixes);
  if (copy === undefined) return undefined;
  try {
    if (suffixes.length === 0) writePlainMode(copy.path);
    const database = new Database(copy.path, { timeout: BUSY_MS });
    // Its index of the log is kept in memory then, so that nothing is asked of the files' names later.
    database.pragma("locking_mode = EXCLUSIVE");
    return wrap(database, copy.remove);
  } catch (error) {
    copy.remove();
    throw error;
  }
}

function copyOfOneMoment(path: string, suffixes: readonly string[]): FileCopy | undefined {
  const generation = generationOf(path);
  let copy: FileCopy | undefined;
  try {
    copy = copyFiles(path, suffixes);
  } catch (error) {
    // The log may just have been removed.
    if (generationOf(path) === generation) throw error;
  }
  if (generationOf(path) === generation) return copy;
  copy?.remove();
  return undefined;
}

function openInPlace(path: string): ForeignDatabase {
  return wrap(new Database(path, { readonly: true, fileMustExist: true, timeout: BUSY_MS }));
}

/** The rollback journal of a process that is gone can be played back only by one that may write. */
function isLeftHalfWritten(path: string, error: unknown): boolean {
  const code = error instanceof Database.SqliteError ? error.code : "";
  return (code.startsWith("SQLITE_READONLY") || code === "SQLITE_CANTOPEN") && (sizeOf(`${path}-journal`) ?? 0) > 0;
}

function wrap(database: Database.Database, removeFiles: () => void = () => {}): ForeignDatabase {
  const single = new Map<string, Database.Statement>();
  const close = (): void => {
    database.close();
    removeFiles();
  };
  try {
    // Fails here, and not in the middle of a history, where the file is no database or is locked.
    database.prepare("SELECT count(*) FROM sqlite_master").get();
    // An open file needs no name, but for Windows: without one, nothing stays however this process ends.
    if (process.platform !== "win32") removeFiles();
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

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}
