import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ArchivedOf, archiveFolder, EARLIER, offsetOfSegment } from "./place.ts";
import { coveredTo } from "./reader.ts";
import { isSound } from "./segment.ts";

/** A transcript that ought to be in the archive. */
export interface Expected extends ArchivedOf {
  /** Up to where it was read. */
  readonly offset: number;
  /** The store has it from the archive, and something was damaged there then. */
  readonly isLost: boolean;
}

export interface ArchiveState {
  readonly transcripts: number;
  readonly bytes: number;
  /** How many of those expected are not there. */
  readonly missing: number;
  /** How many of those that are there do not reach as far as they were read. */
  readonly incomplete: number;
  /** Segments that are not as they were written, by path, and whether the store lacks what they held. */
  readonly damaged: readonly { readonly path: string; readonly isLost: boolean }[];
  /** Folders with what was archived of transcripts that hold less now. */
  readonly earlier: readonly string[];
}

/** Reads the whole archive, and looks for what ought to be in it. */
export function examineArchive(root: string, expected: Iterable<Expected>): ArchiveState {
  const wanted = new Map(Array.from(expected, (one) => [archiveFolder(root, one), one]));
  const folders = new Set<string>();
  const damaged: { path: string; isLost: boolean }[] = [];
  let bytes = 0;
  for (const path of segmentsBelow(root)) {
    const segment = readFileSync(path);
    bytes += segment.length;
    const folder = dirname(path);
    folders.add(folder);
    if (!isSound(segment)) damaged.push({ path, isLost: wanted.get(folder)?.isLost === true });
  }
  const earlier = [...folders].filter((folder) => folder.endsWith(EARLIER));
  const there = [...wanted].filter(([folder]) => folders.has(folder));
  return {
    transcripts: folders.size - earlier.length,
    bytes,
    missing: wanted.size - there.length,
    incomplete: there.filter(([folder, { offset }]) => coveredTo(folder) < offset).length,
    damaged,
    earlier,
  };
}

function* segmentsBelow(root: string): Generator<string> {
  for (const agent of namesIn(root)) {
    for (const transcript of namesIn(join(root, agent))) {
      const folder = join(root, agent, transcript);
      for (const name of namesIn(folder)) if (offsetOfSegment(name) !== undefined) yield join(folder, name);
    }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
