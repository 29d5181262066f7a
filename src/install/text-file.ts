import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { Unfit } from "./edit/edit.ts";

/** A file as it is read: undefined where there is none. Throws `Unfit` where it cannot be edited. */
export function readBytes(path: string): Buffer | undefined {
  if (!existsSync(path)) {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    throw new Unfit("it is a link that leads nowhere");
  }
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Unfit(`it cannot be read (${reasonOf(error)})`);
  }
}

/** How a text was written, so that another can be written alike. */
interface Spelling {
  readonly mark: string;
  readonly lineEnd: "\n" | "\r\n";
}

/** A text without byte order mark and with `\n` at the end of its lines. Throws `Unfit` for bytes that are no UTF-8. */
export function decode(bytes: Buffer): { readonly text: string; readonly spelling: Spelling } {
  const raw = bytes.toString("utf8");
  if (!Buffer.from(raw, "utf8").equals(bytes)) throw new Unfit("it is no UTF-8");
  const mark = raw.startsWith(MARK) ? MARK : "";
  const text = raw.slice(mark.length);
  const windows = text.split("\r\n").length - 1;
  const lineEnd = windows > 0 && windows === text.split("\n").length - 1 ? "\r\n" : "\n";
  return { text: lineEnd === "\r\n" ? text.replaceAll("\r\n", "\n") : text, spelling: { mark, lineEnd } };
}

export function encode(text: string, { mark, lineEnd }: Spelling = { mark: "", lineEnd: "\n" }): Buffer {
  return Buffer.from(mark + (lineEnd === "\n" ? text : text.replaceAll("\n", lineEnd)), "utf8");
}

const MARK = "\u{feff}";

/** Why a file must not be written; undefined where it may. */
export function reasonNotToWrite(path: string): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  if (!stats.isFile()) return "it is no file";
  return (stats.mode & 0o222) === 0 ? "it is read-only" : undefined;
}

/**
 * Puts bytes in the place of a file in one step: a link stays one, and owner and mode stay. Returns the folders that were
 * made for it, the outermost first.
 */
export function writeInPlace(path: string, bytes: Buffer, isPrivate: boolean): readonly string[] {
  const folders = makeFolders(dirname(path), isPrivate ? 0o700 : 0o777);
  const target = existsSync(path) ? realpathSync(path) : path;
  const before = statSync(target, { throwIfNoEntry: false });
  const draft = `${target}.${process.pid}.tmp`;
  try {
    rmSync(draft, { force: true });
    const file = openSync(draft, "wx", isPrivate ? 0o600 : 0o644);
    try {
      writeFileSync(file, bytes);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (before !== undefined) keepOwner(draft, before);
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  return folders;
}

/** Where another user runs this, such as with sudo, the file stays its owner's. */
function keepOwner(path: string, { mode, uid, gid }: Stats): void {
  chmodSync(path, mode & 0o7777);
  const own = statSync(path);
  if (own.uid === uid && own.gid === gid) return;
  try {
    chownSync(path, uid, gid);
  } catch {
    // Only the superuser can.
  }
}

/** Removes those of the folders in which nothing is left, whichever way they are ordered. */
export function removeEmptyFolders(folders: readonly string[]): void {
  // What is within another has the longer path.
  for (const folder of [...new Set(folders)].sort((a, b) => b.length - a.length)) {
    try {
      rmdirSync(folder);
    } catch {
      // Something is in it, or it is gone.
    }
  }
}

/** Makes a folder with those above it, and returns those that were made, the outermost first. */
export function makeFolders(folder: string, mode: number): readonly string[] {
  if (existsSync(folder)) return [];
  const above = makeFolders(dirname(folder), mode);
  mkdirSync(folder, { mode });
  return [...above, folder];
}

export function reasonOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "failed";
}
