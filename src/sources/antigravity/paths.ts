import { dirname, join } from "node:path";
import type { FindProblem, FoundFile, SourceEnvironment } from "../source.ts";
import { type Entry, Walk } from "../walk.ts";

/** Folders that hold one folder for each conversation: of the editor under its two names, and of `agy`. */
export function antigravityRoots({ home }: SourceEnvironment): readonly string[] {
  return PRODUCTS.map((name) => join(home, ".gemini", name, BRAIN));
}

/**
 * The transcript of each conversation, with the documents that the agent wrote beside it; or the first of these alone,
 * where older versions kept what was said encrypted; then what could not be looked at.
 */
export function findConversations(environment: SourceEnvironment): (FoundFile | FindProblem)[] {
  const walk = new Walk();
  const found = new Map<string, FoundFile>();
  for (const root of antigravityRoots(environment)) {
    walk.start(root, {
      folder: (folder) => {
        const file = conversationIn(folder, walk);
        if (file !== undefined) found.set(file.path, file);
      },
    });
  }
  return [...found.values(), ...walk.problems];
}

/** Where the parts of a conversation stand. */
export interface Place {
  /** Native id of the session: the folder's name. */
  readonly session: string;
  /** The conversation's folder. */
  readonly folder: string;
  /** What is typed in `agy` in all conversations. */
  readonly history: string;
}

export function placeOf(path: string): Place {
  const folder = IN_LOGS.exec(path)?.[1] ?? dirname(path);
  const [, root = "", between = "/", session = folder] = IN_BRAIN.exec(folder) ?? [];
  return { session, folder, history: `${root}${between}history.jsonl` };
}

/** Whether a file is a document that the agent wrote for a person to read. Older states of one have other endings. */
export function isDocument(name: string): boolean {
  return DOCUMENT.test(name);
}

/** By the order in which the agent writes them, others behind. */
export function inOrder(names: readonly string[]): readonly string[] {
  const place = (name: string): number => (KNOWN.includes(name) ? KNOWN.indexOf(name) : KNOWN.length);
  return [...names].sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}

const PRODUCTS = ["antigravity", "antigravity-ide", "antigravity-cli"];
const BRAIN = "brain";
const OWN = ".system_generated";
const LOGS = "logs";
const IN_LOGS = /^(.*)[\\/]\.system_generated[\\/]logs[\\/][^\\/]+$/;
const IN_BRAIN = /^(.*)([\\/])[^\\/]+[\\/]([^\\/]+)$/;
/** The first is complete; in the second long values are cut; the last is of the first versions that kept one. */
const TRANSCRIPTS = ["transcript_full.jsonl", "transcript.jsonl", "overview.txt"];
const KNOWN = ["task.md", "implementation_plan.md", "walkthrough.md"];
const DOCUMENT = /^[^.].*\.md$/i;

function conversationIn(folder: string, walk: Walk): FoundFile | undefined {
  const { files, folders } = walk.list(folder);
  const documents = documentPaths(files);
  const beside = documents.length === 0 ? {} : { beside: documents };
  const own = folders.find(({ name }) => name === OWN);
  const transcript = own === undefined ? undefined : transcriptIn(own.path, walk);
  if (transcript !== undefined) return { path: transcript, unit: "log", ...beside };
  const [path] = documents;
  return path === undefined ? undefined : { path, unit: "container", ...beside };
}

function transcriptIn(folder: string, walk: Walk): string | undefined {
  const paths = new Map<string, string>();
  walk.within(folder, LOGS, { file: (path, name) => paths.set(name, path) });
  return TRANSCRIPTS.map((name) => paths.get(name)).find((path) => path !== undefined);
}

function documentPaths(files: readonly Entry[]): readonly string[] {
  const paths = new Map(files.filter(({ name }) => isDocument(name)).map(({ name, path }) => [name, path]));
  return inOrder([...paths.keys()]).flatMap((name) => paths.get(name) ?? []);
}
