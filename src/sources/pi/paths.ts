import { join, resolve } from "node:path";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";
import { type Entry, Walk } from "../walk.ts";
import { keepTranscripts } from "./archives.ts";

/** Folders of Pi's, omp's and OpenClaw's sessions, in this order. */
export function piRoots(environment: SourceEnvironment): readonly string[] {
  return placesIn(environment).map(({ root }) => root);
}

/** Transcripts in the order of the roots, then by folder and name, then what could not be looked at. */
export function findTranscripts(environment: SourceEnvironment): (FoundFile | FindProblem)[] {
  const walk = new Walk();
  const found = new Map<string, FoundFile>();
  const keep = (file: FoundFile): void => void found.set(file.path, file);
  for (const { root, kind } of placesIn(environment)) {
    if (kind === "sessions") walkSessions(root, walk, keep);
    else if (kind === "profiles")
      walk.start(root, { folder: (profile) => walkSessions(join(profile, SESSIONS), walk, keep) });
    else walk.start(root, { folder: (agent) => walkAgent(agent, walk, keep) });
  }
  return [...found.values(), ...walk.problems];
}

interface Place {
  readonly root: string;
  readonly kind: "sessions" | "profiles" | "agents";
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

function walkSessions(root: string, walk: Walk, keep: (file: FoundFile) => void): void {
  const take = (path: string, name: string): void => {
    if (name.endsWith(".jsonl") && !name.startsWith(ADVISOR)) keep({ path, unit: "lines" });
  };
  walk.start(root, walk.deep(MAX_DEPTH, take));
}

/** An agent's transcripts, and those that were renamed when a session was reset, deleted or moved into a database. */
function walkAgent(agent: string, walk: Walk, keep: (file: FoundFile) => void): void {
  for (const name of AGENT_FOLDERS) {
    const files: Entry[] = [];
    walk.within(agent, name, { file: (path, name) => files.push({ path, name }) });
    for (const { path, compression } of keepTranscripts(files)) {
      keep({ path, unit: "lines", ...(compression !== undefined && { compression }) });
    }
  }
}
