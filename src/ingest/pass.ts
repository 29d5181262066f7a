import { YoreError } from "../core/errors.ts";
import type { Clock } from "../core/time.ts";
import type { HistoryTransaction, HistoryWriter, LeaseHolder } from "../store/store.ts";
import { FILE_START, readBatches } from "./batches.ts";
import { type Candidate, type Discovery, describe } from "./discover.ts";
import { stillStands } from "./fingerprint.ts";
import type { ProjectIdentifier } from "./identify-project.ts";
import { type AskFamilies, isReadable, planCopies, type StoredFiles, startOf, unreadBytes, type Work } from "./plan.ts";
import { type Batch, rederive, writeBatch } from "./write.ts";

/** A process that writes says so for this long, and renews it as it goes. */
export const LEASE_MS = 15_000;

/** Bytes read, and for each message as many as storing it costs, that share a transaction. */
const GROUP_SIZE = 6_000_000;
const MESSAGE_COST = 2_000;

export interface PassProgress {
  readonly phase: "finding" | "reading" | "finishing";
  readonly files: number;
  readonly filesDone: number;
  readonly bytes: number;
  readonly bytesDone: number;
  readonly agent?: string;
}

interface Entry {
  readonly item: Work;
  readonly batch: Batch;
  readonly isFirst: boolean;
}

export interface PassOptions {
  readonly writer: HistoryWriter;
  readonly holder: LeaseHolder;
  readonly discovery: Discovery;
  readonly stored: StoredFiles;
  readonly families: AskFamilies;
  readonly identify: ProjectIdentifier;
  readonly clock: Clock;
  readonly budgetMs?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PassProgress) => void;
}

/** One pass over the files that changed. What it has committed stays, however it ends. */
export class Pass {
  readonly problems: { path: string; problem: string }[] = [];
  filesRead = 0;
  bytesRead = 0;
  newMessages = 0;
  /** Files that still have something unread. */
  behind = 0;
  isStopped = false;
  /** Another process took over, as after this machine slept: it has what this one read, or will read it. */
  hasLostLease = false;
  readonly #options: PassOptions;
  /** Files that are there, by their ids in the store. */
  readonly #candidates = new Map<number, Candidate>();
  readonly #startedAt: number;
  #queue: Work[] = [];
  #leaseUntil: number;
  /** Read, and not stored yet. */
  #group: Entry[] = [];
  #groupSize = 0;
  /** Files of which something could not be stored: what follows it must not be, or it would never be read. */
  readonly #failed = new Set<string>();
  /** Files that could not be read: what was read of them before stays, and they are not tried again in this pass. */
  readonly #unreadable = new Set<string>();

  constructor(options: PassOptions) {
    this.#options = options;
    this.#startedAt = options.clock();
    this.#leaseUntil = this.#startedAt + LEASE_MS;
    for (const candidate of options.discovery.candidates) {
      const id = options.stored.get(candidate.file.path)?.id;
      if (id !== undefined) this.#candidates.set(id, candidate);
    }
  }

