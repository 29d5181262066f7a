import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { YoreError } from "../core/errors.ts";
import type { Backup, BackupFile } from "../store/store.ts";
import { BACKED_UP } from "./backup-files.ts";
import { storePathIn } from "./local.ts";
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
  // One that was killed may have left its own.
  for (const name of readdirSync(yoreHome))
    if (name.startsWith(STAGING)) rmSync(join(yoreHome, name), { recursive: true, force: true });
  const staging = join(yoreHome, `${STAGING}${process.pid}`);
  mkdirSync(staging, { mode: 0o700 });
  try {
    backup.writeStore(storePathIn(staging));
    let files = 0;
    for (const file of backup.files()) {
      writeOut(staging, file);
      files += 1;
    }
    const aside = setAside(yoreHome, options.now);
    for (const name of readdirSync(staging)) renameSync(join(staging, name), join(yoreHome, name));
    const { made, sessions, messages } = backup;
    return { made, sessions, messages, files, ...(aside !== undefined && { aside }) };
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

const STAGING = "restoring-";

const GIVES_WAY = ["yore.db", "yore.db-wal", "yore.db-shm", ...Object.values(BACKED_UP)];

function holdsFiles(yoreHome: string): boolean {
  return [BACKED_UP.archive, BACKED_UP.mirror].some((name) => {
    const folder = join(yoreHome, name);
    return existsSync(folder) && readdirSync(folder).length > 0;
  });
}

function setAside(yoreHome: string, now: number): string | undefined {
  const names = GIVES_WAY.filter((name) => existsSync(join(yoreHome, name)));
  if (names.length === 0) return undefined;
  const stamp = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const aside = join(yoreHome, `before-restore-${stamp}`);
  mkdirSync(aside, { mode: 0o700 });
  for (const name of names) renameSync(join(yoreHome, name), join(aside, name));
  return aside;
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
