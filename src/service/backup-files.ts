import { closeSync, type Dirent, openSync, readdirSync, readSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import type { BackupFile } from "../store/store.ts";

/** What goes into a backup beside the store. The key of redaction does not, or the backup would be as telling as both. */
export const BACKED_UP = {
  mirror: "mirror",
  archive: "archive",
  allowList: "redaction-allow.txt",
  settings: "config.json",
} as const;

const PIECE_BYTES = 1_000_000;

/** The mirror and what a person wrote, read at once. */
export function* mirrorFiles(yoreHome: string): Generator<BackupFile> {
  for (const name of [...filesBelow(yoreHome, BACKED_UP.mirror), BACKED_UP.allowList, BACKED_UP.settings]) {
    const file = readWhole(yoreHome, name);
    if (file !== undefined) yield file;
  }
}

/** Folders of transcripts, one after the other, each as it was at one moment. */
export function* archiveFiles(
  yoreHome: string,
  onFolder: (done: number, total: number) => void,
): Generator<BackupFile> {
  const folders = foldersBelow(yoreHome, BACKED_UP.archive);
  for (const [done, folder] of folders.entries()) {
    onFolder(done, folders.length);
    yield* folderAtOnce(yoreHome, folder);
  }
}

/** Another process may put segments together meanwhile: then all of the folder is read again. */
function folderAtOnce(yoreHome: string, folder: string): readonly BackupFile[] {
  for (let attempt = 1; ; attempt += 1) {
    const before = lookAt(join(yoreHome, folder));
    if (before === undefined) return [];
    const names = entriesIn(join(yoreHome, folder)).filter((entry) => entry.isFile());
    const files = names.map(({ name }) => readWhole(yoreHome, `${folder}/${name}`));
    const after = lookAt(join(yoreHome, folder));
    const isSame = after?.ino === before.ino && after.mtimeMs === before.mtimeMs && !files.includes(undefined);
    if (isSame || attempt === ATTEMPTS) return files.filter((file) => file !== undefined);
  }
}

const ATTEMPTS = 20;

function readWhole(yoreHome: string, name: string): BackupFile | undefined {
  let file: number | undefined;
  try {
    const path = join(yoreHome, name);
    const { mtimeMs, size } = statSync(path);
    file = openSync(path, "r");
    const pieces: Uint8Array[] = [];
    for (let left = size; left > 0 || pieces.length === 0; ) {
      const piece = Buffer.alloc(Math.min(left, PIECE_BYTES));
      const read = readSync(file, piece, 0, piece.length, null);
      pieces.push(piece.subarray(0, read));
      left = read === 0 ? 0 : left - read;
    }
    return { name, mtimeMs, pieces };
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** `archive/<agent>/<transcript>`; one that is put together anew counts where there is no other. */
function foldersBelow(yoreHome: string, name: string): readonly string[] {
  return foldersIn(join(yoreHome, name)).flatMap((agent) => {
    const transcripts = foldersIn(join(yoreHome, name, agent));
    return transcripts
      .filter((one) => !one.endsWith(STAGED) || !transcripts.includes(one.slice(0, -STAGED.length)))
      .map((one) => `${name}/${agent}/${one}`);
  });
}

const STAGED = ".new";

function foldersIn(folder: string): readonly string[] {
  return entriesIn(folder).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}

function filesBelow(yoreHome: string, folder: string): readonly string[] {
  return entriesIn(join(yoreHome, folder)).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesBelow(yoreHome, path);
    return entry.isFile() ? [path] : [];
  });
}

/** By name, without what is just being written, and names that would mean a folder elsewhere. */
function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !name.endsWith(".tmp") && !name.includes("\\"))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

function lookAt(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
