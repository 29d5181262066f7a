import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, join, resolve, sep } from "node:path";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";

/** `sessions`, and `projects`, which the hooks' documentation names. They need not exist. */
export function droidRoots({ home, variables }: SourceEnvironment): readonly string[] {
  const override = variables.FACTORY_HOME_OVERRIDE;
  const folder = join(override === undefined || override === "" ? home : resolve(override), ".factory");
  return [join(folder, "sessions"), join(folder, "projects")];
}

/**
 * Transcripts in stable order, then what could not be looked at. A file whose name stands in an earlier root too is its
 * copy.
 *
 * Runs before every query: one `readdir` a folder, and a closer look only at symbolic links.
 */
export function findTranscripts(roots: readonly string[]): (FoundFile | FindProblem)[] {
  const walk: Walk = { found: new Map(), folders: new Set(), problems: [] };
  const names = new Set<string>();
  const files: FoundFile[] = [];
  for (const root of roots) {
    walk.found.clear();
    walkLink(root, 0, walk);
    const own = [...walk.found].filter(([, name]) => !names.has(name));
    for (const [path, name] of own) {
      names.add(name);
      files.push({ path, unit: "lines" });
    }
  }
  return [...files, ...walk.problems];
}

interface Walk {
  /** Names by real path. */
  readonly found: Map<string, string>;
  /** Folders that were walked, by real path: a link may lead to one twice, or back up. */
  readonly folders: Set<string>;
  readonly problems: FindProblem[];
}

/** `<folder of the working folder>/<session>.jsonl` is one deep; the first version had no folders. */
const MAX_DEPTH = 4;

function walkFolder(folder: string, depth: number, walk: Walk): void {
  if (walk.folders.has(folder)) return;
  walk.folders.add(folder);
  for (const entry of entriesOf(folder, walk)) {
    const path = folder + sep + entry.name;
    if (entry.isFile()) keep(path, entry.name, walk);
    else if (depth >= MAX_DEPTH) continue;
    else if (entry.isDirectory()) walkFolder(path, depth + 1, walk);
    else walkLink(path, depth + 1, walk);
  }
}

/** Roots and links are resolved, and entries of file systems that don't say what they are. */
function walkLink(path: string, depth: number, walk: Walk): void {
  try {
    const real = realpathSync(path);
    const stats = statSync(real);
    if (stats.isDirectory()) walkFolder(real, depth, walk);
    else if (stats.isFile()) keep(real, basename(real), walk);
  } catch (error) {
    report(path, error, walk);
  }
}

function keep(path: string, name: string, walk: Walk): void {
  if (name.endsWith(".jsonl")) walk.found.set(path, name);
}

function entriesOf(folder: string, walk: Walk): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    report(folder, error, walk);
    return [];
  }
}

/** A folder that isn't there holds nothing; only one that can't be looked into is a problem. */
function report(path: string, error: unknown, walk: Walk): void {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
  if (code !== "ENOENT") walk.problems.push({ problem: `cannot be read (${code})`, path });
}
