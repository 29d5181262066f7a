import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join, resolve, sep } from "node:path";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";
import { keepTranscripts } from "./archives.ts";

/** Folders of Pi's, omp's and OpenClaw's sessions, in this order. */
export function piRoots(environment: SourceEnvironment): readonly string[] {
  return placesIn(environment).map(({ root }) => root);
}

/**
 * Transcripts in the order of the roots, then by folder and name, then what could not be looked at. Runs before every
 * query: one `readdir` a folder, and a closer look only at links and at archives beside a live transcript.
 */
export function findTranscripts(environment: SourceEnvironment): (FoundFile | FindProblem)[] {
  const search: Search = { found: new Map(), problems: [], folders: new Set() };
  for (const { root, kind } of placesIn(environment)) {
    if (kind === "sessions") walkSessions(root, 0, search);
    else if (kind === "profiles") below(root, search, (profile) => walkSessions(join(profile, SESSIONS), 0, search));
    else below(root, search, (agent) => readAgent(agent, search));
  }
  return [...search.found.values(), ...search.problems];
}

interface Place {
  readonly root: string;
  readonly kind: "sessions" | "profiles" | "agents";
}

interface Search {
  readonly found: Map<string, FoundFile>;
  readonly problems: FindProblem[];
  /** Folders that were walked: a link may lead to one twice, or back up. */
  readonly folders: Set<string>;
}

const SESSIONS = join("agent", "sessions");
const AGENT_FOLDERS = ["sessions", "session-sqlite-import-archive"];
/** `sessions/<encoded cwd>/<session>/<agent>/…`, with omp's subagents below their spawner. */
const MAX_DEPTH = 5;
/** Conversations of omp with its second model, which the session's own transcript quotes. */
const ADVISOR = "__advisor";

function placesIn({ home, platform, variables }: SourceEnvironment): Place[] {
  const folder = (name: string) => expand(variables[name], home);
  const omp = join(home, variables.PI_CONFIG_DIR || ".omp");
  const agent = folder("PI_CODING_AGENT_DIR");
  const own = folder("PI_CODING_AGENT_SESSION_DIR");
  const data = platform === "win32" ? undefined : folder("XDG_DATA_HOME");
  const sessions = [
    ...(own === undefined ? [] : [own]),
    ...(agent === undefined ? [join(home, ".pi", SESSIONS), join(omp, SESSIONS)] : [join(agent, "sessions")]),
    ...(data === undefined ? [] : [join(data, "omp", "sessions")]),
  ];
  return [
    ...sessions.map((root): Place => ({ root, kind: "sessions" })),
    { root: join(omp, "profiles"), kind: "profiles" },
    ...stateFolders(home, folder).map((state): Place => ({ root: join(state, "agents"), kind: "agents" })),
  ];
}

/** OpenClaw had other names before; it goes on with an old folder where there is one. */
function stateFolders(home: string, folder: (name: string) => string | undefined): readonly string[] {
  const override = folder("OPENCLAW_STATE_DIR") ?? folder("CLAWDBOT_STATE_DIR");
  if (override !== undefined) return [override];
  const base = folder("OPENCLAW_HOME") ?? home;
  return [".openclaw", ".clawdbot", ".moltbot", ".moldbot"].map((name) => join(base, name));
}

function expand(path: string | undefined, home: string): string | undefined {
  const trimmed = path?.trim();
  if (trimmed === undefined || trimmed === "") return undefined;
  return resolve(trimmed === "~" || /^~[\\/]/.test(trimmed) ? home + trimmed.slice(1) : trimmed);
}

function walkSessions(folder: string, depth: number, search: Search): void {
  const real = enter(folder, search);
  if (real === undefined) return;
  const folders: string[] = [];
  for (const entry of entriesOf(real, search)) {
    const path = real + sep + entry.name;
    if (entry.isFile()) take(path, entry.name, search);
    else if (entry.isDirectory()) folders.push(path);
    else if (entry.isSymbolicLink()) follow(path, entry.name, folders, search);
  }
  if (depth < MAX_DEPTH) for (const path of folders) walkSessions(path, depth + 1, search);
}

/** Its transcripts, and those that were renamed when a session was reset, deleted or moved into a database. */
function readAgent(agent: string, search: Search): void {
  for (const name of AGENT_FOLDERS) {
    const real = enter(join(agent, name), search);
    if (real === undefined) continue;
    const names = entriesOf(real, search)
      .filter((entry) => !entry.isDirectory())
      .map((entry) => entry.name);
    for (const { name: kept, compression } of keepTranscripts(real, names)) {
      const path = realFile(real + sep + kept, search);
      if (path === undefined) continue;
      search.found.set(path, { path, unit: "lines", ...(compression !== undefined && { compression }) });
    }
  }
}

function below(root: string, search: Search, visit: (folder: string) => void): void {
  const real = enter(root, search);
  if (real === undefined) return;
  for (const entry of entriesOf(real, search)) {
    if (entry.isDirectory() || entry.isSymbolicLink()) visit(join(real, entry.name));
  }
}

/** The folder with links resolved, or undefined where it is none, is not there or was walked before. */
function enter(folder: string, search: Search): string | undefined {
  try {
    const real = realpathSync(folder);
    if (search.folders.has(real) || !statSync(real).isDirectory()) return undefined;
    search.folders.add(real);
    return real;
  } catch (error) {
    report(folder, error, search);
    return undefined;
  }
}

function follow(path: string, name: string, folders: string[], search: Search): void {
  try {
    const real = realpathSync(path);
    const stats = statSync(real);
    if (stats.isDirectory()) folders.push(real);
    else if (stats.isFile()) take(real, name, search);
  } catch (error) {
    report(path, error, search);
  }
}

function take(path: string, name: string, search: Search): void {
  if (name.endsWith(".jsonl") && !name.startsWith(ADVISOR)) search.found.set(path, { path, unit: "lines" });
}

function realFile(path: string, search: Search): string | undefined {
  try {
    if (lstatSync(path).isFile()) return path;
    const real = realpathSync(path);
    return statSync(real).isFile() ? real : undefined;
  } catch (error) {
    report(path, error, search);
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
