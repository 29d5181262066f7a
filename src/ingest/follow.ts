import { type FSWatcher, watch } from "node:fs";
import { basename, dirname, join } from "node:path";

export interface FollowerOptions {
  /** Called at each event, often many times for one change. Without a path, something happened somewhere. */
  readonly onEvent: (path: string | undefined) => void;
  /** Whether the system follows all that is below a folder as cheaply as the folder. */
  readonly isDeep?: boolean;
  readonly maxFolders?: number;
}

/**
 * Hears of changes in folders. What it hears is a hint where to look, no more: events are missed, merged or late on every
 * system, so whoever uses it looks over everything now and then. It keeps no process alive.
 *
 * macOS and Windows follow whole trees with one watch; on Windows a watch on a folder inside would keep the agent from
 * moving the folders above it. Linux has only watches on single folders.
 */
export class Follower {
  readonly #onEvent: FollowerOptions["onEvent"];
  readonly #isDeep: boolean;
  readonly #maxFolders: number;
  readonly #watchers = new Map<string, FSWatcher>();
  #isComplete = true;

  constructor({ onEvent, isDeep = followsTrees(process.platform), maxFolders = MAX_FOLDERS }: FollowerOptions) {
    this.#onEvent = onEvent;
    this.#isDeep = isDeep;
    this.#maxFolders = maxFolders;
  }

  /** False where the system has no watch left for some folder. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /**
   * Follows these folders and no others; where there are too many, the first of them. `trees` with all that is below.
   * Returns whether there is one among them that was not followed before.
   */
  follow(folders: ReadonlySet<string>, trees: ReadonlySet<string>): boolean {
    const wanted = this.#isDeep ? withoutCovered([...trees, ...folders], trees) : new Set([...trees, ...folders]);
    for (const folder of this.#watchers.keys()) if (!wanted.has(folder)) this.#drop(folder);
    const before = this.#watchers.size;
    const added = [...wanted].filter((folder) => !this.#watchers.has(folder));
    this.#isComplete = added.every(
      (folder) => this.#watchers.size < this.#maxFolders && this.#add(folder, this.#isDeep && trees.has(folder)),
    );
    return this.#watchers.size > before;
  }

  close(): void {
    for (const folder of this.#watchers.keys()) this.#drop(folder);
  }

  /** False where the system has no watch left. */
  #add(folder: string, recursive: boolean): boolean {
    try {
      const watcher = watch(folder, { persistent: false, recursive }, (kind, name) => this.#hear(folder, kind, name));
      watcher.on("error", () => this.#lose(folder));
      this.#watchers.set(folder, watcher);
    } catch (error) {
      // Of a folder that is gone, or not to be looked into, there is nothing to hear.
      return !(error instanceof Error && "code" in error && OUT_OF_WATCHES.has(String(error.code)));
    }
    return true;
  }

  #hear(folder: string, kind: string, name: string | null): void {
    if (name === null) {
      this.#onEvent(undefined);
      return;
    }
    const path = join(folder, name);
    // A folder that was moved or removed takes its watch with it, though another may stand in its place; it tells so by
    // its own name.
    if (kind === "rename" && this.#watchers.has(path)) this.#lose(path);
    else if (kind === "rename" && name === basename(folder)) this.#lose(folder);
    else this.#onEvent(path);
  }

  #lose(folder: string): void {
    this.#drop(folder);
    this.#onEvent(undefined);
  }

  #drop(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }
}

/** Linux gives a user 8,192 watches where there is little memory, and other programs want some too. */
const MAX_FOLDERS = 6_000;
const OUT_OF_WATCHES = new Set(["ENOSPC", "EMFILE", "ENFILE", "ENOMEM"]);

function followsTrees(platform: NodeJS.Platform): boolean {
  return platform === "darwin" || platform === "win32";
}

/** Folders that are in none of the trees but as its top. */
function withoutCovered(folders: readonly string[], trees: ReadonlySet<string>): ReadonlySet<string> {
  const isCovered = (folder: string): boolean => {
    for (let at = folder; at !== dirname(at); at = dirname(at)) if (trees.has(dirname(at))) return true;
    return false;
  };
  return new Set(folders.filter((folder) => !isCovered(folder)));
}
