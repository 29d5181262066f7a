import { DERIVATION_VERSION } from "../core/observation.ts";
import type { Clock } from "../core/time.ts";
import type { FoundFile, Source, SourceEnvironment } from "../sources/source.ts";
import type { Store, StoredSessionKey } from "../store/store.ts";
import { Admission, type AskExclusions } from "./admission.ts";
import type { ArchivedOf } from "./archive/place.ts";
import { lostToStore, namedInArchive, outdatedInStore } from "./archived-candidates.ts";
import { type OpenContainers, type TakenApart, takeApart } from "./containers.ts";
import {
  type Again,
  type Candidate,
  candidatesFor,
  type Discovery,
  discover,
  keyOf,
  lookAgain,
  type SecondLook,
} from "./discover.ts";
import type { PassProgress } from "./pass.ts";
import {
  type AskFamilies,
  type Families,
  familiesOf,
  keysOf,
  planWork,
  type StoredFiles,
  vanished,
  type Work,
} from "./plan.ts";
import type { Problem } from "./problem.ts";

export interface CatchUpDependencies {
  readonly store: Store;
  readonly sources: readonly Source[];
  readonly environment: SourceEnvironment;
  /** Folder of the archive. */
  readonly archive: string;
  readonly clock: Clock;
  readonly exclusions?: AskExclusions;
}

