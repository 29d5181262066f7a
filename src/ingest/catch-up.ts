import { YoreError } from "../core/errors.ts";
import type { Clock } from "../core/time.ts";
import type { HistoryWriter } from "../store/store.ts";
import { Archive } from "./archive/writer.ts";
import { OpenContainers } from "./containers.ts";
import type { Candidate, Discovery } from "./discover.ts";
import { type ProjectIdentifier, projectIdentifier } from "./identify-project.ts";
import { leaseHolder, waitForLease } from "./lease.ts";
import {
  type CatchUpDependencies,
  type CatchUpOptions,
  isIdle,
  type LookOptions,
  lookAround,
  type Situation,
} from "./look-around.ts";
import { Pass } from "./pass.ts";
import { cleanIdentity, refreshRedaction } from "./prepare.ts";
import type { Problem } from "./problem.ts";
import { rederive } from "./write.ts";

export type { CatchUpDependencies, CatchUpOptions } from "./look-around.ts";

/** So much new text makes merging the word index worth its second. */
const BULK_MESSAGES = 20_000;

export interface CatchUpReport {
  /** What was found, containers whole. */
  readonly found: Discovery;
  /** The same with parts in place of containers, and what came from the archive. */
  readonly discovery: Discovery;
  /** Containers that were found; what is found in them stands among the candidates. */
  readonly containers: readonly Candidate[];
  readonly filesRead: number;
  readonly bytesRead: number;
  readonly newMessages: number;
  /** Transcripts that were read from the archive. */
  readonly restored: number;
  /** Places in the archive at which something could not be read. */
  readonly lost: number;
  /** Files that still have something unread, and why. */
  readonly behind: number;
  readonly stale?: "another-process" | "out-of-time" | "disk-full";
  readonly problems: readonly Problem[];
}

/**
 * Brings the store up to date with the agents' files.
 *
 * Where nothing changed it only looks, and writes nothing. One process writes at a time; the others return at once
 * with `stale` set. Whatever was committed before a stop, a kill or a full disk stays, and the next pass goes on there.
 */
export async function catchUp(dependencies: CatchUpDependencies, options: CatchUpOptions = {}): Promise<CatchUpReport> {
  const first = await onePass(dependencies, options);
  // Some agents keep their history in the projects, and those of the sessions just read may be new.
  if (first.stale !== undefined || first.newFolders === 0 || options.only !== undefined) return first;
  const { rebuild: _, again: __, ...others } = options;
  return together(first, await onePass(dependencies, others));
}

interface PassReport extends CatchUpReport {
  /** Work folders that were not known before. */
  readonly newFolders: number;
}

async function onePass(dependencies: CatchUpDependencies, options: CatchUpOptions): Promise<PassReport> {
  const containers = new OpenContainers();
  try {
    const { clock, store } = dependencies;
    const startedAt = clock();
    const first = await lookAround(dependencies, options, containers);
    let report = isIdle(first) ? reportOf(first) : await write(first, dependencies, options, containers);
    // To open a large container may take longer than to read all else: each comes by itself, after that.
    if (options.only !== undefined) return { ...report, behind: report.behind + (first.later ?? 0), newFolders: 0 };
    let { unopened } = first;
    const large = new Set<string>();
    for (const { file } of first.unopened) {
      const budgetMs = options.budgetMs === undefined ? undefined : options.budgetMs - (clock() - startedAt);
      if (report.stale !== undefined || options.signal?.aborted === true || (budgetMs ?? 1) <= 0) break;
      large.add(file.path);
      const { again: _, ...others } = options;
      const look = {
        ...others,
        ...(budgetMs !== undefined && { budgetMs }),
        found: first.found,
        isPartial: options.again !== undefined,
        large,
      };
      const seen = await lookAround(dependencies, look, containers);
      const next = isIdle(seen) ? reportOf(seen) : await write(seen, dependencies, look, containers);
      report = together(report, next);
      unopened = seen.unopened;
    }
    if (unopened.length > 0 && report.stale === undefined)
      report = { ...report, stale: "out-of-time", behind: report.behind + unopened.length };
    const folders = await store.files.workFolders();
    const known = new Set(first.workFolders);
    return { ...report, newFolders: folders.filter((folder) => !known.has(folder)).length };
  } finally {
    containers.close();
  }
}

/** Of two looks one after the other, the second knows what is there. */
function together(first: CatchUpReport, second: CatchUpReport): CatchUpReport {
  return {
    ...second,
    filesRead: first.filesRead + second.filesRead,
    bytesRead: first.bytesRead + second.bytesRead,
    newMessages: first.newMessages + second.newMessages,
    restored: first.restored + second.restored,
    lost: first.lost + second.lost,
    problems: [...first.problems, ...second.problems.filter((one) => !isAmong(one, first.problems))],
  };
}

