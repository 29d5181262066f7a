import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { within } from "../near.ts";
import type { FindProblem, FoundFile, NamedSession, SourceEnvironment } from "../source.ts";
import { Walk } from "../walk.ts";

/** `projects`, and `tmp` with the documents of the first versions. They need not exist. */
export function qwenRoots(environment: SourceEnvironment): readonly string[] {
  const folder = runtimeFolder(environment);
  return [join(folder, PROJECTS), join(folder, TMP)];
}

/** Transcripts of all projects in stable order, those of subagents behind them, then what could not be looked at. */
export function findTranscripts(roots: readonly string[]): (FoundFile | FindProblem)[] {
  const walk = new Walk();
  const found = new Map<string, FoundFile>();
  const take = (pattern: RegExp, unit: FoundFile["unit"]) => (path: string, name: string) => {
    if (pattern.test(name)) found.set(path, { path, unit });
  };
  const sessions = { file: take(SESSION, "lines") };
  const chats = {
    ...sessions,
    folder: (path: string, name: string) => name === ARCHIVE && walk.into(path, sessions),
  };
  const agents = { file: take(AGENT, "lines") };
  const documents = { file: take(DOCUMENT, "document") };
  const project = (path: string) => {
    walk.within(path, CHATS, chats);
    walk.within(path, SUBAGENTS, { folder: (session) => walk.into(session, agents) });
  };
  const oldProject = (path: string) => walk.within(path, CHATS, documents);
  for (const root of roots) walk.start(root, { folder: root.endsWith(sep + TMP) ? oldProject : project });
  return [...found.values(), ...walk.problems];
}

/** The transcript that is named, and those of its subagents. */
export function findNear({ path: named }: NamedSession, environment: SourceEnvironment): readonly FoundFile[] {
  const found = within([join(runtimeFolder(environment), PROJECTS)], named);
  if (found === undefined || found.parts[1] !== CHATS || found.parts.length !== 3) return [];
  const name = basename(found.path);
  if (!SESSION.test(name)) return [];
  const files = [found.path];
  const walk = new Walk();
  const agents = { file: (at: string, agent: string) => void (AGENT.test(agent) && files.push(at)) };
  walk.within(dirname(dirname(found.path)), join(SUBAGENTS, basename(name, ".jsonl")), agents);
  return files.map((path): FoundFile => ({ path, unit: "lines" }));
}

export const SUBAGENTS = "subagents";

const PROJECTS = "projects";
const TMP = "tmp";
const CHATS = "chats";
const ARCHIVE = "archive";
/** Beside a session may lie `<session>.ledger.jsonl`, so that a dot in the name makes it another file. */
const SESSION = /^[^.]+\.jsonl$/;
const AGENT = /^agent-[^.]+\.jsonl$/;
const DOCUMENT = /^session-.+\.json$/;

function runtimeFolder({ home, variables }: SourceEnvironment): string {
  const named = variables.QWEN_RUNTIME_DIR || variables.QWEN_HOME;
  if (!named) return join(home, ".qwen");
  if (named === "~" || /^~[/\\]/.test(named)) return join(home, named.slice(1));
  return isAbsolute(named) ? named : resolve(named);
}
