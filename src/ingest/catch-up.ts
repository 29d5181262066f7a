import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { YoreError } from "../core/errors.ts";
import { DERIVATION_VERSION } from "../core/observation.ts";
import type { Clock } from "../core/time.ts";
import type { Source, SourceEnvironment } from "../sources/source.ts";
import type { HistoryWriter, LeaseHolder, Store } from "../store/store.ts";
import { type Discovery, discover } from "./discover.ts";
import { projectIdentifier } from "./identify-project.ts";
import { LEASE_MS, Pass, type PassProgress } from "./pass.ts";
import { familiesOf, planWork, vanished } from "./plan.ts";
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
  const { store, sources, environment, clock } = dependencies;
  const discovery = discover(sources, environment);
  const stored = new Map((await store.files.all()).map((file) => [file.path, file]));
  const families = familiesOf([...stored.values()], await store.files.copies());
  const work = planWork(discovery, stored, families, options.rebuild === true);
  const gone = vanished(discovery, stored, sources);
  const outdated = await store.files.outdated(DERIVATION_VERSION);
  const idle = { discovery, filesRead: 0, bytesRead: 0, newMessages: 0, behind: 0, problems: discovery.problems };
  if (work.length === 0 && gone.length === 0 && outdated.length === 0) return idle;

  const writer = await store.writer();
  const holder = { host: hostname(), pid: process.pid, token: randomBytes(12).toString("hex") };
  if (!(await waitForLease(writer, holder, clock, options))) {
    return { ...idle, behind: work.length, stale: "another-process" };
  }
  const pass = new Pass({
    ...options,
    writer,
    holder,
    discovery,
    stored,
    families,
    clock,
    identify: projectIdentifier(environment.home),
  });
  let stale: CatchUpReport["stale"];
  try {
    for (const { id, ...key } of outdated) await writer.transaction((tx) => rederive(tx, id, key));
    await writer.transaction((tx) => tx.markMissing(gone));
    await pass.read(work);
    await settle(pass, writer, options, clock);
    if (pass.isStopped) stale = "out-of-time";
  } catch (error) {
    if (!(error instanceof YoreError) || error.code !== "disk-full") throw error;
    stale = "disk-full";
  } finally {
    await writer.releaseLease(holder).catch(() => {});
  }
  const { filesRead, bytesRead, newMessages, behind } = pass;
  const problems = [...discovery.problems, ...pass.problems];
  return { discovery, filesRead, bytesRead, newMessages, behind, problems, ...(stale !== undefined && { stale }) };
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
): Promise<boolean> {
  const giveUpAt = clock() + waitMs;
  for (;;) {
    const now = clock();
    if (await writer.acquireLease(holder, now + LEASE_MS, now)) return true;
    if (now >= giveUpAt || signal?.aborted === true) return false;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