async function write(
  seen: Situation,
  dependencies: CatchUpDependencies,
  options: LookOptions,
  containers: OpenContainers,
): Promise<CatchUpReport> {
  try {
    return await catchUpWith(await dependencies.store.writer(), seen, dependencies, options, containers);
  } catch (error) {
    return reportOf(seen, staleBecause(error));
  }
}

function isAmong(problem: Problem, problems: readonly Problem[]): boolean {
  return problems.some((one) => one.path === problem.path && one.problem === problem.problem);
}

function reportOf(
  { found, discovery, containers, work }: Situation,
  stale?: CatchUpReport["stale"],
  pass?: Pass,
): CatchUpReport {
  return {
    found,
    discovery,
    containers,
    filesRead: pass?.filesRead ?? 0,
    bytesRead: pass?.bytesRead ?? 0,
    newMessages: pass?.newMessages ?? 0,
    restored: pass?.restored ?? 0,
    lost: pass?.lost ?? 0,
    behind: Math.max(pass?.behind ?? 0, stale === undefined ? 0 : work.length - (pass?.done ?? 0)),
    problems: [...discovery.problems, ...(pass?.problems ?? [])],
    ...(stale !== undefined && { stale }),
  };
}

/** Readers answer from what is there where writing is not possible now; any other failure is theirs to know. */
function staleBecause(error: unknown): NonNullable<CatchUpReport["stale"]> {
  if (error instanceof YoreError && error.code === "disk-full") return "disk-full";
  if (error instanceof YoreError && error.code === "busy") return "another-process";
  throw error;
}

async function catchUpWith(
  writer: HistoryWriter,
  before: Situation,
  dependencies: CatchUpDependencies,
  options: LookOptions,
  containers: OpenContainers,
): Promise<CatchUpReport> {
  const { clock, environment } = dependencies;
  const holder = leaseHolder();
  const lease = await waitForLease(writer, holder, clock, options);
  if (lease === "taken") return reportOf(before, "another-process");
  let pass: Pass | undefined;
  let seen = before;
  try {
    // Whoever redacts holds the lease too, so that no pass goes on by the rules of before.
    refreshRedaction();
    // Whoever had the lease has done some of the work.
    if (options.rebuild === true) await writer.repairWords();
    if (lease === "waited-for" || options.rebuild === true) seen = await lookAround(dependencies, options, containers);
    if (seen.early.length > 0) {
      await takeBackEarly(writer, seen.early);
      seen = await lookAround(dependencies, options, containers);
    }
    const { discovery, changed, stored, families, admission, work, gone, outdated } = seen;
    const identifyFolder = projectIdentifier(environment.home);
    const identify: ProjectIdentifier = (...asked) => cleanIdentity(identifyFolder(...asked));
    const archive = new Archive(dependencies.archive);
    pass = new Pass({
      ...options,
      writer,
      holder,
      discovery,
      stored,
      families,
      admission,
      clock,
      identify,
      archive,
      containers,
    });
    for (const { id, ...key } of outdated) await writer.transaction((tx) => rederive(tx, id, key));
    if (gone.length > 0) await writer.transaction((tx) => tx.markMissing(gone));
    await pass.read(work);
    await pass.settleContainers(changed);
    if (pass.hasLostLease) return reportOf(seen, "another-process", pass);
    await settle(pass, writer, clock, options, isWhole(options) && seen.unopened.length === 0);
    return reportOf(seen, pass.isStopped ? "out-of-time" : undefined, pass);
  } catch (error) {
    return reportOf(seen, staleBecause(error), pass);
  } finally {
    await writer.releaseLease(holder).catch(() => {});
  }
}

/** Read again in their turn, so that what is stored is what one pass over all stores. */
async function takeBackEarly(writer: HistoryWriter, files: readonly number[]): Promise<void> {
  await writer.transaction(async (tx) => {
    for (const file of files) {
      const { sessions } = await tx.forgetFile(file);
      for (const { id, ...key } of sessions) await rederive(tx, id, key);
    }
    await tx.readAnew(files);
  });
}

function isWhole({ again, only, isPartial = false }: LookOptions): boolean {
  return again === undefined && only === undefined && !isPartial;
}

/** `isAll`: who looked at some of the files only does not know of the others. */
async function settle(
  pass: Pass,
  writer: HistoryWriter,
  clock: Clock,
  options: CatchUpOptions,
  isAll: boolean,
): Promise<void> {
  await writer.transaction(async (tx) => {
    await tx.forgetRepeats();
    await tx.settleTitles();
    if (pass.isStopped || !isAll) return;
    await tx.setIndexedAt(clock());
    await tx.forgetEarly();
  });
  if (pass.isStopped || pass.newMessages < BULK_MESSAGES) return writer.checkpoint();
  const { filesRead: files, bytesRead: bytes } = pass;
  options.onProgress?.({ phase: "finishing", files, filesDone: files, bytes, bytesDone: bytes });
  await writer.optimise();
}
