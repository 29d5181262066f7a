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
}

/** Files by path, as they were left. */
export type StoredFiles = ReadonlyMap<string, StoredFile>;

/**
 * What has to be read, in the order to read it: of two files that hold the same messages the older one has them,
 * since a fork is written after its original.
 */
export function planWork(discovery: Discovery, stored: StoredFiles, rebuild: boolean): Work[] {
  const work: Work[] = [];
  for (const candidate of discovery.candidates) {
    const known = stored.get(candidate.file.path);
    const change: Change = rebuild ? { kind: "anew" } : compare(candidate, known);
    if (change.kind !== "unchanged") work.push({ candidate, stored: known, change });
  }
  return work.sort(
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

export function startOf({ change, stored }: Work): Start {
  if (change.kind === "anew" || stored === undefined) return FILE_START;
  return { offset: change.from, readerState: stored.readerState, skipped: stored.skipped, items: stored.items };
}

export function unreadBytes(work: Work): number {
  return Math.max(0, work.candidate.size - startOf(work).offset);
}
