import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { isFields } from "../../sources/fields.ts";
import type { Sidecars } from "../../sources/source.ts";
import type { ProjectIdentity } from "../../store/store.ts";
import { entryKey } from "./draft.ts";
import { type ArchivedOf, archiveFolder, EARLIER, offsetOfSegment, STAGING, stagingFolder } from "./place.ts";
import { decodeEntries, decodeHeader, type SegmentHeader } from "./segment.ts";

/** An archived transcript. */
export interface Archived {
  /** Folder of its segments. */
  readonly folder: string;
  /** That of the latest segment: what the file was when it was last read. */
  readonly header: SegmentHeader;
  /** As it was identified when the transcript was read. */
  readonly project?: ProjectIdentity;
}

export type ArchivedEntry =
  | { readonly kind: "record"; readonly offset: number; readonly json: string }
  | { readonly kind: "unreadable"; readonly offset: number; readonly reason: string }
  /** A segment that is damaged, or that another ought to stand before, so that entries are lost. */
  | { readonly kind: "damaged"; readonly path: string; readonly problem: string };

/** What is archived of a transcript, if anything is. */
export function findArchived(root: string, of: ArchivedOf): Archived | undefined {
  const folder = archiveFolder(root, of);
  return lookInto(folder) ?? lookInto(stagingFolder(folder));
}

/** Whether all that was archived of a transcript can be read. */
export function isWhole({ folder, header }: Archived): boolean {
  return (
    coveredTo(folder) >= header.row.offset &&
    segmentsIn(folder).every((name) => readEntries(join(folder, name)) !== undefined)
  );
}

/** To which offset a folder holds a transcript from its start, without a gap. Looks at headers only. */
export function coveredTo(folder: string): number {
  let covered = 0;
  for (const name of segmentsIn(folder)) {
    const header = readHeader(join(folder, name));
    if (header === undefined || (offsetOfSegment(name) ?? 0) > covered) break;
    covered = Math.max(covered, header.row.offset);
  }
  return covered;
}

/** Where the last segment ends that begins before an offset; 0 where there is none. */
export function endBefore(folder: string, from: number): number {
  const last = segmentsIn(folder).findLast((name) => (offsetOfSegment(name) ?? from) < from);
  return last === undefined ? 0 : (readHeader(join(folder, last))?.row.offset ?? 0);
}

/** All archived transcripts, in stable order, and the folders in which nothing could be made out. */
export function* listArchived(root: string): Generator<Archived | { readonly damaged: string }> {
  for (const agent of namesIn(root)) {
    const names = namesIn(join(root, agent));
    for (const name of names.filter((one) => !one.endsWith(EARLIER))) {
      const isStaged = name.endsWith(STAGING);
      // One that takes another's place counts only where the other is gone already.
      if (isStaged && names.includes(name.slice(0, -STAGING.length))) continue;
      const folder = join(root, agent, name);
      const found = lookInto(folder);
      if (found !== undefined) yield found;
      else if (!isStaged) yield { damaged: folder };
    }
  }
}

/**
 * The entries of an archived transcript in order, each once, and what its reader saw beside it. `sidecars` answers as they
 * stood when the entry that was given last was read.
 */
export function openArchived({ folder }: Archived): {
  readonly entries: Iterable<ArchivedEntry>;
  readonly sidecars: Sidecars;
} {
  const seen = new Map<string, unknown>();
  const answer = (kind: string, path: string): unknown => seen.get(`${kind} ${path}`);
  return {
    entries: entriesOf(folder, seen),
    sidecars: {
      text: (path) => {
        const text = answer("text", path);
        return typeof text === "string" ? text : undefined;
      },
      json: (path) => {
        const json = answer("json", path);
        return isFields(json) ? json : undefined;
      },
      entry: (path, name) => answer("entry", entryKey(path, name)),
      exists: (path) => answer("exists", path) === true,
      names: (path) => {
        const names = answer("names", path);
        return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
      },
    },
  };
}

function* entriesOf(folder: string, seen: Map<string, unknown>): Generator<ArchivedEntry> {
  // A pass that was killed may have archived the end of a segment a second time.
  let covered = -1;
  let end = 0;
  for (const name of segmentsIn(folder)) {
    const path = join(folder, name);
    if ((offsetOfSegment(name) ?? 0) > end)
      yield { kind: "damaged", path, problem: "is there, but not what stood before it" };
    const entries = readEntries(path);
    end = Math.max(end, readHeader(path)?.row.offset ?? end);
    if (entries === undefined) yield { kind: "damaged", path, problem: "is damaged" };
    for (const entry of entries ?? []) {
      if (entry.startsWith("+ ")) {
        note(seen, entry.slice(2));
        continue;
      }
      const space = entry.indexOf(" ");
      const offset = Number(entry.slice(0, space));
      if (offset <= covered) continue;
      covered = offset;
      const rest = entry.slice(space + 1);
      if (rest.startsWith("! ")) yield { kind: "unreadable", offset, reason: rest.slice(2) };
      else yield { kind: "record", offset, json: rest };
    }
  }
}

function note(seen: Map<string, unknown>, json: string): void {
  const { value, ...asked }: { readonly value: unknown } & Record<string, unknown> = JSON.parse(json);
  for (const [kind, path] of Object.entries(asked)) seen.set(`${kind} ${String(path)}`, value);
}

function readEntries(path: string): readonly string[] | undefined {
  try {
    return decodeEntries(readFileSync(path));
  } catch {
    return undefined;
  }
}

function lookInto(folder: string): Archived | undefined {
  let latest: SegmentHeader | undefined;
  for (const name of segmentsIn(folder).reverse()) {
    const header = readHeader(join(folder, name));
    latest ??= header;
    if (latest !== undefined && header?.project !== undefined)
      return { folder, header: latest, project: header.project };
  }
  return latest === undefined ? undefined : { folder, header: latest };
}

function segmentsIn(folder: string): string[] {
  return namesIn(folder).filter((name) => offsetOfSegment(name) !== undefined);
}

/** A header is short; the rest of the segment is not needed to know it. */
const HEADER_BYTES = 64 * 1024;

/** Undefined where there is none that makes sense. */
export function readHeader(path: string): SegmentHeader | undefined {
  try {
    const file = openSync(path, "r");
    try {
      const buffer = Buffer.alloc(Math.min(HEADER_BYTES, statSync(path).size));
      const read = readSync(file, buffer, 0, buffer.length, 0);
      return decodeHeader(buffer.subarray(0, read))?.header;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
