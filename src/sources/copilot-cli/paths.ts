import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";

/** Folders of sessions. Older versions kept them below `$XDG_STATE_HOME`. */
export function copilotRoots({ home, variables }: SourceEnvironment): readonly string[] {
  const own = given(variables.COPILOT_HOME);
  if (own !== undefined) return [join(own, SESSIONS)];
  const state = given(variables.XDG_STATE_HOME);
  return [join(home, COPILOT, SESSIONS), ...(state === undefined ? [] : [join(state, COPILOT, SESSIONS)])];
}

/**
 * Event logs in the order of their session ids, then what could not be looked at. Runs before every query: one
 * `readdir` a root, and one look into each session's folder.
 */
export function findEventLogs(environment: SourceEnvironment): (FoundFile | FindProblem)[] {
  const search: Search = { found: new Map(), problems: [] };
  for (const root of copilotRoots(environment)) readRoot(root, search);
  return [...search.found.values(), ...search.problems];
}

/** Native id of the session a log's path tells: its folder's name, or its own where it stands alone. */
export function sessionOf(path: string): string {
  const name = basename(path);
  return name === EVENTS ? basename(dirname(path)) : name.replace(/\.jsonl$/, "");
}

/** Where Copilot keeps what it knows of a log's session beside the events; none for the first versions. */
export function workspaceFile(path: string): string | undefined {
  return basename(path) === EVENTS ? join(dirname(path), "workspace.yaml") : undefined;
}

interface Search {
  readonly found: Map<string, FoundFile>;
  readonly problems: FindProblem[];
}

const COPILOT = ".copilot";
const SESSIONS = "session-state";
const EVENTS = "events.jsonl";

function given(path: string | undefined): string | undefined {
  return path === undefined || path.trim() === "" ? undefined : resolve(path);
}

/** A log that stands alone is passed over where its session has a folder, into which a newer version moved it. */
function readRoot(root: string, search: Search): void {
  const real = realFolder(root, search);
  if (real === undefined) return;
  const entries = entriesOf(real, search);
  const moved = new Set<string>();
  for (const entry of entries) {
    const path = real + sep + entry.name;
    const folder = entry.isDirectory() ? path : entry.isSymbolicLink() ? realFolder(path, search) : undefined;
    // Many sessions that were begun and left hold no events.
    if (folder !== undefined && take(folder + sep + EVENTS, search)) moved.add(`${entry.name}.jsonl`);
  }
  for (const entry of entries) {
    if (!entry.name.endsWith(".jsonl") || entry.isDirectory() || moved.has(entry.name)) continue;
    take(real + sep + entry.name, search);
  }
}

function take(path: string, search: Search): boolean {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return false;
    const real = stats.isFile() ? path : realpathSync(path);
    if (!stats.isFile() && !statSync(real).isFile()) return false;
    search.found.set(real, { path: real, unit: "lines" });
    return true;
  } catch (error) {
    report(path, error, search);
    return false;
  }
}

function realFolder(folder: string, search: Search): string | undefined {
  try {
    const real = realpathSync(folder);
    return statSync(real).isDirectory() ? real : undefined;
  } catch (error) {
    report(folder, error, search);
    return undefined;
  }
}

function entriesOf(folder: string, search: Search): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    report(folder, error, search);
    return [];
  }
}

/** A folder that isn't there holds nothing; only one that can't be looked into is a problem. */
function report(path: string, error: unknown, search: Search): void {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
  if (code !== "ENOENT") search.problems.push({ problem: `cannot be read (${code})`, path });
}
