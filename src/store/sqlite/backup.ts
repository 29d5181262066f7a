import { chmodSync, closeSync, copyFileSync, openSync, rmSync } from "node:fs";
import Database from "better-sqlite3";
import { YoreError } from "../../core/errors.ts";
import type { BackUpRequest, Backup, BackupFile } from "../store.ts";
import { migrations } from "./migrations/index.ts";
import { type Connection, openForReading, schemaOf, translate } from "./open.ts";
import { integer, text } from "./statements.ts";

/*
 * A backup is the store itself, with two tables more: files that stand beside it, in pieces, and what it is. So SQLite
 * proves it whole, and a person can look into it with any tool for SQLite.
 */

const VERSION = 1;

const TABLES = `
CREATE TABLE backup_files (name TEXT NOT NULL, piece INTEGER NOT NULL, mtime_ms REAL NOT NULL, bytes BLOB NOT NULL,
  PRIMARY KEY (name, piece));
CREATE TABLE backup_facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
DELETE FROM lease;
DELETE FROM watch_lease;
`;

/** Pages that are copied between two moments at which the process may do something else. */
const PAGES = 2_000;

/** `still` keeps others from writing to the store while it works. */
export async function backUp(
  storePath: string,
  path: string,
  { atOnce, after, made, onProgress }: BackUpRequest,
  still: <T>(work: () => T) => Promise<T>,
): Promise<Pick<Backup, "sessions" | "messages">> {
  closeSync(openSync(path, "wx", 0o600));
  const source = openForReading(storePath);
  try {
    const beside = await still(() => {
      // From its first reading on, a transaction sees the store as it is now, whoever writes.
      source.exec("BEGIN");
      source.prepare("SELECT 1 FROM sqlite_master").get();
      return [...atOnce()];
    });
    await source.backup(path, {
      progress: ({ totalPages, remainingPages }) => {
        onProgress?.({ phase: "store", done: totalPages - remainingPages, total: totalPages });
        return PAGES;
      },
    });
    addFiles(
      path,
      function* () {
        yield* beside;
        yield* after();
      },
      made,
    );
    onProgress?.({ phase: "checking", done: 0, total: 1 });
    const backup = openBackup(path);
    try {
      backup.check();
      return { sessions: backup.sessions, messages: backup.messages };
    } finally {
      backup.close();
    }
  } catch (error) {
    rmSync(path, { force: true });
    throw isOfFiles(error) ? error : translate(path, error);
  } finally {
    source.close();
  }
}

/** What the file system says has a code such as `EACCES`. */
function isOfFiles(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^E[A-Z0-9]+$/.test(String(error.code));
}

function addFiles(path: string, files: () => Iterable<BackupFile>, made: number): void {
  const db = new Database(path);
  try {
    // One file, without a log beside it.
    db.pragma("journal_mode = DELETE");
    db.transaction(() => {
      db.exec(TABLES);
      const insert = db.prepare("INSERT INTO backup_files (name, piece, mtime_ms, bytes) VALUES (?, ?, ?, ?)");
      for (const { name, mtimeMs, pieces } of files()) {
        let piece = 0;
        for (const bytes of pieces) {
          insert.run(name, piece, mtimeMs, bytes);
          piece += 1;
        }
      }
      const note = db.prepare("INSERT INTO backup_facts (name, value) VALUES (?, ?)");
      note.run("version", String(VERSION));
      note.run("made", String(made));
    })();
  } finally {
    db.close();
  }
}

/** Throws `bad-input` for a file that is no backup of ours, and `store-too-new` for one by a newer version. */
export function openBackup(path: string): Backup {
  const db = openReadOnly(path);
  try {
    const facts = new Map(
      db
        .prepare<[], { name: string; value: string }>("SELECT name, value FROM backup_facts")
        .all()
        .map(({ name, value }) => [name, value]),
    );
    if (Number(facts.get("version")) > VERSION || schemaOf(db) > migrations.length) {
      throw new YoreError("store-too-new", "The backup was written by a newer version of yore.", {
        hint: "Update yore.",
      });
    }
    const count = (sql: string): number => Number(db.prepare(sql).pluck().get());
    return {
      made: Number(facts.get("made")),
      sessions: count("SELECT count(*) FROM sessions WHERE messages > 0"),
      messages: count("SELECT count(*) FROM messages"),
      files: () => filesIn(db),
      check: () => check(db, path),
      writeStore: (target) => writeStore(path, target),
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw notOurs(path, error);
  }
}

/** Whether a store has no history and nothing that anyone put there. Undefined where it cannot be read. */
export function isEmptyStore(path: string): boolean | undefined {
  try {
    const db = openForReading(path);
    try {
      return (
        db.prepare("SELECT 1 FROM messages UNION ALL SELECT 1 FROM annotation_history LIMIT 1").get() === undefined
      );
    } finally {
      db.close();
    }
  } catch {
    return undefined;
  }
}

function openReadOnly(path: string): Connection {
  try {
    return new Database(path, { readonly: true, fileMustExist: true });
  } catch (error) {
    throw new YoreError("not-found", `There is no file ${path} that can be read.`, { cause: error });
  }
}

function notOurs(path: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code !== "SQLITE_NOTADB" && code !== "SQLITE_ERROR" && !code.startsWith("SQLITE_CORRUPT")) return error;
  return new YoreError("bad-input", `${path} is no backup of yore, or a damaged one.`, {
    hint: "Give a file that `yore backup` wrote. Nothing was changed.",
    cause: error,
  });
}

function check(db: Connection, path: string): void {
  const detail = String(db.pragma("integrity_check(1)", { simple: true }));
  if (detail === "ok") return;
  throw new YoreError("bad-input", `The backup ${path} is damaged.`, { hint: "Nothing was changed. Use another one." });
}

function* filesIn(db: Connection): Generator<BackupFile> {
  const names = db.prepare("SELECT name, mtime_ms FROM backup_files WHERE piece = 0 ORDER BY name").all();
  for (const row of names) {
    const { name, mtime_ms: mtimeMs } = Object(row);
    yield { name: text(name), mtimeMs: Number(mtimeMs), pieces: piecesOf(db, text(name)) };
  }
}

/** One by one, since a reader may stop in between. */
function* piecesOf(db: Connection, name: string): Generator<Uint8Array> {
  const read = db.prepare("SELECT bytes FROM backup_files WHERE name = ? AND piece = ?").pluck();
  for (let piece = 0; ; piece += 1) {
    const bytes = read.get(name, piece);
    if (!Buffer.isBuffer(bytes)) return;
    yield bytes;
  }
}

function writeStore(path: string, target: string): void {
  copyFileSync(path, target);
  chmodSync(target, 0o600);
  const db = new Database(target);
  try {
    db.exec("DROP TABLE backup_files; DROP TABLE backup_facts");
    // What the files took up is given back.
    if (integer(db.pragma("freelist_count", { simple: true })) > 0) db.pragma("incremental_vacuum");
    db.pragma("journal_mode = WAL");
  } finally {
    db.close();
  }
}
