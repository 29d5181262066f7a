import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { YoreError } from "../../core/errors.ts";
import { migrations } from "./migrations/index.ts";

export type Connection = Database.Database;

/** How long a statement waits for another process before it gives up, unless it is told otherwise. */
const BUSY_TIMEOUT_MS = 5_000;
const PAUSE_MS = 5;

/**
 * Opens the database for writing, creating and migrating it as needed.
 *
 * Throws `corrupt-store` for a file that is no database or a damaged one, and `store-too-new` for one that a later
 * version has migrated. A file of another program is `corrupt-store` too. In no case is it touched.
 */
export function openForWriting(path: string, busyMs = BUSY_TIMEOUT_MS): Connection {
  createPrivately(path);
  return open(path, { readonly: false }, (db) => {
    db.pragma(`busy_timeout = ${busyMs}`);
    requireKnownSchema(schemaOf(db));
    requireOwn(db);
    // Tells only for a new store: what merging the word index leaves behind is given back.
    // Writes, and so waits for whoever is writing, also where it is set already.
    if (schemaOf(db) === 0) db.pragma("auto_vacuum = INCREMENTAL");
    switchToWal(db, busyMs);
    db.pragma("synchronous = NORMAL");
    db.pragma("foreign_keys = ON");
    db.pragma("temp_store = MEMORY");
    db.pragma("cache_size = -16384");
    db.pragma("journal_size_limit = 16777216");
    migrate(db);
  });
}

/** Opens an existing database for reading only. Throws as {@link openForWriting}, and `not-found` if there is none. */
export function openForReading(path: string, busyMs = BUSY_TIMEOUT_MS): Connection {
  if (!existsSync(path)) throw new YoreError("not-found", "There is no store yet.", { hint: "Run `yore index`." });
  return open(path, { readonly: true }, (db) => {
    db.pragma(`busy_timeout = ${busyMs}`);
    db.pragma("temp_store = MEMORY");
    db.pragma("cache_size = -16384");
    requireKnownSchema(schemaOf(db));
  });
}

/** Moves a store out of the way, with all that belongs to it, and tells where to. */
export function setAside(path: string, now: number): string {
  const stamp = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const aside = `${path}.damaged-${stamp}`;
  for (const suffix of ["", "-wal", "-shm"]) if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  return aside;
}

export function schemaOf(db: Connection): number {
  return Number(db.pragma("user_version", { simple: true }));
}

function open(path: string, options: Database.Options, prepare: (db: Connection) => void): Connection {
  return guard(path, () => {
    const db = new Database(path, options);
    try {
      prepare(db);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** Runs `work` and turns SQLite's failures into ours. */
function guard<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translate(path, error);
  }
}

export function translate(path: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "SQLITE_CORRUPT_VTAB") {
    return new YoreError("corrupt-store", `The word index of the store at ${path} is damaged.`, {
      hint: "Run `yore index --rebuild`: it is made anew from the messages in the store, and nothing is lost.",
      cause: error,
    });
  }
  if (code === "SQLITE_NOTADB" || code.startsWith("SQLITE_CORRUPT")) {
    return new YoreError("corrupt-store", `The store at ${path} is damaged.`, {
      hint: "Nothing was changed. Run `yore restore`: it keeps the damaged file and makes the store anew from the archive and the agents' files.",
      cause: error,
    });
  }
  if (code === "SQLITE_FULL" || code === "ENOSPC") {
    return new YoreError("disk-full", `There is no space left to write to ${path}.`, {
      hint: "What was indexed so far is kept. Free some space and run the command again.",
      cause: error,
    });
  }
  if (isBusy(error)) {
    return new YoreError("busy", "Another process is writing to the store.", {
      hint: "Try again in a moment.",
      cause: error,
    });
  }
  if (UNREADABLE.test(code)) {
    return new YoreError("unreadable", `The store at ${path} cannot be opened.`, {
      hint: "Check who owns the file and its folder, or set YORE_HOME to another folder.",
      cause: error,
    });
  }
  return error;
}

const UNREADABLE =
  /^(?:SQLITE_(?:CANTOPEN|READONLY|PERM|IOERR)|(?:EACCES|EPERM|EROFS|ENOTDIR|EISDIR|ENOENT|EEXIST|ENAMETOOLONG)$)/;

/** A database without a schema number that holds something already is another program's. */
function requireOwn(db: Connection): void {
  // As one transaction: another process may be making the tables and the number right now.
  const isForeign = db.transaction(
    () => schemaOf(db) === 0 && db.prepare("SELECT 1 FROM sqlite_master LIMIT 1").get() !== undefined,
  );
  if (!isForeign()) return;
  throw new YoreError("corrupt-store", "The file yore.db holds another program's data.", {
    hint: "Nothing was changed. Set YORE_HOME to another folder.",
  });
}

// SQLite does not wait here for others that have the file open, whatever `busy_timeout` says.
function switchToWal(db: Connection, busyMs: number): void {
  for (let waitedMs = 0; ; waitedMs += PAUSE_MS) {
    try {
      db.pragma("journal_mode = WAL");
      return;
    } catch (error) {
      if (!isBusy(error) || waitedMs >= busyMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}

function migrate(db: Connection): void {
  if (schemaOf(db) === migrations.length) return;
  db.transaction(() => {
    // Another process may have migrated while this one waited for the write lock.
    for (const migration of migrations.slice(schemaOf(db))) db.exec(migration);
    db.pragma(`user_version = ${migrations.length}`);
  }).immediate();
}

function requireKnownSchema(schema: number): void {
  if (schema > migrations.length) {
    throw new YoreError("store-too-new", "The store was written by a newer version of yore.", {
      hint: "Update yore, or set YORE_HOME to another folder.",
    });
  }
}

// Not `recursive`, with which Node never ends where a file system refuses folders, such as below /proc.
function makeFolder(folder: string): void {
  const parent = dirname(folder);
  if (parent !== folder && !existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
    chmodSync(folder, 0o700);
  } catch (error) {
    // Several agents may start at once; any of them makes the folder.
    if (!existsSync(folder)) throw error;
  }
}

// SQLite would create the file with the process's umask, and its -wal and -shm take the mode of the file.
function createPrivately(path: string): void {
  guard(path, () => {
    const folder = dirname(path);
    if (!existsSync(folder)) {
      makeFolder(folder);
    }
    if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  });
}
