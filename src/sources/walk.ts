import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, sep } from "node:path";
import type { FindProblem } from "./source.ts";

/** Takes the files and the folders of a folder, each with its real path and its real name. */
interface Visit {
  file?(path: string, name: string): void;
  folder?(path: string, name: string): void;
}

/** Goes through folders, each once whatever links lead to it, and keeps what could not be looked at. */
export class Walk {
  readonly problems: FindProblem[] = [];
  readonly #folders = new Set<string>();

  /** Visits a folder that may be a link or may not be there at all. */
  start(path: string, visit: Visit): void {
    try {
      this.into(realpathSync(path), visit);
    } catch (error) {
      this.#report(path, error);
    }
  }

  /** Visits the files of a folder by name, then its folders by name. `path` must be real. */
  into(path: string, visit: Visit): void {
    if (this.#folders.has(path)) return;
    this.#folders.add(path);
    const below: (readonly [string, string])[] = [];
    const folder = (at: string, name: string): void => {
      below.push([at, name]);
    };
    for (const entry of this.#entries(path)) {
      const at = path + sep + entry.name;
      if (entry.isFile()) visit.file?.(at, entry.name);
      else if (entry.isDirectory()) folder(at, entry.name);
      else if (!isDevice(entry)) this.#follow(at, { ...visit, folder });
    }
    for (const [at, name] of below) visit.folder?.(at, name);
  }

  /** Where a link leads, or an entry of a file system that does not say what its entries are. */
  #follow(path: string, visit: Visit): void {
    try {
      const real = realpathSync(path);
      const stats = statSync(real);
      if (stats.isDirectory()) visit.folder?.(real, basename(real));
      else if (stats.isFile()) visit.file?.(real, basename(real));
    } catch (error) {
      this.#report(path, error);
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

  /** A folder that isn't there holds nothing; only one that can't be looked into is a problem. */
  #report(path: string, error: unknown): void {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    if (code !== "ENOENT" && code !== "ENOTDIR") this.problems.push({ problem: `cannot be read (${code})`, path });
  }
}

function isDevice(entry: Dirent): boolean {
  return entry.isFIFO() || entry.isSocket() || entry.isBlockDevice() || entry.isCharacterDevice();
}
