import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { extname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** Larger files are not looked into. */
const MAX_FILE_BYTES = 2_000_000;
/** A tree with more of them takes too long to be looked through. */
const MAX_FILES = 5_000;
const MAX_FOLDERS = 2_000;
const SKIPPED = new Set(["node_modules", "vendor", "dist", "build", "target", "out", "coverage", "__pycache__"]);

export type Looked = { readonly text: string } | "absent" | "unreadable";

/** A file of text in a folder, or below it; what lies outside, also over a link, is not read. */
export function lookAt(folder: string, path: string): Looked {
  try {
    const file = realpathSync(resolve(folder, path));
    const stat = statSync(file);
    if (!isWithin(file, realpathSync(folder)) || !stat.isFile() || stat.size > MAX_FILE_BYTES) return "unreadable";
    const text = readFileSync(file, "utf8");
    return text.includes("\u0000") ? "unreadable" : { text };
  } catch (error) {
    return isAbsent(error) ? "absent" : "unreadable";
  }
}

/** Files below a folder with one of these endings, in order of path; undefined where there are too many to look at. */
export function filesBelow(top: string, endings: ReadonlySet<string>): readonly string[] | undefined {
  const found: string[] = [];
  const folders = [""];
  for (let at = 0; at < folders.length; at += 1) {
    const folder = folders[at] ?? "";
    for (const entry of entriesOf(join(top, folder))) {
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !entry.name.startsWith(".") && !SKIPPED.has(entry.name)) folders.push(name);
      else if (entry.isFile() && endings.has(extname(entry.name))) found.push(name);
    }
    if (found.length > MAX_FILES || folders.length > MAX_FOLDERS) return undefined;
  }
  return found.sort();
}

/** Below the folder, and not the folder itself. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
