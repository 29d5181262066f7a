import { exportedOf } from "../sources/exported/source.ts";
import type { Source } from "../sources/source.ts";
import { type StoredFile, UNREAD } from "../store/store.ts";
import type { ArchivedOf } from "./archive/place.ts";
import { type Archived, findArchived, isWhole, listArchived } from "./archive/reader.ts";
import { type Candidate, keyOf } from "./discover.ts";
import { readingVersion } from "./fingerprint.ts";
import type { StoredFiles } from "./plan.ts";
import type { Problem } from "./problem.ts";

/** What is archived of transcripts that the store does not know and that the agents have no more. */
export function lostToStore(
  root: string,
  sources: readonly Source[],
  present: ReadonlySet<string>,
  stored: StoredFiles,
  problems: Problem[],
): Candidate[] {
  const byAgent = new Map(sources.map((source) => [source.agent, source]));
  const candidates: Candidate[] = [];
  for (const archived of listArchived(root)) {
    if ("damaged" in archived) {
      problems.push({ path: archived.damaged, problem: "is damaged" });
      continue;
    }
    const source = byAgent.get(archived.header.agent);
    const key = keyOf(archived.header.file);
    if (source === undefined || present.has(key) || isRead(key, stored)) continue;
    candidates.push(candidateOf(source, archived));
  }
  return candidates;
}

/** Those of a list of archived transcripts that the store does not have. */
export function namedInArchive(
  root: string,
  sources: readonly Source[],
  named: readonly ArchivedOf[],
  stored: StoredFiles,
): Candidate[] {
  const byAgent = new Map(sources.map((source) => [source.agent, source]));
  return named.flatMap((one) => {
    const source = byAgent.get(one.agent);
    const archived =
      source === undefined || isRead(keyOf({ ...one, unit: "exported" }), stored) ? undefined : findArchived(root, one);
    return source === undefined || archived === undefined ? [] : [candidateOf(source, archived)];
  });
}

function isRead(key: string, stored: StoredFiles): boolean {
  const known = stored.get(key);
  return known !== undefined && known.sourceVersion !== UNREAD && known.refused === undefined;
}

/** Transcripts that the agents have no more and that were read by an older version: the archive has them still. */
export function outdatedInStore(root: string, sources: readonly Source[], stored: StoredFiles): Candidate[] {
  const byAgent = new Map(sources.map((source) => [source.agent, source]));
  return [...stored.values()].flatMap((file) => {
    const source = file.missing ? byAgent.get(file.agent) : undefined;
    if (source === undefined || file.sourceVersion === readingVersion(source)) return [];
    const archived = findArchived(root, { agent: file.agent, ...placeOf(file) });
    // What is in the store may be the only copy of what a damaged segment held.
    return archived === undefined || !isWhole(archived) ? [] : [candidateOf(source, archived)];
  });
}

function placeOf({ path, container }: StoredFile): { readonly path: string; readonly part?: string } {
  return container === undefined ? { path } : { path: container, part: path.slice(container.length + 1) };
}

function candidateOf(source: Source, archived: Archived): Candidate {
  const { file, row, bornMs } = archived.header;
  const { size, mtimeMs, inode, window } = row;
  return {
    source: file.unit === "exported" ? exportedOf(source) : source,
    file,
    size,
    mtimeMs,
    inode,
    bornMs,
    archived,
    ...(file.part !== undefined && { revision: window }),
  };
}
