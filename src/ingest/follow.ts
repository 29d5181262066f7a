import { type FSWatcher, watch } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { Discovery } from "./discover.ts";

/** What was heard of since it was asked last. */
export interface Heard {
  /** Paths of files at which something happened. */
  readonly paths: ReadonlySet<string>;
  /** Something happened that no path tells, or to a folder that is followed. */
  readonly isUnclear: boolean;
}

/**
 * Hears of changes in folders. What it hears is a hint where to look, no more: events are missed, merged or late on every
 * system, so whoever uses it looks over everything now and then.
 *
 * Each folder is followed by itself, since not all systems can follow what is below it, and those that can follow far
 * more than is needed.
 */
export class Follower {
  readonly #onEvent: () => void;
  readonly #folders = new Map<string, FSWatcher>();
  #paths = new Set<string>();
  #isUnclear = false;
  #isComplete = true;

  /** `onEvent` is called at each event, often many times for one change. */
  constructor(onEvent: () => void) {
    this.#onEvent = onEvent;
  }

  /** Whether every folder asked for is followed: a system has only so many watches to give. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  follow(folders: ReadonlySet<string>): void {
    for (const [folder, watcher] of this.#folders) {
      if (folders.has(folder)) continue;
      watcher.close();
      this.#folders.delete(folder);
    }
    this.#isComplete = true;
    for (const folder of folders) if (!this.#folders.has(folder)) this.#add(folder);
  }

  /** What was heard of since the last call. */
  take(): Heard {
    const heard = { paths: this.#paths, isUnclear: this.#isUnclear };
    this.#paths = new Set();
    this.#isUnclear = false;
    return heard;
  }

  close(): void {
    this.follow(new Set());
  }

  #add(folder: string): void {
    if (this.#folders.size >= MAX_FOLDERS) {
      this.#isComplete = false;
      return;
    }
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => this.#hear(folder, name));
      watcher.on("error", () => this.#lose(folder));
      this.#folders.set(folder, watcher);
    } catch {
      // Gone, not to be looked at, or the system has no watch left.
      this.#isComplete = false;
    }
  }

  #hear(folder: string, name: string | null): void {
    if (name === null) this.#isUnclear = true;
    else this.#paths.add(join(folder, name));
    this.#onEvent();
  }

  #lose(folder: string): void {
    this.#folders.get(folder)?.close();
    this.#folders.delete(folder);
    this.#isUnclear = true;
    this.#onEvent();
  }
}

/** Linux gives a user 8,192 watches where nobody set it higher, and other programs want some too. */
const MAX_FOLDERS = 6_000;

/** Folders in which a change matters: those of the files and all above them up to their agent's own. */
export function foldersOf({ candidates, roots }: Discovery): ReadonlySet<string> {
  const folders = new Set(roots);
  for (const { file } of candidates) {
    for (const path of [file.path, ...(file.beside ?? [])]) {
      const folder = dirname(path);
      folders.add(folder);
      const root = roots.find((one) => folder.startsWith(one + sep));
      if (root === undefined) continue;
      for (let at = dirname(folder); at.length > root.length && !folders.has(at); at = dirname(at)) folders.add(at);
    }
  }
  return folders;
}
