import { basename, dirname, join, resolve } from "node:path";
import { within } from "../near.ts";
import type { FindProblem, FoundFile, NamedSession, SourceEnvironment } from "../source.ts";
import { type Entry, Walk } from "../walk.ts";

/** Folders of sessions. Older versions kept them below `$XDG_STATE_HOME`. */
export function copilotRoots({ home, variables }: SourceEnvironment): readonly string[] {
  const own = given(variables.COPILOT_HOME);
  if (own !== undefined) return [join(own, SESSIONS)];
  const state = given(variables.XDG_STATE_HOME);
  return [join(home, COPILOT, SESSIONS), ...(state === undefined ? [] : [join(state, COPILOT, SESSIONS)])];
}

/**
 * Event logs in folders, then those that stand alone, by their session ids, then what could not be looked at. One that
 * stands alone is passed over where its session has a folder, into which a newer version moved it.
 *
 * Runs before every query: of each session's folder only the log is looked at.
 */
export function findEventLogs(environment: SourceEnvironment): (FoundFile | FindProblem)[] {
  const walk = new Walk();
  const found = new Set<string>();
  for (const root of copilotRoots(environment)) {
    const alone: Entry[] = [];
    const moved = new Set<string>();
    walk.start(root, {
      file: (path, name) => name.endsWith(JSONL) && alone.push({ path, name }),
      folder: (folder, name) => {
        const log = walk.file(folder, EVENTS);
        // Many sessions that were begun and left hold no events.
        if (log === undefined) return;
        moved.add(name + JSONL);
        found.add(log);
      },
    });
    for (const { path, name } of alone) if (!moved.has(name)) found.add(path);
  }
  return [...Array.from(found, (path): FoundFile => ({ path, unit: "lines" })), ...walk.problems];
}

/** The log of a session, by its path or by its id. */
export function findNear({ path, session }: NamedSession, environment: SourceEnvironment): readonly FoundFile[] {
  const roots = copilotRoots(environment);
  const isName = session !== undefined && /^[\w-]+$/.test(session);
  const named = [path, ...(isName ? roots.map((root) => join(root, session, EVENTS)) : [])];
  for (const one of named) {
    const found = within(roots, one);
    const isLog = found?.parts.length === 2 ? found.parts[1] === EVENTS : found?.parts[0]?.endsWith(JSONL) === true;
    if (found !== undefined && found.parts.length <= 2 && isLog) return [{ path: found.path, unit: "lines" }];
  }
  return [];
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

const COPILOT = ".copilot";
const SESSIONS = "session-state";
const JSONL = ".jsonl";
const EVENTS = "events.jsonl";

function given(path: string | undefined): string | undefined {
  return path === undefined || path.trim() === "" ? undefined : resolve(path);
}
