import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ArchivedOf, archiveFolder, offsetOfSegment } from "./place.ts";
import { isSound } from "./segment.ts";

export interface ArchiveState {
  readonly transcripts: number;
  readonly bytes: number;
  /** How many of those asked for are not there. */
  readonly missing: number;
  /** Paths of segments that are not as they were written, in order. */
  readonly damaged: readonly string[];
}

/** Reads the whole archive, and looks for what ought to be in it. */
export function examineArchive(root: string, expected: Iterable<ArchivedOf>): ArchiveState {
  const folders = new Set<string>();
  const damaged: string[] = [];
  let bytes = 0;
  for (const path of segmentsBelow(root)) {
    const segment = readFileSync(path);
    bytes += segment.length;
    folders.add(join(path, ".."));
    if (!isSound(segment)) damaged.push(path);
  }
  let missing = 0;
  for (const of of expected) if (!folders.has(archiveFolder(root, of))) missing += 1;
  return { transcripts: folders.size, bytes, missing, damaged };
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
