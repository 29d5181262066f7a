import { basename, dirname, join, resolve } from "node:path";
import { CHATS } from "../gemini-format/place.ts";
import { within } from "../near.ts";
import type { FindProblem, FoundFile, NamedSession, SourceEnvironment } from "../source.ts";
import { Walk } from "../walk.ts";

/** The folder that holds one folder for each project. `GEMINI_CLI_HOME` stands for the home folder. */
export function geminiRoots({ home, variables }: SourceEnvironment): readonly string[] {
  const named = variables.GEMINI_CLI_HOME ?? "";
  return [join(named === "" ? home : resolve(named), ".gemini", "tmp")];
}

/**
 * Chats of all projects in stable order, then what could not be looked at.
 *
 * A session that was begun as a document goes on in a log of the same name with an `l` behind it. Both are given: the
 * log begins with a copy of the document, and copies have the same names.
 */
export function findChats(roots: readonly string[]): (FoundFile | FindProblem)[] {
  const walk = new Walk();
  const found = new Map<string, FoundFile>();
  const take = (pattern: RegExp) => (path: string, name: string) => {
    if (pattern.test(name)) found.set(path, { path, unit: name.endsWith(".json") ? "document" : "log" });
  };
  const subagents = { file: take(SUBAGENT) };
  const chats = { file: take(SESSION), folder: (path: string) => walk.into(path, subagents) };
  const project = (path: string) => walk.within(path, CHATS, chats);
  for (const root of roots) walk.start(root, { folder: project });
  return [...found.values(), ...walk.problems];
}

/** The chat that is named, and those of its subagents that stand below its session's id. */
export function findNear({ path: named, session }: NamedSession, environment: SourceEnvironment): readonly FoundFile[] {
  const found = within(geminiRoots(environment), named);
  if (found === undefined || found.parts[1] !== CHATS || found.parts.length !== 3) return [];
  const files = new Map<string, FoundFile>();
  const take = (pattern: RegExp) => (path: string, name: string) => {
    if (pattern.test(name)) files.set(path, { path, unit: name.endsWith(".json") ? "document" : "log" });
  };
  take(SESSION)(found.path, basename(found.path));
  if (files.size > 0 && session !== undefined && /^[\w-]+$/.test(session)) {
    const walk = new Walk();
    walk.within(dirname(found.path), session, { file: take(SUBAGENT) });
  }
  return [...files.values()];
}

const SESSION = /^session-.+\.jsonl?$/;
const SUBAGENT = /^[^.].*\.jsonl?$/;
