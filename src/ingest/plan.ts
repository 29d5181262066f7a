import { accessSync, constants, statSync } from "node:fs";
import { dirname, sep } from "node:path";
import type { Source, SourceEnvironment } from "../sources/source.ts";
import { type StoredFile, UNARCHIVED, UNREAD } from "../store/store.ts";
import type { Admission } from "./admission.ts";
import { FILE_START, type Start } from "./batches.ts";
import type { TakenApart } from "./containers.ts";
import { type Candidate, type Discovery, keyOf } from "./discover.ts";
import { type Change, compare } from "./fingerprint.ts";
import { readDocument } from "./lines.ts";

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

/** Which family each file belongs to; files of which nothing was stored have none. */
export type Families = ReadonlyMap<number, number>;

/** Asked only where something is taken back, since telling families takes a look at every file. */
export type AskFamilies = () => Promise<Families>;

/**
 * Files belong together that make up one session, or of which one holds copies of another's messages. What is in the
 * store of one of them depends on which was read first.
 */
export function familiesOf(files: readonly StoredFile[], copies: readonly (readonly [number, number])[]): Families {
  const heads = new Map<number, number>();
  const headOf = (file: number): number => {
    let head = file;
    for (let next = heads.get(head); next !== undefined; next = heads.get(head)) head = next;
    return head;
  };
  const join = (a: number, b: number): void => {
    const [one, other] = [headOf(a), headOf(b)];
    if (one !== other) heads.set(Math.max(one, other), Math.min(one, other));
  };
  for (const [file, owner] of copies) join(file, owner);
  const firstOf = new Map<number, number>();
  for (const { id, session } of files) {
    if (session === undefined) continue;
    const first = firstOf.get(session);
    if (first === undefined) firstOf.set(session, id);
    else join(first, id);
  }
  return new Map(files.map(({ id }) => [id, headOf(id)]));
}

/**
 * What has to be read, in the order to read it: of two files that hold the same messages the older one has them,
 * since a fork is written after its original. With `archive`, also what was read and could not be archived. Nothing of
 * what is not to be stored.
 */
export async function planWork(
  discovery: Discovery,
  stored: StoredFiles,
  families: AskFamilies,
  {
    rebuild,
    archive = false,
    admission,
  }: { readonly rebuild: boolean; readonly archive?: boolean; readonly admission: Admission },
): Promise<Work[]> {
  const anew: Candidate[] = [];
  const others: Work[] = [];
  for (const candidate of discovery.candidates) {
    const known = stored.get(keyOf(candidate.file));
    const isToArchive = archive && known?.sourceVersion === UNARCHIVED;
    if (admission.isClosed(known?.session) || (known?.refused === admission.stamp && !rebuild)) continue;
    const isRefusedNoMore = known?.refused !== undefined && known.refused !== admission.stamp;
    const change: Change = rebuild || isToArchive || isRefusedNoMore ? { kind: "anew" } : changeOf(candidate, known);
    if (change.kind === "unchanged") continue;
    // What its family took back before a pass was stopped; those that were read again since stay as they are.
    const isUnread = !rebuild && (known?.sourceVersion === UNREAD || isToArchive);
    if (isUnread) others.push({ candidate, stored: known, change, takesBack: [known.id], isChanged: false });
    else if (change.kind === "append" && known !== undefined && isHeadOnly(known)) {
      others.push({ candidate, stored: known, change: { kind: "anew" }, takesBack: [], isChanged: true });
    } else if (change.kind === "anew") anew.push(candidate);
    else others.push({ candidate, stored: known, change, takesBack: [], isChanged: true });
  }
  const takesBack = anew.some(({ file }) => stored.has(keyOf(file)));
  const work = withFamilies(anew, discovery, stored, takesBack ? await families() : new Map(), true);
  const keys = new Set(work.map(({ candidate }) => keyOf(candidate.file)));
  const all = [...work, ...others.filter(({ candidate }) => !keys.has(keyOf(candidate.file)))];
  return inOrder(all.filter(({ stored }) => !admission.isClosed(stored?.session)));
}

/** Nothing was understood so far, as before the first words of a session; then it isn't in the archive either. */
function isHeadOnly({ offset, items }: StoredFile): boolean {
  return offset <= HEAD_BYTES && items === 0;
}

const HEAD_BYTES = 64 * 1024;

