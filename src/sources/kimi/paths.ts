import { join, resolve } from "node:path";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";
import { type Listing, Walk } from "../walk.ts";
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
 */
export function findTranscripts(roots: readonly string[]): (FoundFile | FindProblem)[] {
  const search: Search = { found: new Map(), walk: new Walk() };
  for (const root of roots) search.walk.start(root, { folder: (project) => walkProject(project, search) });
  return [...search.found.values(), ...search.walk.problems];
}

interface Search {
  readonly found: Map<string, FoundFile>;
  readonly walk: Walk;
}

const JSONL = ".jsonl";

function named(folder: string | undefined): string | undefined {
  return folder === undefined || folder === "" ? undefined : resolve(folder);
}

/** The sessions of one working folder. A session's first, flat file stays behind only if a newer one is there. */
function walkProject(project: string, search: Search): void {
  const { files, folders } = search.walk.list(project);
  const walked = new Set<string>();
  for (const { name, path } of folders) if (walkSession(path, search)) walked.add(name);
  for (const { name, path } of files) {
    if (!name.endsWith(JSONL)) continue;
    const { base, sub } = contextName(name.slice(0, -JSONL.length));
    if (sub !== undefined || !walked.has(base)) keep(path, "log", search);
  }
}

/** Whether the session's main transcript is there. */
function walkSession(session: string, search: Search): boolean {
  const { walk } = search;
  const listing = walk.list(session);
  const isThere = walkContexts(listing, search);
  for (const { name, path } of listing.folders) {
    if (name === SUBAGENTS) walk.into(path, { folder: (agent) => walkContexts(walk.list(agent), search) });
    else if (name === AGENTS) walk.into(path, { folder: (agent) => keepWire(walk.list(agent), search) });
  }
  return isThere;
}

/** Context files say what the wire says, but not when. Those of old subagents have no wire. */
function walkContexts(listing: Listing, search: Search): boolean {
  const hasWire = keepWire(listing, search);
  let isThere = hasWire;
  for (const { name, path } of listing.files) {
    if (!name.endsWith(JSONL)) continue;
    const { base, sub } = contextName(name.slice(0, -JSONL.length));
    if (base !== CONTEXT || (hasWire && sub === undefined)) continue;
    keep(path, "log", search);
    isThere ||= sub === undefined;
  }
  return isThere;
}

function keepWire({ files }: Listing, search: Search): boolean {
  const wire = files.find(({ name }) => name === WIRE + JSONL);
  if (wire !== undefined) keep(wire.path, "lines", search);
  return wire !== undefined;
}

function keep(path: string, unit: FoundFile["unit"], { found }: Search): void {
  found.set(path, { path, unit });
}
