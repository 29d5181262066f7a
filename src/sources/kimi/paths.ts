import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, join, resolve, sep } from "node:path";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";
import { AGENTS, CONTEXT, contextName, SUBAGENTS, WIRE } from "./place.ts";

/** `sessions` of Kimi CLI and of Kimi Code. They need not exist. */
export function kimiRoots({ home, variables }: SourceEnvironment): readonly string[] {
  const folders = [
    named(variables.KIMI_SHARE_DIR) ?? join(home, ".kimi"),
    named(variables.KIMI_CODE_HOME) ?? join(home, ".kimi-code"),
  ];
  return [...new Set(folders)].map((folder) => join(folder, "sessions"));
}

/**
 * Transcripts in stable order, then what could not be looked at. Of Kimi CLI's two files of a session only the one with
 * times.
 *
 * Runs before every query: one `readdir` a folder, and a closer look only at symbolic links.
 */
export function findTranscripts(roots: readonly string[]): (FoundFile | FindProblem)[] {
  const walk: Walk = { found: new Map(), folders: new Set(), problems: [] };
  for (const root of roots) {
    for (const real of resolveRoot(root, walk)) {
      for (const project of look(real, walk).folders) walkProject(project.path, walk);
    }
  }
  return [...walk.found.values(), ...walk.problems];
}

interface Walk {
  readonly found: Map<string, FoundFile>;
  /** Folders that were looked into, by real path: links lead nowhere twice. */
  readonly folders: Set<string>;
  readonly problems: FindProblem[];
}

/** Entries by name. `path` is real. */
interface Listing {
  readonly files: readonly Entry[];
  readonly folders: readonly Entry[];
}

interface Entry {
  readonly name: string;
  readonly path: string;
}

const EMPTY: Listing = { files: [], folders: [] };
const JSONL = ".jsonl";

function named(folder: string | undefined): string | undefined {
  return folder === undefined || folder === "" ? undefined : resolve(folder);
}

function resolveRoot(root: string, walk: Walk): readonly string[] {
  try {
    return [realpathSync(root)];
  } catch (error) {
    report(root, error, walk);
    return [];
  }
}

/** The sessions of one working folder. A session's first, flat file stays behind only if a newer one is there. */
function walkProject(project: string, walk: Walk): void {
  const { files, folders } = look(project, walk);
  const walked = new Set<string>();
  for (const { name, path } of folders) if (walkSession(path, walk)) walked.add(name);
  for (const { name, path } of files) {
    if (!name.endsWith(JSONL)) continue;
    const { base, sub } = contextName(name.slice(0, -JSONL.length));
    if (sub !== undefined || !walked.has(base)) keep(path, "log", walk);
  }
}

/** Whether the session's main transcript is there. */
function walkSession(session: string, walk: Walk): boolean {
  const listing = look(session, walk);
  const isThere = walkContexts(listing, walk);
  for (const { name, path } of listing.folders) {
    if (name === SUBAGENTS) for (const agent of look(path, walk).folders) walkContexts(look(agent.path, walk), walk);
    else if (name === AGENTS) for (const agent of look(path, walk).folders) walkAgent(agent.path, walk);
  }
  return isThere;
}

/** Context files say what the wire says, but not when. Those of old subagents have no wire. */
function walkContexts({ files }: Listing, walk: Walk): boolean {
  const wire = files.find(({ name }) => name === WIRE + JSONL);
  if (wire !== undefined) keep(wire.path, "lines", walk);
  let isThere = wire !== undefined;
  for (const { name, path } of files) {
    if (!name.endsWith(JSONL)) continue;
    const { base, sub } = contextName(name.slice(0, -JSONL.length));
    if (base !== CONTEXT || (wire !== undefined && sub === undefined)) continue;
    keep(path, "log", walk);
    isThere ||= sub === undefined;
  }
  return isThere;
}

function walkAgent(agent: string, walk: Walk): void {
  const wire = look(agent, walk).files.find(({ name }) => name === WIRE + JSONL);
  if (wire !== undefined) keep(wire.path, "lines", walk);
}

function keep(path: string, unit: FoundFile["unit"], walk: Walk): void {
  walk.found.set(path, { path, unit });
}

function look(folder: string, walk: Walk): Listing {
  if (walk.folders.has(folder)) return EMPTY;
  walk.folders.add(folder);
  const files: Entry[] = [];
  const folders: Entry[] = [];
  for (const entry of entriesOf(folder, walk)) {
    const path = folder + sep + entry.name;
    if (entry.isFile()) files.push({ name: entry.name, path });
    else if (entry.isDirectory()) folders.push({ name: entry.name, path });
    else follow(path, files, folders, walk);
  }
  return { files, folders };
}

/** Where a link leads, or an entry of a file system that doesn't say what its entries are. */
function follow(path: string, files: Entry[], folders: Entry[], walk: Walk): void {
  try {
    const real = realpathSync(path);
    const stats = statSync(real);
    if (stats.isDirectory()) folders.push({ name: basename(real), path: real });
    else if (stats.isFile()) files.push({ name: basename(real), path: real });
  } catch (error) {
    report(path, error, walk);
  }
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
