import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, isAbsolute, join, sep } from "node:path";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";
import { AGENT, COMPACTION, SUBAGENTS } from "./place.ts";

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
  const search: Search = { found: [], folders: new Set(), problems: [] };
  const folders = configFolders(environment);
  for (const folder of folders) walkRoot(join(folder, PROJECTS), search, (root) => walkProjects(root, search));
  const inProjects = search.found.length;
  for (const folder of folders) walkRoot(join(folder, TRANSCRIPTS), search, (root) => walkTranscripts(root, search));
  return [...withoutCopies(search.found, inProjects), ...search.problems];
}

const PROJECTS = "projects";
const TRANSCRIPTS = "transcripts";
/** Workflow agents stand two folders below `subagents`. */
const MAX_DEPTH = 8;

interface Search {
  readonly found: string[];
  /** Folders gone through, by real path, so that links lead nowhere twice. */
  readonly folders: Set<string>;
  readonly problems: FindProblem[];
}

/** Takes the files and the folders of a folder, each with its real path and its real name. */
interface Visit {
  file?(path: string, name: string): void;
  folder?(path: string): void;
}

/** Where Claude Code keeps its settings and transcripts; they need not exist. */
export function configFolders({ home, variables }: SourceEnvironment): string[] {
  const named = (variables.CLAUDE_CONFIG_DIR ?? "").split(",").map((part) => part.trim());
  const folders = named.filter((part) => part !== "").map((part) => absolute(part, home));
  return folders.length > 0 ? [...new Set(folders)] : [join(home, ".claude"), join(home, ".config", "claude")];
}

function absolute(path: string, home: string): string {
  if (path === "~" || path.startsWith("~/") || path.startsWith(`~${sep}`)) return join(home, path.slice(1));
  return isAbsolute(path) ? path : join(home, path);
}

function walkRoot(root: string, search: Search, walk: (root: string) => void): void {
  try {
    walk(realpathSync(root));
  } catch (error) {
    if (codeOf(error) !== "ENOENT") report(root, error, search);
  }
}

function walkProjects(root: string, search: Search): void {
  visitFolder(root, search, { folder: (project) => walkProject(project, search) });
}

function walkProject(project: string, search: Search): void {
  visitFolder(project, search, {
    file: (path, name) => take(path, name, search),
    folder: (session) => walkSession(session, search),
  });
}

/** Of a session's folder only `subagents` is opened: the others may hold thousands of files. */
function walkSession(session: string, search: Search): void {
  const folder = session + sep + SUBAGENTS;
  const walk = (path: string) => walkAgents(path, 0, search);
  try {
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (stats?.isDirectory()) walk(folder);
    else if (stats?.isSymbolicLink()) follow(folder, search, { folder: walk });
  } catch (error) {
    report(folder, error, search);
  }
}

function walkAgents(folder: string, depth: number, search: Search): void {
  if (depth > MAX_DEPTH) return;
  visitFolder(folder, search, {
    file: (path, name) => name.startsWith(AGENT) && take(path, name, search),
    folder: (path) => walkAgents(path, depth + 1, search),
  });
}

function walkTranscripts(root: string, search: Search): void {
  visitFolder(root, search, { file: (path, name) => take(path, name, search) });
}

function take(path: string, name: string, search: Search): void {
  if (name.endsWith(".jsonl") && !name.startsWith(COMPACTION)) search.found.push(path);
}

/** Visits the files of a folder by name, then its folders by name. */
function visitFolder(folder: string, search: Search, visit: Visit): void {
  if (search.folders.has(folder)) return;
  search.folders.add(folder);
  const below: string[] = [];
  for (const entry of listSorted(folder, search)) {
    const path = folder + sep + entry.name;
    if (entry.isFile()) visit.file?.(path, entry.name);
    else if (entry.isDirectory()) below.push(path);
    else if (!isDevice(entry)) follow(path, search, { ...visit, folder: (real) => below.push(real) });
  }
  for (const path of below) visit.folder?.(path);
}

/** Visits where a symbolic link leads, or an entry of a file system that does not say what its entries are. */
function follow(path: string, search: Search, visit: Visit): void {
  try {
    const real = realpathSync(path);
    const stats = statSync(real);
    if (stats.isDirectory()) visit.folder?.(real);
    else if (stats.isFile()) visit.file?.(real, basename(real));
  } catch (error) {
    report(path, error, search);
  }
}

function listSorted(folder: string, search: Search): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    report(folder, error, search);
    return [];
  }
}

function isDevice(entry: Dirent): boolean {
  return entry.isFIFO() || entry.isSocket() || entry.isBlockDevice() || entry.isCharacterDevice();
}

function report(path: string, error: unknown, search: Search): void {
  search.problems.push({ path, problem: `cannot be read (${codeOf(error)})` });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
}

/**
 * Each file once, whatever links lead to it. A session in `transcripts` is a poorer copy of the one with the same id
 * in `projects`.
 */
function withoutCopies(found: readonly string[], inProjects: number): FoundFile[] {
  const projects = [...new Set(found.slice(0, inProjects))];
  const transcripts = [...new Set(found.slice(inProjects))];
  const names = transcripts.length === 0 ? undefined : new Set(projects.map((path) => basename(path)));
  const others = transcripts.filter((path) => names?.has(basename(path)) !== true);
  return [...projects, ...others].map((path) => ({ path, unit: "lines" }));
}
