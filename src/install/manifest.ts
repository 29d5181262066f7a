import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { YoreError } from "../core/errors.ts";
import { isTable } from "./edit/edit.ts";
import { makeFolders, reasonOf, removeEmptyFolders, writeInPlace } from "./text-file.ts";

/** What was done to one file. */
export interface Done {
  readonly agent: string;
  /** Name of the file within its host. */
  readonly name: string;
  /** Hash of what was written: where it is still that, nobody changed it since. */
  readonly after: string;
  /** Name of the copy of what was there before; undefined where there was nothing. */
  readonly backup?: string;
  /** Folders that were made for it, the outermost first. */
  readonly folders: readonly string[];
  readonly version: string;
}

/** The record of what was installed, with copies of every file as it was before, for their owner alone. */
export class Manifest {
  readonly #folder: string;
  readonly #files: Map<string, Done>;

  constructor(folder: string) {
    this.#folder = folder;
    this.#files = new Map(readRecord(join(folder, RECORD)));
  }

  of(path: string): Done | undefined {
    return this.#files.get(path);
  }

  /** By path, of one host. */
  filesOf(agent: string): readonly (readonly [path: string, done: Done])[] {
    return [...this.#files].filter(([, done]) => done.agent === agent);
  }

  /** Whether a file is one of Yore's own folder. */
  isBelow(path: string): boolean {
    return path.startsWith(this.#folder + sep);
  }

  agents(): readonly string[] {
    return [...new Set([...this.#files.values()].map(({ agent }) => agent))];
  }

  /** Keeps a copy of bytes that are going to be written over, and returns its name. */
  keep(path: string, bytes: Buffer): string {
    const name = join(
      BACKUPS,
      `${hashOf(Buffer.from(path)).slice(0, 8)}-${hashOf(bytes).slice(0, 8)}-${basename(path)}`,
    );
    writeInPlace(join(this.#folder, name), bytes, true);
    return name;
  }

  /** The copy of what was there before; undefined where there was nothing, or it is gone. */
  backup({ backup }: Done): Buffer | undefined {
    if (backup === undefined) return undefined;
    try {
      return readFileSync(join(this.#folder, backup));
    } catch {
      return undefined;
    }
  }

  set(path: string, done: Done): void {
    const earlier = this.#files.get(path)?.backup;
    this.#files.set(path, done);
    this.#write();
    if (earlier !== undefined && earlier !== done.backup) this.#drop(earlier);
  }

  remove(path: string): void {
    const earlier = this.#files.get(path);
    if (!this.#files.delete(path)) return;
    this.#write();
    if (earlier?.backup !== undefined) this.#drop(earlier.backup);
    removeEmptyFolders([join(this.#folder, BACKUPS)]);
  }

  #drop(name: string): void {
    rmSync(join(this.#folder, name), { force: true });
  }

  /** With the last file the record itself goes. */
  #write(): void {
    const path = join(this.#folder, RECORD);
    if (this.#files.size === 0) {
      rmSync(path, { force: true });
      return;
    }
    const files = Object.fromEntries([...this.#files].sort(([a], [b]) => (a < b ? -1 : 1)));
    writeInPlace(path, Buffer.from(`${JSON.stringify({ files }, null, 2)}\n`), true);
  }
}

const RECORD = "installed.json";
const BACKUPS = "before";

/** Runs `work` while no other process installs. The folder goes again where nothing was left in it. */
export function alone<T>(folder: string, work: () => T): T {
  const path = join(folder, "lock");
  try {
    prepareLock(folder, path);
    try {
      return work();
    } finally {
      rmSync(path, { force: true });
    }
  } finally {
    removeEmptyFolders([dirname(folder), folder]);
  }
}

/** Nothing is written anywhere where no record of it can be kept. */
function prepareLock(folder: string, path: string): void {
  try {
    makeFolders(folder, 0o700);
    takeLock(path);
  } catch (error) {
    if (error instanceof YoreError) throw error;
    throw new YoreError("unreadable", `${folder} cannot be written (${reasonOf(error)}). Nothing was changed.`, {
      hint: "What was in the agents' files before is kept there. Make room or give yourself the right to write, or set YORE_HOME.",
      cause: error,
    });
  }
}

function takeLock(path: string): void {
  for (const isLast of [false, true]) {
    try {
      const file = openSync(path, "wx", 0o600);
      writeFileSync(file, String(process.pid));
      closeSync(file);
      return;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      if (isLast || isHeld(path)) {
        throw new YoreError("busy", "Another process is installing or uninstalling.", {
          hint: `Wait for its end. If there is none, remove ${path}.`,
        });
      }
      // Whoever took it was killed.
      rmSync(path, { force: true });
    }
  }
}

function isHeld(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, "utf8"));
    if (!Number.isInteger(pid) || pid <= 0) return false;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

export function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** A record that is damaged is as good as none: what is ours is known by itself too. */
function readRecord(path: string): readonly (readonly [string, Done])[] {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    const files = isTable(value) && isTable(value.files) ? value.files : {};
    return Object.entries(files).flatMap(([file, one]) => {
      const done = readDone(one);
      return done === undefined ? [] : [[file, done] as const];
    });
  } catch {
    return [];
  }
}

function readDone(value: unknown): Done | undefined {
  if (!isTable(value)) return undefined;
  const { agent, name, after, backup, folders, version } = value;
  if (typeof agent !== "string" || typeof name !== "string" || typeof after !== "string") return undefined;
  return {
    agent,
    name,
    after,
    folders: Array.isArray(folders) ? folders.filter((one): one is string => typeof one === "string") : [],
    version: typeof version === "string" ? version : "",
    ...(typeof backup === "string" && { backup }),
  };
}
