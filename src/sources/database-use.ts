import { closeSync, openSync, readFileSync, readSync, statSync } from "node:fs";

/**
 * Whether a process has a database with a write-ahead log open. Every connection holds a lock on the shared memory beside
 * it for as long as it is open; what is left by a process that was killed has none. Undefined where the system does not
 * tell of locks. One of a process in another container may not be told of.
 */
export function isOpenSomewhere(path: string): boolean | undefined {
  const inode = statSync(`${path}-shm`, { bigint: true, throwIfNoEntry: false })?.ino;
  if (inode === undefined) return false;
  try {
    // The device's number is another one here than in the file's status on some file systems.
    const locks = readFileSync("/proc/locks", "latin1");
    return new RegExp(`:${inode} \\d+ `).test(locks);
  } catch {
    return undefined;
  }
}

/**
 * Another text whenever a copy of the database, and then of its log, would not be of one moment. Pages are written into
 * the database from the log alone; as long as the log is of the same generation, a copy of it holds all of them.
 */
export function generationOf(path: string): string {
  const log = beginningOf(`${path}-wal`, LOG_HEADER_BYTES);
  if (log.length === LOG_HEADER_BYTES) return log.toString("latin1");
  const { size, mtimeNs } = statSync(path, { bigint: true });
  return `${size}:${mtimeNs}`;
}

/** The header says whether a database is in write-ahead mode: SQLite's file format, section 1.3.3. */
export function isWriteAhead(path: string): boolean {
  const header = beginningOf(path, 20);
  return header.toString("latin1", 0, 16) === MAGIC && header[19] === 2;
}

/** With its salts, which are others each time that the log begins anew: SQLite's file format, section 4.1. */
const LOG_HEADER_BYTES = 32;
const MAGIC = "SQLite format 3\0";

function beginningOf(path: string, length: number): Buffer {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return Buffer.alloc(0);
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(length);
    return buffer.subarray(0, readSync(file, buffer, 0, length, 0));
  } finally {
    closeSync(file);
  }
}
