import { basename, dirname, join, sep } from "node:path";
import { editorFolders } from "../editors.ts";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";
import { type Entry, Walk } from "../walk.ts";

/** What belongs to the windows of each editor, then chats of windows without a folder, and those on their way. */
export function chatRoots(environment: SourceEnvironment): readonly string[] {
  return editorFolders(environment).flatMap((user) => [join(user, WORKSPACES), ...globalFolders(user)]);
}

/**
 * Chats and transcripts in stable order, then what could not be looked at. Of a chat that was begun as a document and
 * went on as a log only the log is given.
 *
 * Runs before every query: of the storage of each window only two folders are looked at.
 */
export function findChats(environment: SourceEnvironment): (FoundFile | FindProblem)[] {
  const walk = new Walk();
  const found = new Map<string, FoundFile>();
  const take = (files: readonly FoundFile[]): void => {
    for (const file of files) found.set(file.path, file);
  };
  for (const user of editorFolders(environment)) {
    walk.start(join(user, WORKSPACES), {
      folder: (storage) => {
        take(chats(entriesOf((visit) => walk.within(storage, CHATS, visit))));
        take(transcripts(entriesOf((visit) => walk.within(storage + sep + EXTENSION, TRANSCRIPTS, visit))));
      },
    });
    for (const folder of globalFolders(user)) take(chats(entriesOf((visit) => walk.start(folder, visit))));
  }
  return [...found.values(), ...walk.problems];
}

/** What a file's path tells. */
export interface Place {
  /** Native id of the session, unless the file itself names it. */
  readonly session: string;
  /** Folder with what belongs to the window. */
  readonly storage: string;
  readonly isTranscript: boolean;
}

export function placeOf(path: string): Place {
  const session = basename(path).replace(/\.jsonl?$/, "");
  const folder = dirname(path);
  const isTranscript = basename(folder) === TRANSCRIPTS;
  return { session, storage: isTranscript ? dirname(dirname(folder)) : dirname(folder), isTranscript };
}

/** Where VS Code keeps the chat that a transcript is of. */
export function chatsOf({ storage, session }: Place): readonly string[] {
  return [`${session}${JSONL}`, `${session}${JSON_ENDING}`].map((name) => storage + sep + CHATS + sep + name);
}

const WORKSPACES = "workspaceStorage";
const CHATS = "chatSessions";
const EXTENSION = "GitHub.copilot-chat";
const TRANSCRIPTS = "transcripts";
const JSONL = ".jsonl";
const JSON_ENDING = ".json";

function globalFolders(user: string): readonly string[] {
  return ["emptyWindowChatSessions", "transferredChatSessions"].map((name) => join(user, "globalStorage", name));
}

function entriesOf(walk: (visit: { file(path: string, name: string): void }) => void): readonly Entry[] {
  const entries: Entry[] = [];
  walk({ file: (path, name) => void entries.push({ path, name }) });
  return entries;
}

function chats(entries: readonly Entry[]): FoundFile[] {
  const logs = new Set(entries.map(({ name }) => name).filter((name) => name.endsWith(JSONL)));
  return entries.flatMap(({ path, name }): FoundFile[] => {
    if (logs.has(name)) return [{ path, unit: "log" }];
    return name.endsWith(JSON_ENDING) && !logs.has(`${name}l`) ? [{ path, unit: "document" }] : [];
  });
}

function transcripts(entries: readonly Entry[]): FoundFile[] {
  return entries
    .filter(({ name }) => name.endsWith(JSONL))
    .map(({ path }): FoundFile => ({ path, unit: "log", beside: chatsOf(placeOf(path)) }));
}
