import { basename, dirname, join, resolve } from "node:path";
import { databaseSidecars } from "../database.ts";
import { editorFolders } from "../editors.ts";
import { within } from "../near.ts";
import type { FindProblem, FoundFile, NamedSession, SourceEnvironment } from "../source.ts";
import { type Entry, type Listing, Walk } from "../walk.ts";
import { CHAT, STATE, SUBAGENTS, TRANSCRIPTS } from "./place.ts";

/** Users' folders of the editor, then folders of its agent. They need not exist. */
export function cursorRoots(environment: SourceEnvironment): readonly string[] {
  return [...editorFolders(environment, ["Cursor"]), ...agentFolders(environment)];
}

/**
 * The editor's databases, those of workspaces first; then those of the CLI; then transcripts; then what could not be
 * looked at.
 */
export function findHistory(environment: SourceEnvironment): (FoundFile | FindProblem)[] {
  const search: Search = { found: new Map(), walk: new Walk() };
  const { walk } = search;
  const keepIn = (folder: string, name: string) => keepDatabase(walk.file(folder, name), search);
  for (const root of editorFolders(environment, ["Cursor"])) {
    walk.start(join(root, "workspaceStorage"), { folder: (workspace) => keepIn(workspace, STATE) });
    walk.start(join(root, "globalStorage"), { file: (path, name) => name === STATE && keepDatabase(path, search) });
  }
  for (const root of agentFolders(environment)) {
    const chat = (session: string) => keepIn(session, CHAT);
    walk.start(join(root, "chats"), { folder: (folder) => walk.into(folder, { folder: chat }) });
    walk.start(join(root, "projects"), {
      folder: (project) =>
        walk.within(project, TRANSCRIPTS, {
          file: (path, name) => keepTranscript({ path, name }, new Set(), search),
          folder: (session) => keepSession(session, search),
        }),
    });
  }
  return [...search.found.values(), ...walk.problems];
}

/** The transcript that is named, with those beside and below it of the same session. */
export function findNear({ path: named }: NamedSession, environment: SourceEnvironment): readonly FoundFile[] {
  const roots = agentFolders(environment).map((folder) => join(folder, "projects"));
  const found = within(roots, named);
  if (found === undefined || found.parts[1] !== TRANSCRIPTS || !found.path.endsWith(JSONL)) return [];
  const search: Search = { found: new Map(), walk: new Walk() };
  const entry = { path: found.path, name: basename(found.path) };
  if (found.parts.length === 3) keepTranscript(entry, new Set(), search);
  else if (found.parts.length === 4) keepSession(dirname(found.path), search);
  else if (found.parts.length === 5 && found.parts[3] === SUBAGENTS) keepTranscript(entry, new Set(), search);
  return [...search.found.values()];
}

interface Search {
  readonly found: Map<string, FoundFile>;
  readonly walk: Walk;
}

const JSONL = ".jsonl";
const TEXT = ".txt";

/** The CLI may have been told another folder; the editor keeps to the usual one. */
function agentFolders({ home, platform, variables }: SourceEnvironment): readonly string[] {
  const own = variables.CURSOR_CONFIG_DIR;
  const xdg = platform === "win32" || platform === "darwin" ? undefined : variables.XDG_CONFIG_HOME;
  const folders = [
    join(home, ".cursor"),
    ...(own === undefined || own === "" ? [] : [resolve(own)]),
    ...(xdg === undefined || xdg === "" ? [] : [resolve(xdg, "cursor")]),
  ];
  return [...new Set(folders)];
}

function keepDatabase(path: string | undefined, { found }: Search): void {
  if (path !== undefined) found.set(path, { path, unit: "container", beside: databaseSidecars(path) });
}

function keepSession(session: string, search: Search): void {
  const listing = search.walk.list(session);
  keepTranscripts(listing, search);
  for (const { path, name } of listing.folders) {
    if (name === SUBAGENTS) keepTranscripts(search.walk.list(path), search);
  }
}

function keepTranscripts({ files }: Listing, search: Search): void {
  const names = new Set(files.map(({ name }) => name));
  for (const file of files) keepTranscript(file, names, search);
}

/** A text is left out where the same transcript stands beside it as lines. */
function keepTranscript({ path, name }: Entry, beside: ReadonlySet<string>, { found }: Search): void {
  if (name.endsWith(JSONL)) found.set(path, { path, unit: "lines" });
  else if (name.endsWith(TEXT) && !beside.has(name.slice(0, -TEXT.length) + JSONL)) {
    found.set(path, { path, unit: "container" });
  }
}
