import type { Source } from "../sources/source.ts";
import type { StoredFile } from "../store/store.ts";
import { FILE_START, type Start } from "./batches.ts";
import type { Candidate, Discovery } from "./discover.ts";
import { type Change, compare } from "./fingerprint.ts";

/** A file that has something to be read. */
export interface Work {
  readonly candidate: Candidate;
  readonly stored: StoredFile | undefined;
  readonly change: Exclude<Change, { kind: "unchanged" }>;
  /** Files of which everything is taken back before this one is read; others among them are read later. */
  readonly takesBack: readonly number[];
  /** Whether the file holds something else than before; false where others took back what it has copies of. */
  readonly isChanged: boolean;
}

/** Files by path, as they were left. */
export type StoredFiles = ReadonlyMap<string, StoredFile>;

/**
 * What has to be read, in the order to read it: of two files that hold the same messages the older one has them,
 * since a fork is written after its original.
 */
export function planWork(discovery: Discovery, stored: StoredFiles, rebuild: boolean): Work[] {
  const anew: Candidate[] = [];
  const appended: Work[] = [];
  for (const candidate of discovery.candidates) {
    const known = stored.get(candidate.file.path);
    const change: Change = rebuild ? { kind: "anew" } : changeOf(candidate, known);
    if (change.kind === "anew") anew.push(candidate);
    else if (change.kind === "append")
      appended.push({ candidate, stored: known, change, takesBack: [], isChanged: true });
  }
  const work = withSessions(anew, discovery, stored, true);
  const paths = new Set(work.map(({ candidate }) => candidate.file.path));
  return inOrder([...work, ...appended.filter(({ candidate }) => !paths.has(candidate.file.path))]);
}

/** A file that cannot be looked into is read, which will tell what is wrong with it. */
function changeOf(candidate: Candidate, known: StoredFile | undefined): Change {
  try {
    return compare(candidate, known);
  } catch {
    return { kind: "append", from: known?.offset ?? 0 };
  }
}

/** Reads files from the start of which nothing changed, because others took back what they have copies of. */
export function planCopies(files: ReadonlySet<number>, discovery: Discovery, stored: StoredFiles): Work[] {
  const holders = discovery.candidates.filter((candidate) => files.has(stored.get(candidate.file.path)?.id ?? -1));
  return inOrder(withSessions(holders, discovery, stored, false));
}

/**
 * A file is read anew together with all files of its session, so that messages, titles and folder come in the order
 * that a first reading gives them.
 */
function withSessions(
  anew: readonly Candidate[],
  { candidates }: Discovery,
  stored: StoredFiles,
  isChanged: boolean,
): Work[] {
  const storedOf = (candidate: Candidate) => stored.get(candidate.file.path);
  const sessions = new Set(anew.flatMap((candidate) => storedOf(candidate)?.session ?? []));
  const chosen = new Set(anew);
  const members = candidates.filter(
    (candidate) => chosen.has(candidate) || sessions.has(storedOf(candidate)?.session ?? -1),
  );
  const toTakeBack = new Map<number | undefined, number[]>();
  for (const { id, session } of members.flatMap((candidate) => storedOf(candidate) ?? [])) {
    toTakeBack.set(session, [...(toTakeBack.get(session) ?? []), id]);
  }
  return inOrder(members.map((candidate) => ({ candidate, stored: storedOf(candidate) }))).map((one): Work => {
    const { stored } = one;
    const takesBack = stored === undefined ? [] : (toTakeBack.get(stored.session) ?? []);
    // The first of a session takes back what came from all of its files.
    if (stored !== undefined) toTakeBack.delete(stored.session);
    return { ...one, change: { kind: "anew" }, takesBack, isChanged };
  });
}

function inOrder<T extends { readonly candidate: Candidate }>(items: readonly T[]): T[] {
  return items.toSorted(
    (a, b) => a.candidate.bornMs - b.candidate.bornMs || (a.candidate.file.path < b.candidate.file.path ? -1 : 1),
  );
}

/** Files that were read once and are no longer there, although their agent's folder is. */
export function vanished(discovery: Discovery, stored: StoredFiles, sources: readonly Source[]): number[] {
  const present = new Set(discovery.candidates.map((candidate) => candidate.file.path));
  const agents = new Set(sources.map((source) => source.agent).filter((agent) => discovery.reachable.has(agent)));
  return [...stored.values()]
    .filter((file) => !file.missing && agents.has(file.agent) && !present.has(file.path))
    .map((file) => file.id);
}

export function startOf({ change, stored }: Pick<Work, "change" | "stored">): Start {
  if (change.kind === "anew" || stored === undefined) return FILE_START;
  return { offset: change.from, readerState: stored.readerState, skipped: stored.skipped, items: stored.items };
}

export function unreadBytes(work: Work): number {
  return Math.max(0, work.candidate.size - startOf(work).offset);
}
