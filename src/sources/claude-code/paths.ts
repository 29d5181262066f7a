import { basename, dirname, isAbsolute, join, sep } from "node:path";
import { within } from "../near.ts";
import type { FindProblem, FoundFile, NamedSession, SourceEnvironment } from "../source.ts";
import { Walk } from "../walk.ts";
import { AGENT, COMPACTION, SUBAGENTS } from "./place.ts";

/** `projects` and `transcripts` below every configuration folder. They need not exist. */
export function claudeRoots(environment: SourceEnvironment): string[] {
  const folders = configFolders(environment);
  return [...folders.map((folder) => join(folder, PROJECTS)), ...folders.map((folder) => join(folder, TRANSCRIPTS))];
}

/** Transcripts in stable order, then what could not be looked at. */
export function findTranscripts(environment: SourceEnvironment): (FoundFile | FindProblem)[] {
  const walk = new Walk();
  const folders = configFolders(environment);
  const inProjects = new Set<string>();
  for (const folder of folders) walkProjects(join(folder, PROJECTS), walk, inProjects);
  const bare = new Set<string>();
  for (const folder of folders) walk.start(join(folder, TRANSCRIPTS), { file: taker(bare) });
  const found = [...inProjects, ...withoutCopies(bare, inProjects)];
  return [...found.map((path): FoundFile => ({ path, unit: "lines" })), ...walk.problems];
}

/** The transcript that is named and those of its subagents; where it is a subagent's, that alone. */
export function findNear({ path: named }: NamedSession, environment: SourceEnvironment): readonly FoundFile[] {
  const roots = configFolders(environment).map((folder) => join(folder, PROJECTS));
  const found = within(roots, named);
  if (found === undefined) return [];
  const { path, parts } = found;
  const [, session, middle] = parts;
  const isMain = parts.length === 2;
  if (!isMain && (middle !== SUBAGENTS || session === undefined || parts.length > MAX_DEPTH + 4)) return [];
  if (!isMain && !basename(path).startsWith(AGENT)) return [];
  const files = new Set<string>();
  taker(files)(path, basename(path));
  if (isMain) {
    const walk = new Walk();
    const stem = basename(path, ".jsonl");
    const agents = walk.deep(MAX_DEPTH, (at, name) => name.startsWith(AGENT) && taker(files)(at, name));
    walk.within(dirname(path), stem, { folder: (at, name) => name === SUBAGENTS && walk.into(at, agents) });
  }
  return Array.from(files, (at): FoundFile => ({ path: at, unit: "lines" }));
}

const PROJECTS = "projects";
const TRANSCRIPTS = "transcripts";
/** Workflow agents stand two folders below `subagents`. */
const MAX_DEPTH = 8;

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

function walkProjects(root: string, walk: Walk, found: Set<string>): void {
  const file = taker(found);
  // Of a session's folder only `subagents` is opened: the others may hold thousands of files.
  const agents = walk.deep(MAX_DEPTH, (path, name) => name.startsWith(AGENT) && file(path, name));
  const session = (path: string) => walk.within(path, SUBAGENTS, agents);
  walk.start(root, { folder: (project) => walk.into(project, { file, folder: session }) });
}

function taker(found: Set<string>): (path: string, name: string) => void {
  return (path, name) => {
    if (name.endsWith(".jsonl") && !name.startsWith(COMPACTION)) found.add(path);
  };
}

/** A session in `transcripts` is a poorer copy of the one with the same id in `projects`. */
function withoutCopies(bare: ReadonlySet<string>, inProjects: ReadonlySet<string>): string[] {
  const names = bare.size === 0 ? undefined : new Set(Array.from(inProjects, (path) => basename(path)));
  return [...bare].filter((path) => !inProjects.has(path) && names?.has(basename(path)) !== true);
}
