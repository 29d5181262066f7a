import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { problemError } from "./problem.ts";

/** A copy of a file and of some that stand beside it, in a folder that only this user may open. */
export interface FileCopy {
  readonly path: string;
  remove(): void;
}

/**
 * Copies `path`, then what stands beside it, each with its suffix. Copies that a process left that is gone are removed
 * first. Throws where there is no space, or where the file is too large to be copied.
 */
export function copyFiles(path: string, suffixes: readonly string[]): FileCopy {
  removeAbandoned();
  const folder = mkdtempSync(join(tmpdir(), `yore-${process.pid}-`));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, basename(path));
    for (const suffix of ["", ...suffixes]) copyFile(path + suffix, copy + suffix);
    return { path: copy, remove };
  } catch (error) {
    remove();
    throw isFull(error)
      ? problemError("space", "cannot be read: there is no space left for a copy of it", error)
      : error;
  }
}

/** Versions for writing and reading in the header, of a database without a write-ahead log. */
export const PLAIN_MODE = Buffer.from([1, 1]);
export const MODE_AT = 18;

/** Makes a copy one of a database without a log. */
export function writePlainMode(path: string): void {
  const file = openSync(path, "r+");
  try {
    writeSync(file, PLAIN_MODE, 0, PLAIN_MODE.length, MODE_AT);
  } finally {
    closeSync(file);
  }
}

/** A larger file is copied only where the file system does so without writing it again. */
const MAX_COPY_BYTES = 2_000_000_000;
const COPY = /^yore-(\d+)-[A-Za-z0-9]{6}$/;

function copyFile(from: string, to: string): void {
  const isLarge = statSync(from).size > MAX_COPY_BYTES;
  try {
    copyFileSync(from, to, isLarge ? constants.COPYFILE_FICLONE_FORCE : constants.COPYFILE_FICLONE);
  } catch (error) {
    if (isLarge) throw problemError("too-large", "is not open in its agent, and is too large to be copied", error);
    throw error;
  }
  // A copy of a file that is only to be read could not be recovered or removed everywhere.
  chmodSync(to, 0o600);
}

function removeAbandoned(): void {
  const folder = tmpdir();
  for (const name of namesIn(folder)) {
    const pid = Number(COPY.exec(name)?.[1] ?? Number.NaN);
    if (Number.isNaN(pid) || isRunning(pid)) continue;
    try {
      const path = join(folder, name);
      const stats = lstatSync(path);
      if (stats.isDirectory() && stats.uid === (process.getuid?.() ?? stats.uid)) rmSync(path, { recursive: true });
    } catch {
      // Another process removed it first.
    }
  }
}

/** One that may not be sent a signal is there, and so is one whose number is no number of a process. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}
