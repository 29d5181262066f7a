import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { archiveFolder, earlierFolder, offsetOfSegment, segmentName, stagingFolder } from "./place.ts";
import { coveredTo, endBefore, readHeader } from "./reader.ts";
import { decodeEntries, decodeHeader, encodeSegment, type SegmentFacts, type SegmentHeader } from "./segment.ts";

/** A stretch of a transcript that is to be archived. */
export interface Stretch extends SegmentFacts {
  readonly entries: readonly string[];
  /** It replaces what was archived of the file before, once `isLast` is written. */
  readonly isAnew: boolean;
  /** The file was read to its end. */
  readonly isLast: boolean;
}

/** What was to be added does not follow on what is archived: some of it is missing, and has to be archived anew. */
export class ArchiveGap extends Error {}

/**
 * Keeps transcripts as compressed segments, in a folder each. Every file is written beside its place and renamed, so that
 * a kill at any moment leaves a segment whole or not at all.
 *
 * A stretch is archived before the store commits it: the archive may be ahead of the store, never behind. What is ahead is
 * written again, over itself, by the pass that goes on.
 */
export class Archive {
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  /** Throws `ArchiveGap`, or what the system says. Nothing is half written then. */
  async write({ entries, isAnew, isLast, ...header }: Stretch): Promise<void> {
    const folder = archiveFolder(this.root, { agent: header.agent, ...header.file });
    const staging = stagingFolder(folder);
    if (isAnew && header.from === 0) rmSync(staging, { recursive: true, force: true });
    const isStaged = isAnew || exists(staging);
    const target = isStaged ? staging : folder;
    // Nothing was ever understood: a file that is being written, or another program's.
    if (header.row.items === 0 && isLast && !exists(folder)) {
      rmSync(staging, { recursive: true, force: true });
      return;
    }
    if (entries.length > 0 && endBefore(target, header.from) < header.from) throw new ArchiveGap();
    if (entries.length > 0 || (isStaged && isLast)) await addSegment(target, header, entries);
    if (isStaged && isLast) {
      setAside(folder, staging);
      renameSync(staging, folder);
    }
  }
}

/**
 * Makes room for what was archived anew. A transcript that holds less than before may have been damaged, or be an older
 * backup: then the fullest of what was there before is kept.
 */
function setAside(folder: string, staging: string): void {
  const earlier = earlierFolder(folder);
  const before = coveredTo(folder);
  if (before > coveredTo(staging) && before > coveredTo(earlier)) {
    rmSync(earlier, { recursive: true, force: true });
    renameSync(folder, earlier);
  } else rmSync(folder, { recursive: true, force: true });
}

/** Small segments at the end are put together once there are so many: each has its own header and compresses badly. */
const SMALL_BYTES = 32 * 1024;
/** Repetitive text compresses to next to nothing, and all that is joined is held at once. */
const SMALL_RAW_BYTES = 512 * 1024;
const MAX_SMALL = 8;

async function addSegment(folder: string, header: SegmentFacts, entries: readonly string[]): Promise<void> {
  makeFolder(folder);
  const { stale, small } = lookOver(folder, header.from);
  const together = small.length >= MAX_SMALL ? joined(folder, small) : undefined;
  const from = together?.from ?? header.from;
  const project = header.project ?? together?.project;
  const segment = await encodeSegment({ ...header, from, ...(project !== undefined && { project }) }, [
    ...(together?.entries ?? []),
    ...entries,
  ]);
  const path = join(folder, segmentName(from));
  writeFileSync(`${path}.tmp`, segment, { mode: 0o600 });
  renameSync(`${path}.tmp`, path);
  const gone = [...stale, ...(together === undefined ? [] : small)].filter((name) => name !== segmentName(from));
  for (const name of gone) rmSync(join(folder, name), { force: true });
}

/** Segments that begin where the new one does or later were never committed; those before it at the end may be small. */
function lookOver(folder: string, from: number): { readonly stale: string[]; readonly small: string[] } {
  const names = readdirSync(folder).sort();
  const stale = names.filter((name) => (offsetOfSegment(name) ?? from) >= from);
  const small: string[] = [];
  for (const name of names.filter((one) => (offsetOfSegment(one) ?? from) < from).reverse()) {
    if (!isSmall(join(folder, name))) break;
    small.unshift(name);
  }
  return { stale, small };
}

function isSmall(path: string): boolean {
  return statSync(path).size <= SMALL_BYTES && (readHeader(path)?.rawBytes ?? 0) <= SMALL_RAW_BYTES;
}

/** Entries of several segments; undefined where one is damaged, which then stays to be named. */
function joined(
  folder: string,
  names: readonly string[],
): (Pick<SegmentHeader, "from" | "project"> & { readonly entries: readonly string[] }) | undefined {
  const entries: string[] = [];
  let first: SegmentHeader | undefined;
  let project: SegmentHeader["project"];
  for (const name of names) {
    const segment = readFileSync(join(folder, name));
    const more = decodeEntries(segment);
    if (more === undefined) return undefined;
    const header = decodeHeader(segment)?.header;
    first ??= header;
    project ??= header?.project;
    for (const entry of more) entries.push(entry);
  }
  return first === undefined ? undefined : { from: first.from, entries, ...(project !== undefined && { project }) };
}

function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
