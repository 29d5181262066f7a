import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { YoreError } from "../core/errors.ts";
import type { Backup, BackupFile } from "../store/store.ts";
import { BACKED_UP } from "./backup-files.ts";
import { storePathIn } from "./places.ts";
import { isAlive } from "./processes.ts";
import { adoptRefusals } from "./refusal-mirror.ts";
import { STAGING, stagingIn } from "./restoring.ts";
import type { Restored } from "./yore.ts";

export interface RestoreOptions {
  /** Whether what is there gives way; it is kept aside. */
  readonly replace: boolean;
  /** Whether there is a store that holds something. */
  readonly isOccupied: boolean;
  readonly now: number;
}

/**
 * Puts a backup in the place of store, mirror and archive. It is read through and written out beside them first, so that
 * a damaged one, or a full disk, changes nothing. Throws `bad-input` where something is there that was not to give way.
 */
export function restoreBackup(backup: Backup, yoreHome: string, options: RestoreOptions): Restored {
  const isOccupied = options.isOccupied || holdsFiles(yoreHome);
  if (isOccupied && !options.replace) {
    throw new YoreError("bad-input", `${yoreHome} holds a history already.`, {
      hint: "Add --yes: what is there is moved aside first, and kept. Or set YORE_HOME to another folder.",
    });
  }
  backup.check();
  mkdirSync(yoreHome, { recursive: true, mode: 0o700 });
  finishRestore(yoreHome);
  const staging = join(yoreHome, `${STAGING}${process.pid}`);
  mkdirSync(staging, { mode: 0o700 });
  try {
    backup.writeStore(storePathIn(staging));
    let files = 0;
    for (const file of backup.files()) {
      writeOut(staging, file);
      files += 1;
    }
    const isReplaced = GIVES_WAY.some((name) => existsSync(join(yoreHome, name)));
    const aside = join(yoreHome, asideName(options.now));
    writeFileSync(join(staging, READY), JSON.stringify({ aside, names: readdirSync(staging) }), {
      mode: 0o600,
      flush: true,
    });
    const refused = exchange(yoreHome, staging);
    const { made, sessions, messages } = backup;
    return { made, sessions, messages, files, ...(isReplaced && { aside }), ...(refused > 0 && { refused }) };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Says that all is written out, and what is to be done with it. */
const READY = "ready.json";

/**
 * Goes on with a restore that was killed while it put things in their places; of one that had not come so far, only what
 * it wrote out is removed. Throws `busy` while another process is at it. Asked for before anything is opened.
 */
export function finishRestore(yoreHome: string): void {
  for (const name of stagingIn(yoreHome)) {
    if (isAlive(Number(name.slice(STAGING.length)))) {
      throw new YoreError("busy", "A backup is being put in the place of the store.", {
        hint: "Try again in a moment.",
      });
    }
    const staging = join(yoreHome, name);
    if (existsSync(join(staging, READY))) exchange(yoreHome, staging);
    rmSync(staging, { recursive: true, force: true });
  }
}

/** Each step may have been done before: what was put in its place is no longer among what was written out. */
function exchange(yoreHome: string, staging: string): number {
  const { aside, names }: { readonly aside: string; readonly names: readonly string[] } = JSON.parse(
    readFileSync(join(staging, READY), "utf8"),
  );
  for (const name of GIVES_WAY) {
    const [place, isWritten] = [join(yoreHome, name), names.includes(name)];
    const isNew = isWritten && !existsSync(join(staging, name));
    if (!existsSync(place) || isNew) continue;
    mkdirSync(aside, { recursive: true, mode: 0o700 });
    renameSync(place, join(aside, name));
  }
  for (const name of names) if (existsSync(join(staging, name))) renameSync(join(staging, name), join(yoreHome, name));
  // What was removed for good does not come back with an older backup; `yore purge` finishes that.
  return adoptRefusals(aside, yoreHome);
}

const GIVES_WAY = ["yore.db", "yore.db-wal", "yore.db-shm", ...Object.values(BACKED_UP)];

function holdsFiles(yoreHome: string): boolean {
  return [BACKED_UP.archive, BACKED_UP.mirror].some((name) => {
    const folder = join(yoreHome, name);
    return existsSync(folder) && readdirSync(folder).length > 0;
  });
}

function asideName(now: number): string {
  return `before-restore-${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
}

/** A backup may come from anywhere, so a name leads nowhere else. */
function writeOut(folder: string, { name, mtimeMs, pieces }: BackupFile): void {
  const parts = name.split("/");
  const isOurs = FILES.has(name) || (parts.length > 1 && OURS.has(parts[0] ?? ""));
  if (!isOurs || parts.some((part) => !/^[^\\\0]+$/.test(part) || part === "." || part === "..")) {
    throw new YoreError("bad-input", "The backup holds a file that does not belong into a store.", {
      hint: "Nothing was changed. Use another backup.",
    });
  }
  const path = join(folder, ...parts);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, "wx", 0o600);
  try {
    for (const piece of pieces) writeFileSync(file, piece);
  } finally {
    closeSync(file);
  }
  utimesSync(path, mtimeMs / 1_000, mtimeMs / 1_000);
}

const FILES: ReadonlySet<string> = new Set([BACKED_UP.allowList, BACKED_UP.settings]);
const OURS: ReadonlySet<string> = new Set([BACKED_UP.mirror, BACKED_UP.archive]);