/** Whether a file can be read now: it may be gone or locked, or be a document that is just being written. */
export function isReadable({ file, size, mtimeMs, archived }: Candidate, known: StoredFile | undefined): boolean {
  if (archived !== undefined) return true;
  try {
    accessSync(file.path, constants.R_OK);
    if (file.unit !== "document" || (known?.size === size && known.mtimeMs === mtimeMs)) return true;
    const line = readDocument(file.path);
    return line.kind === "line" && JSON.parse(line.text) !== undefined;
  } catch {
    return false;
  }
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
export function planCopies(
  files: ReadonlySet<number>,
  discovery: Discovery,
  stored: StoredFiles,
  families: Families,
): Work[] {
  const holders = discovery.candidates.filter((candidate) => files.has(stored.get(keyOf(candidate.file))?.id ?? -1));
  return withFamilies(holders, discovery, stored, families, false);
}

/** A file is read anew with all of its family, so that the result is that of a first reading. */
function withFamilies(
  anew: readonly Candidate[],
  { candidates }: Discovery,
  stored: StoredFiles,
  families: Families,
  isChanged: boolean,
): Work[] {
  if (anew.length === 0) return [];
  const familyOf = (candidate: Candidate) => families.get(stored.get(keyOf(candidate.file))?.id ?? -1);
  const chosen = new Set(anew);
  const affected = new Set(anew.map(familyOf).filter((family) => family !== undefined));
  const members = candidates.filter((candidate) => chosen.has(candidate) || affected.has(familyOf(candidate) ?? -1));
  const toTakeBack = new Map<number | undefined, number[]>();
  for (const candidate of members) {
    const id = stored.get(keyOf(candidate.file))?.id;
    const family = familyOf(candidate);
    if (id === undefined) continue;
    const ids = toTakeBack.get(family);
    if (ids === undefined) toTakeBack.set(family, [id]);
    else ids.push(id);
  }
  return inOrder(members.map((candidate) => ({ candidate }))).map(({ candidate }): Work => {
    const family = familyOf(candidate);
    const takesBack = toTakeBack.get(family) ?? [];
    // The first of a family takes back what came from all.
    toTakeBack.delete(family);
    return { candidate, stored: stored.get(keyOf(candidate.file)), change: { kind: "anew" }, takesBack, isChanged };
  });
}

function inOrder<T extends { readonly candidate: Candidate }>(items: readonly T[]): T[] {
  return items.toSorted(
    (a, b) => a.candidate.bornMs - b.candidate.bornMs || (keyOf(a.candidate.file) < keyOf(b.candidate.file) ? -1 : 1),
  );
}

/**
 * Files that were read once and that their agent has deleted. Where a whole root is gone, a disk may just not be
 * mounted; what cannot be looked at, or is not looked at any more, may still be there. An agent that has no folder of its
 * own has only what was imported once, from wherever it stood.
 */
export function vanished(
  { discovery, containers }: TakenApart,
  stored: StoredFiles,
  sources: readonly Source[],
  environment: SourceEnvironment,
): number[] {
  const present = keysOf(discovery.candidates, containers);
  const agents = new Map(sources.map((source) => [source.agent, source]));
  const isImported = (agent: string): boolean => agents.get(agent)?.roots(environment).length === 0;
  return [...stored.values()]
    .filter((file) => !file.missing && agents.has(file.agent) && !present.has(file.path))
    .filter(({ agent, path, container }) => {
      // The others of its container are there.
      if (container !== undefined && present.has(container)) return true;
      const file = container ?? path;
      return isGone(file) && (livesOn(dirname(file), discovery.ownRoots) || isImported(agent));
    })
    .map((file) => file.id);
}

/** What names each of the files in the store. */
export function keysOf(...lists: readonly (readonly Candidate[])[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const list of lists) for (const { file } of list) keys.add(keyOf(file));
  return keys;
}

function livesOn(folder: string, roots: readonly string[]): boolean {
  return roots.some((root) => folder === root || folder.startsWith(root + sep)) || !isGone(folder);
}

function isGone(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

export function startOf({ change, stored }: Pick<Work, "change" | "stored">): Start {
  if (change.kind === "anew" || stored === undefined) return FILE_START;
  return { offset: change.from, readerState: stored.readerState, skipped: stored.skipped, items: stored.items };
}

export function unreadBytes(work: Work): number {
  return Math.max(0, work.candidate.size - startOf(work).offset);
}
