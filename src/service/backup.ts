import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { YoreError } from "../core/errors.ts";
import { formatDay } from "../core/time.ts";
import type { BackupFile } from "../store/store.ts";
import { archiveFiles, mirrorFiles } from "./backup-files.ts";
import { isAlive } from "./processes.ts";
import type { Workbench } from "./workbench.ts";
import type { BackupRequest, Yore } from "./yore.ts";

const BACKUPS = "backups";

export function backingUp(bench: Workbench): Pick<Yore, "backup"> {
  const { store, keeper, yoreHome, clock, timeZone } = bench;
  return {
    async backup({ path: asked, onProgress }: BackupRequest = {}) {
      await keeper.refresh();
      const made = clock();
      const nextName = placeFor(yoreHome, asked, formatDay(made, timeZone));
      let path = nextName();
      const draft = `${path}.${process.pid}.tmp`;
      let files = 0;
      const counted = function* (all: Iterable<BackupFile>): Generator<BackupFile> {
        for (const file of all) {
          files += 1;
          yield file;
        }
      };
      rmSync(draft, { force: true });
      try {
        const held = await store.backUp(draft, {
          made,
          atOnce: () => counted(mirrorFiles(yoreHome)),
          // What is archived may be ahead of the store, and is never behind it: so the store comes first.
          after: () => counted(archiveFiles(yoreHome, (done, total) => onProgress?.({ phase: "files", done, total }))),
          ...(onProgress !== undefined && { onProgress }),
        });
        // Another process may have taken the name meanwhile.
        while (!settle(draft, path)) path = nextName();
        return { path, bytes: statSync(path).size, ...held, files };
      } catch (error) {
        throw failure(path, error);
      } finally {
        for (const end of ["", "-journal"]) rmSync(`${draft}${end}`, { force: true });
      }
    },
  };
}

/** Gives where a backup is to stand. What is there already is left alone. */
function placeFor(yoreHome: string, asked: string | undefined, day: string): () => string {
  const folder = asked === undefined ? join(yoreHome, BACKUPS) : resolve(asked);
  if (asked === undefined) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) {
    removeAbandoned(folder);
    return () => freeName(folder, day);
  }
  if (!existsSync(dirname(folder)))
    throw new YoreError("not-found", `There is no folder ${dirname(folder)}.`, { hint: "Make it first." });
  removeAbandoned(dirname(folder));
  return () => {
    if (!existsSync(folder)) return folder;
    throw new YoreError("bad-input", `${folder} is there already.`, { hint: "Give another name, or move it away." });
  };
}

/** What a process was writing when it was killed, which may be large. */
function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    const [, pid] = /\.(\d+)\.tmp(?:-journal)?$/.exec(name) ?? [];
    if (pid !== undefined && /\.db\./.test(name) && !isAlive(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

function freeName(folder: string, day: string): string {
  for (let number = 1; ; number += 1) {
    const path = join(folder, `yore-${day}${number === 1 ? "" : `-${number}`}.db`);
    if (!existsSync(path)) return path;
  }
}

/** On the disk before it has its name. False where something has that name. */
function settle(draft: string, path: string): boolean {
  const file = openSync(draft, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    // A name that is given anew takes the place of no other file.
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (existsSync(path)) return false;
    if (!(error instanceof Error && "code" in error)) throw error;
    // Some disks know no links.
    renameSync(draft, path);
    return true;
  }
}

function failure(path: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (error instanceof YoreError && error.code === "disk-full")
    return new YoreError("disk-full", `There is no space left for ${path}.`, {
      hint: "Give another place, with `yore backup FILE`.",
      cause: error,
    });
  if (error instanceof YoreError || !/^E[A-Z]+$/.test(code)) return error;
  return new YoreError(code === "ENOSPC" ? "disk-full" : "unreadable", `${path} could not be written (${code}).`, {
    hint: "Give another place, with `yore backup FILE`.",
    cause: error,
  });
}
