import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Discovery } from "./discover.ts";

/** Folders in which a change may matter. */
export interface Folders {
  /** Agents' own: in them a new name may be a new session. */
  readonly own: ReadonlySet<string>;
  /** Others with some agent's file in them, such as projects, where anything may come and go. */
  readonly others: ReadonlySet<string>;
}

/** What was heard of since an earlier look, sorted into files to look at again and new names. */
export class Changes {
  #files: ReadonlySet<string> = new Set();
  #folders: Folders = { own: new Set(), others: new Set() };
  /** New folders in which no session is yet. */
  readonly #young = new Set<string>();
  /** Names that turned out to be no session. */
  readonly #dull = new Set<string>();
  #changed = new Set<string>();
  #newNames = new Set<string>();
  #isUnclear = false;

  /** Whether something may have come that the earlier look did not see. */
  get hasNew(): boolean {
    return this.#isUnclear || this.#newNames.size > 0;
  }

  get hasChanged(): boolean {
    return this.#changed.size > 0;
  }

  /** Folders to follow, the most important first. */
  get folders(): ReadonlySet<string> {
    return new Set([...this.#young, ...this.#folders.own, ...this.#folders.others]);
  }

  /** Takes a path at which something happened; undefined where that is not known. */
  hear(path: string | undefined): void {
    if (path === undefined) this.#isUnclear = true;
    else if (this.#files.has(path)) this.#changed.add(path);
    // Of a folder beside a file, each change in it is one of the file.
    else if (this.#files.has(dirname(path))) this.#changed.add(dirname(path));
    else if (this.#isNews(path)) this.#newNames.add(path);
  }

  /** Paths of known files that changed since the last call. */
  take(): ReadonlySet<string> {
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  /** New names since the last call. For whoever is about to look over everything: what changed is forgotten with them. */
  takeNew(): ReadonlySet<string> {
    const names = this.#newNames;
    this.#newNames = new Set();
    this.#changed = new Set();
    this.#isUnclear = false;
    return names;
  }

  /** Takes what a look over everything found, and the names that were new before it. */
  learn(found: Discovery, names: ReadonlySet<string>): void {
    this.#files = new Set(found.candidates.flatMap(({ file }) => [file.path, ...(file.beside ?? [])]));
    this.#folders = foldersOf(found);
    if (this.#dull.size >= MAX_DULL) this.#dull.clear();
    if (this.#young.size >= MAX_YOUNG) this.#young.clear();
    for (const path of names) {
      if (this.#files.has(path) || this.#folders.own.has(path)) continue;
      if (isFolder(path)) addWithFolders(path, this.#young);
      else this.#dull.add(path);
    }
    for (const folder of this.#young) {
      if (this.#folders.own.has(folder) || !isFolder(folder)) this.#young.delete(folder);
    }
    // What was heard meanwhile may be of files that are known now.
    const heard = this.#newNames;
    this.#newNames = new Set();
    for (const path of heard) this.hear(path);
  }

  #isNews(path: string): boolean {
    const folder = dirname(path);
    if (!this.#folders.own.has(folder) && !this.#young.has(folder)) return false;
    // Windows tells of the folder, too, in which something changed.
    return !this.#dull.has(path) && !this.#folders.own.has(path) && !this.#young.has(path);
  }
}

const MAX_DULL = 10_000;
const MAX_YOUNG = 200;

/** Folders of the files that were found, those of the newest first, and all above them up to their agent's own. */
export function foldersOf({ candidates, ownRoots }: Discovery): Folders {
  const roots = new Set(ownRoots);
  const own = new Set(roots);
  const others = new Set<string>();
  for (const { file } of candidates.toSorted((a, b) => b.mtimeMs - a.mtimeMs)) {
    const beside = file.beside ?? [];
    const folders = [file.path, ...beside].map((path) => dirname(path));
    for (const folder of [...folders, ...(file.unit === "container" ? beside.filter(isFolder) : [])]) {
      if (own.has(folder) || others.has(folder)) continue;
      const between = upTo(roots, folder);
      for (const one of between ?? []) own.add(one);
      if (between === undefined) others.add(folder);
    }
  }
  return { own, others };
}

/** A folder and those above it, up to the nearest root; undefined where it is below none. */
function upTo(roots: ReadonlySet<string>, folder: string): readonly string[] | undefined {
  const folders: string[] = [];
  for (let at = folder; !roots.has(at); at = dirname(at)) {
    folders.push(at);
    if (dirname(at) === at) return undefined;
  }
  return folders;
}

/** Adds a folder and what is already in it, as long as there is room. */
function addWithFolders(folder: string, into: Set<string>): void {
  if (into.size >= MAX_YOUNG) return;
  into.add(folder);
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) addWithFolders(join(folder, entry.name), into);
    }
  } catch {
    // Gone again.
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
