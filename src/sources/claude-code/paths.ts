import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, isAbsolute, join, sep } from "node:path";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";
import { AGENT, COMPACTION } from "./place.ts";

/** `projects` and `transcripts` below every configuration folder. They need not exist. */
export function claudeRoots(environment: SourceEnvironment): string[] {
  const folders = configFolders(environment);
  return [...folders.map((folder) => join(folder, PROJECTS)), ...folders.map((folder) => join(folder, TRANSCRIPTS))];
}

/**
 * Transcripts in stable order, then what could not be looked at.
 *
 * Runs before every query: one `readdir` a folder, and a closer look only at symbolic links.
 */
export function findTranscripts(environment: SourceEnvironment): (FoundFile | FindProblem)[] {
  const seen: Seen = { found: [], files: new Set(), folders: new Set(), problems: [] };
  const folders = configFolders(environment);
  for (const folder of folders) walkRoot(join(folder, PROJECTS), { ...seen, mainDepth: 1, deep: true });
  const fromProjects = seen.found.length;
  for (const folder of folders) walkRoot(join(folder, TRANSCRIPTS), { ...seen, mainDepth: 0, deep: false });
  return [...withoutCopies(seen.found, fromProjects), ...seen.problems];
}

const PROJECTS = "projects";
const TRANSCRIPTS = "transcripts";
/** Folders of a session that hold no transcripts, and may hold thousands of files. */
const PASSED_OVER = new Set(["tool-results", "memory", "file-history"]);
const MAX_DEPTH = 12;

interface Seen {
  readonly found: string[];
  readonly files: Set<string>;
  readonly folders: Set<string>;
  readonly problems: FindProblem[];
}

interface Walk extends Seen {
  /** Folders between the root and its main transcripts; below them only subagents count. */
  readonly mainDepth: number;
  readonly deep: boolean;
}

function configFolders({ home, variables }: SourceEnvironment): string[] {
  const named = (variables.CLAUDE_CONFIG_DIR ?? "").split(",").map((part) => part.trim());
  const folders = named.filter((part) => part !== "").map((part) => absolute(part, home));
  return folders.length > 0 ? [...new Set(folders)] : [join(home, ".claude"), join(home, ".config", "claude")];
}

function absolute(path: string, home: string): string {
  if (path === "~" || path.startsWith("~/") || path.startsWith(`~${sep}`)) return join(home, path.slice(1));
  return isAbsolute(path) ? path : join(home, path);
}

function walkRoot(root: string, walk: Walk): void {
  try {
    walkFolder(realpathSync(root), 0, walk);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") report(root, error, walk);
  }
}

function walkFolder(folder: string, depth: number, walk: Walk): void {
  if (depth > MAX_DEPTH || walk.folders.has(folder)) return;
  walk.folders.add(folder);
  const below: string[] = [];
  for (const entry of listSorted(folder, walk)) {
    const { name } = entry;
    const path = folder + sep + name;
    if (entry.isFile()) takeFile(path, name, depth, walk);
    else if (PASSED_OVER.has(name)) continue;
    else if (entry.isDirectory()) below.push(path);
    else takeOther(path, entry, depth, walk, below);
  }
  if (!walk.deep) return;
  for (const subfolder of below) walkFolder(subfolder, depth + 1, walk);
}

function listSorted(folder: string, walk: Walk): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    report(folder, error, walk);
    return [];
  }
}

function takeFile(path: string, name: string, depth: number, walk: Walk): void {
  if (!name.endsWith(".jsonl") || name.startsWith(COMPACTION)) return;
  if (depth < walk.mainDepth || (depth > walk.mainDepth && !name.startsWith(AGENT))) return;
  if (walk.files.has(path)) return;
  walk.files.add(path);
  walk.found.push(path);
}

/** A symbolic link, or an entry of a file system that does not say what its entries are. */
function takeOther(path: string, entry: Dirent, depth: number, walk: Walk, below: string[]): void {
  if (entry.isFIFO() || entry.isSocket() || entry.isBlockDevice() || entry.isCharacterDevice()) return;
  try {
    const real = realpathSync(path);
    const stats = statSync(real);
    if (stats.isDirectory()) below.push(real);
    else if (stats.isFile()) takeFile(real, basename(real), depth, walk);
  } catch (error) {
    report(path, error, walk);
  }
}

function report(path: string, error: unknown, walk: Walk): void {
  walk.problems.push({ path, problem: `cannot be read (${codeOf(error)})` });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
}

/** A session in `transcripts` is a poorer copy of the one with the same id in `projects`. */
function withoutCopies(found: readonly string[], fromProjects: number): FoundFile[] {
  const names =
    found.length > fromProjects ? new Set(found.slice(0, fromProjects).map((path) => basename(path))) : undefined;
  const kept = found.filter((path, index) => index < fromProjects || names?.has(basename(path)) !== true);
  return kept.map((path) => ({ path, unit: "lines" }));
}