  async read(work: readonly Work[]): Promise<void> {
    this.#queue = [...work];
    const bytes = work.reduce((sum, item) => sum + unreadBytes(item), 0);
    let files = 0;
    while (this.#queue.length > 0 && !this.#mustStop()) {
      const item = this.#queue.shift();
      if (item === undefined) break;
      const { agent } = item.candidate.source;
      this.#options.onProgress?.({
        phase: "reading",
        files: files + this.#queue.length + 1,
        filesDone: files,
        bytes,
        bytesDone: this.bytesRead,
        agent,
      });
      files += 1;
      await this.#readFile(item);
      // Storing the last may show that others have to be read again.
      if (this.#queue.length === 0) await this.#flush();
    }
    await this.#flush();
    this.behind += this.#queue.length;
  }

  async #readFile(item: Work): Promise<void> {
    const { path } = item.candidate.file;
    try {
      if (hasTurned(item)) {
        this.behind += 1;
        return;
      }
      let isFirst = true;
      let offset = startOf(item).offset;
      for (const batch of await batchesOf(item, this.#options.clock())) {
        if (isInTheMaking(item, batch)) {
          this.#unreadable.add(path);
          return;
        }
        const bytes = batch.file.offset - offset;
        this.#group.push({ item, batch, isFirst });
        this.#groupSize += bytes + batch.messages.length * MESSAGE_COST;
        isFirst = false;
        this.bytesRead += bytes;
        offset = batch.file.offset;
        if (this.#groupSize >= GROUP_SIZE) await this.#flush();
        if (this.#failed.has(path) || this.#mustStop()) break;
      }
      this.filesRead += 1;
      if (this.isStopped && offset < item.candidate.size) this.behind += 1;
    } catch (error) {
      if (error instanceof YoreError) throw error;
      // A file that went away or cannot be read must not keep the others waiting.
      this.#unreadable.add(path);
      this.problems.push({ path, problem: describe(error) });
    }
  }

  /**
   * Stores what was read. Small files share a transaction, since each one makes the word index write out a segment
   * that has to be merged later.
   */
  async #flush(): Promise<void> {
    const group = this.#group;
    this.#group = [];
    this.#groupSize = 0;
    if (group.length === 0 || !(await this.#keepLease())) return;
    try {
      await this.#store(group);
    } catch (error) {
      if (error instanceof YoreError) throw error;
      // One of them cannot be stored; the others can.
      for (const entry of group) await this.#storeAlone(entry);
    }
    // Lets a server answer between two transactions.
    await new Promise(setImmediate);
  }

  async #storeAlone(entry: Entry): Promise<void> {
    const { path } = entry.batch.file;
    if (this.#failed.has(path)) return;
    try {
      await this.#store([entry]);
    } catch (error) {
      if (error instanceof YoreError) throw error;
      this.#failed.add(path);
      this.problems.push({ path, problem: describe(error) });
    }
  }

  async #store(group: readonly Entry[]): Promise<void> {
    const { added, unread } = await this.#options.writer.transaction(async (tx) => {
      const unread = new Set<number>();
      let added = 0;
      for (const { item, batch, isFirst } of group) {
        const takesBack = isFirst ? item.takesBack.filter((file) => this.#canReadAgain(file)) : [];
        if (takesBack.length > 0) {
          const copies = await this.#takeBack(tx, takesBack);
          const lost = [...takesBack, ...(item.isChanged ? copies : [])].filter((file) => this.#canReadAgain(file));
          // Told to the store, so that whoever goes on after a kill reads them too.
          await tx.readAnew(lost);
          for (const file of lost) unread.add(file);
        }
        const isRead = isFirst && item.change.kind === "anew" && item.stored !== undefined;
        if (isRead) unread.delete(item.stored.id);
        added += (await writeBatch(tx, batch, this.#options.identify)).added;
      }
      return { added, unread };
    });
    this.newMessages += added;
    await this.#readAgain(unread);
  }

  /** What cannot be read now must not be taken back: it might be the only copy. */
  #canReadAgain(file: number): boolean {
    const candidate = this.#candidates.get(file);
    if (candidate === undefined || this.#unreadable.has(candidate.file.path)) return false;
    return isReadable(candidate, this.#options.stored.get(candidate.file.path));
  }

  /** Returns the files that hold copies of what was taken back. */
  async #takeBack(tx: HistoryTransaction, files: readonly number[]): Promise<readonly number[]> {
    const holders: number[] = [];
    for (const file of files) {
      const { sessions, copies } = await tx.forgetFile(file);
      for (const { id, ...key } of sessions) await rederive(tx, id, key);
      holders.push(...copies);
    }
    return holders;
  }

  async #readAgain(files: ReadonlySet<number>): Promise<void> {
    if (files.size === 0) return;
    const planned = new Set(
      this.#queue.filter(({ change }) => change.kind === "anew").map(({ candidate }) => candidate.file.path),
    );
    const { discovery, stored, families } = this.#options;
    const again = planCopies(files, discovery, stored, await families()).filter(
      ({ candidate }) => !planned.has(candidate.file.path),
    );
    // What only was to be read on is read from the start now.
    const paths = new Set(again.map(({ candidate }) => candidate.file.path));
    this.#queue = [...this.#queue.filter(({ candidate }) => !paths.has(candidate.file.path)), ...again];
  }

  async #keepLease(): Promise<boolean> {
    const now = this.#options.clock();
    if (!this.hasLostLease && now >= this.#leaseUntil - LEASE_MS / 2) {
      this.#leaseUntil = now + LEASE_MS;
      const { writer, holder } = this.#options;
      this.hasLostLease = !(await writer.acquireLease(holder, this.#leaseUntil, now));
    }
    return !this.hasLostLease;
  }

  #mustStop(): boolean {
    const { budgetMs, signal, clock } = this.#options;
    const isLate = budgetMs !== undefined && clock() - this.#startedAt > budgetMs;
    this.isStopped ||= isLate || signal?.aborted === true || this.hasLostLease;
    return this.isStopped;
  }
}

/** Whether a file that was to be read on was written anew since: the next pass reads it from the start. */
function hasTurned({ change, stored, candidate }: Work): boolean {
  return change.kind === "append" && stored !== undefined && !stillStands(candidate, stored);
}

/**
 * A document that says nothing where it said something before: it is just being written, or was broken. What was read
 * of it is kept, and the next pass looks again.
 */
function isInTheMaking({ candidate, stored }: Work, batch: Batch): boolean {
  return batch.file.items === 0 && candidate.file.compression === undefined && stored !== undefined && stored.items > 0;
}

async function batchesOf(item: Work, now: number): Promise<Iterable<Batch>> {
  if (item.candidate.file.compression !== "zstd") return readBatches(item.candidate, startOf(item), now);
  // Few histories have compressed files; the others should not pay for loading the decoder.
  const { readZstdLines } = await import("./zstd.ts");
  return readBatches(item.candidate, FILE_START, now, (path) => readZstdLines(path));
}