export interface CatchUpOptions {
  /** Stop between two batches once this much time has gone by. */
  readonly budgetMs?: number;
  /** Read every file anew. */
  readonly rebuild?: boolean;
  /** Read what is archived of transcripts that the store does not have, as the first pass into a new store does. */
  readonly restore?: boolean;
  /** Read again what could not be archived before. Not done for a question, which it would keep waiting each time. */
  readonly retryArchive?: boolean;
  /** Files that are read wherever they stand, such as an export that a person names. */
  readonly also?: readonly { readonly source: Source; readonly file: FoundFile }[];
  /** Archived transcripts that are read, such as those that were just imported. */
  readonly archived?: readonly ArchivedOf[];
  /** Look at these files and at no others, at a cost that no other file adds to: for someone who is told of a session. */
  readonly only?: readonly { readonly source: Source; readonly file: FoundFile }[];
  /** About how many bytes are read at once, between two looks at the time. */
  readonly stepBytes?: number;
  /** Look only at files of an earlier look, again at those named: for someone who is told of changes. */
  readonly again?: Again;
  /** How long to wait for another process that is writing. Default 0. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PassProgress) => void;
}

/** What there is to do. */
export interface Situation extends TakenApart {
  readonly found: Discovery;
  readonly stored: StoredFiles;
  readonly families: AskFamilies;
  readonly admission: Admission;
  readonly workFolders: readonly string[];
  readonly work: readonly Work[];
  readonly gone: readonly number[];
  readonly outdated: readonly StoredSessionKey[];
  /** Files that were first read by themselves, and are to be read again in their turn. */
  readonly early: readonly number[];
  /** Files that were left for a look at all. */
  readonly later?: number;
  /** The pass before this one was ended before it could settle what it read. */
  readonly isUnsettled: boolean;
}

export interface LookOptions extends CatchUpOptions {
  /** What an earlier look found; nothing is looked for again. */
  readonly found?: Discovery;
  /** That look was at some of the files only. */
  readonly isPartial?: boolean;
  /** Paths of large containers that are opened in this look. */
  readonly large?: ReadonlySet<string>;
}

/** A larger container is opened by itself, after all else was read. */
const SMALL_BYTES = 50_000_000;

/** Looks at the files of every agent, and tells what there is to do. */
export async function lookAround(
  dependencies: CatchUpDependencies,
  options: LookOptions,
  open: OpenContainers,
): Promise<Situation> {
  const { store, sources, environment, archive, clock } = dependencies;
  const { rebuild = false, restore = false, retryArchive = false, also = [], again, budgetMs, signal } = options;
  if (options.only !== undefined) return lookOnly(options.only, dependencies, open);
  const imported = options.archived ?? [];
  const second = again === undefined ? undefined : lookAgain(again);
  const near = second === undefined ? undefined : await lookNear(second, dependencies, open);
  if (near !== undefined) return near;
  const startedAt = clock();
  const admission = await Admission.of(store, dependencies.exclusions);
  const workFolders = await workFoldersOf(dependencies);
  const found = options.found ?? second?.found ?? withNamed(discover(sources, { ...environment, workFolders }), also);
  const stored = new Map((await store.files.all()).map((file) => [file.path, file]));
  const isNew = (await store.files.indexedAt()) === undefined;
  const mustStop = () => signal?.aborted === true || (budgetMs !== undefined && clock() - startedAt > budgetMs);
  const isNow = ({ size, file }: Candidate) => rebuild || size <= SMALL_BYTES || options.large?.has(file.path) === true;
  const apart = await takeApart(found, stored, open, { rebuild, opens: (one) => isNow(one) && !mustStop() });
  const unopened = new Set(apart.unopened.map(({ file }) => file.path));
  const problems: Problem[] = [...apart.discovery.problems];
  const present = () => keysOf(apart.discovery.candidates, apart.containers);
  const archived =
    isNew || restore
      ? lostToStore(archive, sources, present(), stored, problems).filter(({ file }) => !unopened.has(file.path))
      : [
          ...without(outdatedInStore(archive, sources, stored), present),
          ...namedInArchive(archive, sources, imported, stored),
        ];
  const discovery = { ...apart.discovery, candidates: [...apart.discovery.candidates, ...archived], problems };
  let told: Promise<Families> | undefined;
  const families: AskFamilies = () => {
    told ??= store.files.copies().then((copies) => familiesOf([...stored.values()], copies));
    return told;
  };
  const work = await planWork(discovery, stored, families, { rebuild, archive: retryArchive, admission });
  return {
    ...apart,
    found,
    discovery,
    stored,
    families,
    admission,
    workFolders,
    work,
    gone: vanished({ ...apart, discovery }, stored, sources, environment),
    outdated: await store.files.outdated(DERIVATION_VERSION),
    early: rebuild ? [] : await earlyIn(store, work, { candidates: discovery.candidates, stored }),
    isUnsettled: stored.size > 0 && !((await store.files.isSettled()) && !isNew),
  };
}

/**
 * What there is to do for those few files that changed, at a cost that no other file adds to. Undefined where others
 * would have to be read again with them.
 */
async function lookNear(
  { found, near, paths }: SecondLook,
  dependencies: CatchUpDependencies,
  open: OpenContainers,
): Promise<Situation | undefined> {
  const { store, sources, environment } = dependencies;
  const rows = await Promise.all(paths.map((path) => store.files.at(path)));
  const stored = new Map(rows.flat().map((file) => [file.path, file]));
  const apart = await takeApart(near, stored, open, { rebuild: false, opens: () => true });
  const families: AskFamilies = async () => new Map();
  const admission = await Admission.of(store, dependencies.exclusions);
  const work = await planWork(apart.discovery, stored, families, { rebuild: false, admission });
  if (work.some(({ change, stored }) => change.kind === "anew" && stored !== undefined)) return undefined;
  return {
    ...apart,
    found,
    stored,
    families,
    admission,
    workFolders: await workFoldersOf(dependencies),
    work,
    gone: vanished(apart, stored, sources, environment),
    outdated: [],
    early: [],
    isUnsettled: false,
  };
}

/** What there is to do for files that are named. Those that would have to be read again with others are left for later. */
async function lookOnly(
  named: NonNullable<CatchUpOptions["only"]>,
  dependencies: CatchUpDependencies,
  open: OpenContainers,
): Promise<Situation> {
  const { store } = dependencies;
  const problems: Problem[] = [];
  const candidates = named.flatMap(({ source, file }) => candidatesFor(source, [file], problems));
  const found: Discovery = { candidates, problems, roots: [], ownRoots: [] };
  const rows = await Promise.all(candidates.map(({ file }) => store.files.at(file.path)));
  const stored = new Map(rows.flat().map((file) => [file.path, file]));
  const apart = await takeApart(found, stored, open, { rebuild: false, opens: ({ size }) => size <= SMALL_BYTES });
  const admission = await Admission.of(store, dependencies.exclusions);
  // Each by itself: of those that have to do with others, nothing is to be done here.
  const families: AskFamilies = async () => new Map(Array.from(stored.values(), ({ id }) => [id, id]));
  const work: Work[] = [];
  let later = 0;
  for (const item of await planWork(apart.discovery, stored, families, { rebuild: false, admission })) {
    const isAnew = item.change.kind === "anew" && item.stored !== undefined;
    if (isAnew && (item.candidate.size > AGAIN_BYTES || (await store.files.hasKin(item.stored.id)))) later += 1;
    else work.push(item);
  }
  return {
    ...apart,
    found,
    stored,
    families,
    admission,
    workFolders: [],
    work,
    gone: [],
    outdated: [],
    early: [],
    isUnsettled: false,
    later: later + apart.unopened.length,
  };
}

/** Of named files, a larger one that has to be read from its start is left for later. */
const AGAIN_BYTES = 2_000_000;

/**
 * Of two files that hold the same messages the older one has them. A file that was first read by itself may have taken
 * some from one that is older and was not read, or not to its end.
 */
async function earlyIn({ files }: Store, work: readonly Work[], before: Before): Promise<readonly number[]> {
  const early = await files.early();
  if (early.length === 0 || work.length === 0) return [];
  const present = new Map<number, Candidate>();
  for (const candidate of before.candidates) {
    const id = before.stored.get(keyOf(candidate.file))?.id;
    if (id !== undefined) present.set(id, candidate);
  }
  const unread = work.filter(({ stored }) => stored === undefined).map(({ candidate }) => candidate);
  const changed = new Set(work.flatMap(({ stored }) => stored?.id ?? []));
  const copies = await files.copies();
  return early.filter((id) => {
    const own = present.get(id);
    if (own === undefined) return false;
    const isAfter = unread.some(({ source, bornMs }) => source === own.source && bornMs <= own.bornMs);
    return isAfter || copies.some(([a, b]) => (a === id && changed.has(b)) || (b === id && changed.has(a)));
  });
}

interface Before {
  readonly candidates: readonly Candidate[];
  readonly stored: StoredFiles;
}

function without(candidates: readonly Candidate[], present: () => ReadonlySet<string>): readonly Candidate[] {
  if (candidates.length === 0) return candidates;
  const keys = present();
  return candidates.filter(({ file }) => !keys.has(keyOf(file)));
}

async function workFoldersOf({ store, environment }: CatchUpDependencies): Promise<readonly string[]> {
  return [...new Set([...environment.workFolders, ...(await store.files.workFolders())])];
}

/** Adds what a person named, unless it was found anyway. */
function withNamed(found: Discovery, also: NonNullable<CatchUpOptions["also"]>): Discovery {
  if (also.length === 0) return found;
  const problems: Problem[] = [...found.problems];
  const known = new Set(found.candidates.map(({ file }) => keyOf(file)));
  const named = also.filter(({ file }) => !known.has(keyOf(file)));
  const more = named.flatMap(({ source, file }) => candidatesFor(source, [file], problems));
  return { ...found, candidates: [...found.candidates, ...more], problems };
}

export function isIdle({ work, gone, outdated, early, changed, isUnsettled }: Situation): boolean {
  return (
    work.length === 0 &&
    early.length === 0 &&
    gone.length === 0 &&
    outdated.length === 0 &&
    changed.length === 0 &&
    !isUnsettled
  );
}
