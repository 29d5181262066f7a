import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, sep } from "node:path";
import type { FindProblem } from "./source.ts";

/** A file or a folder: `path` is real, and `name` the real one. */
export interface Entry {
  readonly path: string;
  readonly name: string;
}

/** What a folder holds, by name. */
export interface Listing {
  readonly files: readonly Entry[];
  readonly folders: readonly Entry[];
}

/** Takes the files and the folders of a folder. */
export interface Visit {
  file?(path: string, name: string): void;
  folder?(path: string, name: string): void;
}

/**
 * Goes through an agent's folders, each once whatever links lead to it, and keeps what could not be looked at. A folder
 * that isn't there holds nothing, and is no problem.
 *
 * Runs before every query: one `readdir` a folder, and a closer look only at links.
 */
export class Walk {
  readonly problems: FindProblem[] = [];
  readonly #folders = new Set<string>();

  /** Visits a folder that may be a link or may not be there at all. */
  start(path: string, visit: Visit): void {
    const real = this.#realFolder(path);
    if (real !== undefined) this.into(real, visit);
  }

  /** Visits the files of a folder by name, then its folders by name. `path` must be real. */
  into(path: string, visit: Visit): void {
    const { files, folders } = this.list(path);
    for (const { path: at, name } of files) visit.file?.(at, name);
    for (const { path: at, name } of folders) visit.folder?.(at, name);
  }

  /** Visits the folder of that name in a folder, whose path must be real, if there is one. */
  within(folder: string, name: string, visit: Visit): void {
    const found = this.#look(folder + sep + name);
    if (found?.isFolder === true) this.into(found.path, visit);
  }

  /** Path of the file of that name in a folder, whose path must be real; undefined where there is none. */
  file(folder: string, name: string): string | undefined {
    const found = this.#look(folder + sep + name);
    return found?.isFile === true ? found.path : undefined;
  }

  /** Takes the files of a folder and of all below it, `depth` deep. */
  deep(depth: number, file: (path: string, name: string) => void): Visit {
    if (depth === 0) return { file };
    return { file, folder: (path) => this.into(path, this.deep(depth - 1, file)) };
  }

  /** What a folder holds; nothing when it is asked for again. `path` must be real. */
  list(path: string): Listing {
    const files: Entry[] = [];
    const folders: Entry[] = [];
    if (this.#folders.has(path)) return { files, folders };
    this.#folders.add(path);
    for (const entry of this.#entries(path)) {
      const at = path + sep + entry.name;
      if (entry.isFile()) files.push({ path: at, name: entry.name });
      else if (entry.isDirectory()) folders.push({ path: at, name: entry.name });
      else if (!isDevice(entry)) {
        // A link, or an entry of a file system that does not say what its entries are.
        const found = this.#look(at);
        if (found === undefined) continue;
        const named = { path: found.path, name: basename(found.path) };
        if (found.isFile) files.push(named);
        else if (found.isFolder) folders.push(named);
      }
    }
    return { files, folders };
  }

  /** What stands at a path in a real folder, or where it leads. Only links need resolving, which takes long. */
  #look(path: string): { readonly path: string; readonly isFile: boolean; readonly isFolder: boolean } | undefined {
    try {
      const own = lstatSync(path, { throwIfNoEntry: false });
      if (own === undefined) return undefined;
      const real = own.isSymbolicLink() ? realpathSync(path) : path;
      const stats = real === path ? own : statSync(real);
      return { path: real, isFile: stats.isFile(), isFolder: stats.isDirectory() };
    } catch (error) {
      this.#report(path, error);
      return undefined;
    }
  }

  #realFolder(path: string): string | undefined {
    try {
      // Asking first costs less than an error, and most agents are not there.
      return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? realpathSync(path) : undefined;
    } catch (error) {
      this.#report(path, error);
      return undefined;
    }
  }

  #entries(folder: string): Dirent[] {
    try {
      return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      this.#report(folder, error);
      return [];
    }
  }

  #report(path: string, error: unknown): void {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    if (code !== "ENOENT" && code !== "ENOTDIR") this.problems.push({ problem: `cannot be read (${code})`, path });
  }
}

function isDevice(entry: Dirent): boolean {
  return entry.isFIFO() || entry.isSocket() || entry.isBlockDevice() || entry.isCharacterDevice();
}
