import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { YoreError } from "../core/errors.ts";
import { DERIVATION_VERSION } from "../core/observation.ts";
import type { Clock } from "../core/time.ts";
import type { Source, SourceEnvironment } from "../sources/source.ts";
import type { HistoryWriter, LeaseHolder, Store, StoredSessionKey } from "../store/store.ts";
import { type Discovery, discover } from "./discover.ts";
import { projectIdentifier } from "./identify-project.ts";
import { LEASE_MS, Pass, type PassProgress } from "./pass.ts";
import {
  type AskFamilies,
  type Families,
  familiesOf,
  planWork,
  type StoredFiles,
  vanished,
  type Work,
} from "./plan.ts";
import { rederive } from "./write.ts";

/** So much new text makes merging the word index worth its second. */
const BULK_MESSAGES = 20_000;

export interface CatchUpDependencies {
  readonly store: Store;
  readonly sources: readonly Source[];
  readonly environment: SourceEnvironment;
  readonly clock: Clock;
}

export interface CatchUpOptions {
  /** Stop between two batches once this much time has gone by. */
  readonly budgetMs?: number;
  /** Read every file anew. */
  readonly rebuild?: boolean;
  /** How long to wait for another process that is writing. Default 0. */
  readonly waitMs?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PassProgress) => void;
}

export interface CatchUpReport {
  readonly discovery: Discovery;
  readonly filesRead: number;
  readonly bytesRead: number;
  readonly newMessages: number;
  /** Files that still have something unread, and why. */
  readonly behind: number;
  readonly stale?: "another-process" | "out-of-time" | "disk-full";
  readonly problems: readonly { readonly path: string; readonly problem: string }[];
}

/**
 * Brings the store up to date with the agents' files.
 *
 * Where nothing changed it only looks, and writes nothing. One process writes at a time; the others return at once
 * with `stale` set. Whatever was committed before a stop, a kill or a full disk stays, and the next pass goes on there.
 */
export async function catchUp(dependencies: CatchUpDependencies, options: CatchUpOptions = {}): Promise<CatchUpReport> {
  const seen = await lookAround(dependencies, options);
  if (isIdle(seen)) return reportOf(seen);
  try {
    return await catchUpWith(await dependencies.store.writer(), seen, dependencies, options);
  } catch (error) {
    return reportOf(seen, staleBecause(error));
  }
}

/** What there is to do. */
interface Situation {
  readonly discovery: Discovery;
  readonly stored: StoredFiles;
  readonly families: AskFamilies;
  readonly work: readonly Work[];
  readonly gone: readonly number[];
  readonly outdated: readonly StoredSessionKey[];
  /** The pass before this one was ended before it could settle what it read. */
  readonly isUnsettled: boolean;
}

async function lookAround(
  { store, sources, environment }: CatchUpDependencies,
  { rebuild = false }: CatchUpOptions,
): Promise<Situation> {
  const discovery = discover(sources, environment);
  const stored = new Map((await store.files.all()).map((file) => [file.path, file]));
  let told: Promise<Families> | undefined;
  const families: AskFamilies = () => {
    told ??= store.files.copies().then((copies) => familiesOf([...stored.values()], copies));
    return told;
  };
  return {
    discovery,
    stored,
    families,
    work: await planWork(discovery, stored, families, rebuild),
    gone: vanished(discovery, stored, sources),
    outdated: await store.files.outdated(DERIVATION_VERSION),
    isUnsettled: stored.size > 0 && !((await store.files.isSettled()) && (await store.files.indexedAt()) !== undefined),
  };
}

function isIdle({ work, gone, outdated, isUnsettled }: Situation): boolean {
  return work.length === 0 && gone.length === 0 && outdated.length === 0 && !isUnsettled;
}

function reportOf({ discovery, work }: Situation, stale?: CatchUpReport["stale"], pass?: Pass): CatchUpReport {
  return {
    discovery,
    filesRead: pass?.filesRead ?? 0,
    bytesRead: pass?.bytesRead ?? 0,
    newMessages: pass?.newMessages ?? 0,
    behind: Math.max(pass?.behind ?? 0, stale === undefined ? 0 : work.length - (pass?.filesRead ?? 0)),
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
  options: CatchUpOptions,
): Promise<CatchUpReport> {
  const { clock, environment } = dependencies;
  const holder = { host: hostname(), pid: process.pid, token: randomBytes(12).toString("hex") };
  const lease = await waitForLease(writer, holder, clock, options);
  if (lease === "taken") return reportOf(before, "another-process");
  let pass: Pass | undefined;
  let seen = before;
  try {
    // Whoever had the lease has done some of the work.
    if (options.rebuild === true) await writer.repairWords();
    if (lease === "waited-for" || options.rebuild === true) seen = await lookAround(dependencies, options);
    const { discovery, stored, families, work, gone, outdated } = seen;
    const identify = projectIdentifier(environment.home);
    pass = new Pass({ ...options, writer, holder, discovery, stored, families, clock, identify });
    for (const { id, ...key } of outdated) await writer.transaction((tx) => rederive(tx, id, key));
    if (gone.length > 0) await writer.transaction((tx) => tx.markMissing(gone));
    await pass.read(work);
    if (pass.hasLostLease) return reportOf(seen, "another-process", pass);
    await settle(pass, writer, options, clock);
    return reportOf(seen, pass.isStopped ? "out-of-time" : undefined, pass);
  } catch (error) {
    return reportOf(seen, staleBecause(error), pass);
  } finally {
    await writer.releaseLease(holder).catch(() => {});
  }
}

async function settle(pass: Pass, writer: HistoryWriter, options: CatchUpOptions, clock: Clock): Promise<void> {
  await writer.transaction(async (tx) => {
    await tx.settleTitles();
    if (!pass.isStopped) await tx.setIndexedAt(clock());
  });
  if (pass.isStopped || pass.newMessages < BULK_MESSAGES) return writer.checkpoint();
  const { filesRead: files, bytesRead: bytes } = pass;
  options.onProgress?.({ phase: "finishing", files, filesDone: files, bytes, bytesDone: bytes });
  await writer.optimise();
}

async function waitForLease(
  writer: HistoryWriter,
  holder: LeaseHolder,
  clock: Clock,
  { waitMs = 0, signal }: CatchUpOptions,
): Promise<"free" | "waited-for" | "taken"> {
  const giveUpAt = clock() + waitMs;
  for (let isFirst = true; ; isFirst = false) {
    const now = clock();
    if (await writer.acquireLease(holder, now + LEASE_MS, now)) return isFirst ? "free" : "waited-for";
    if (now >= giveUpAt || signal?.aborted === true) return "taken";
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
