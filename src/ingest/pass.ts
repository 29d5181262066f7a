import { YoreError } from "../core/errors.ts";
import type { Clock } from "../core/time.ts";
import type { HistoryTransaction, HistoryWriter, LeaseHolder } from "../store/store.ts";
import { FILE_START, readBatches } from "./batches.ts";
import { type Discovery, describe } from "./discover.ts";
import type { ProjectIdentifier } from "./identify-project.ts";
import { type StoredFiles, startOf, unreadBytes, type Work } from "./plan.ts";
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

export interface PassOptions {
  readonly writer: HistoryWriter;
  readonly holder: LeaseHolder;
  readonly discovery: Discovery;
  readonly stored: StoredFiles;
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
  readonly #options: PassOptions;
  readonly #startedAt: number;
  /** Paths that are still to be read, so that none is queued twice. */
  readonly #pending = new Set<string>();
  #leaseUntil: number;
  /** Read, and not stored yet. */
  #group: { readonly item: Work; readonly batch: Batch; readonly takesBack: boolean }[] = [];
  #groupSize = 0;

  constructor(options: PassOptions) {
    this.#options = options;
    this.#startedAt = options.clock();
    this.#leaseUntil = this.#startedAt + LEASE_MS;
  }

  async read(work: readonly Work[]): Promise<void> {
    const queue = [...work];
    for (const { candidate } of queue) this.#pending.add(candidate.file.path);
    const bytes = queue.reduce((sum, item) => sum + unreadBytes(item), 0);
    for (let at = 0; at < queue.length; at++) {
      const item = queue[at];
      if (item === undefined) break;
      if (this.#mustStop()) {
        this.behind += queue.length - at;
        break;
      }
      this.#pending.delete(item.candidate.file.path);
      const { agent } = item.candidate.source;
      this.#options.onProgress?.({
        phase: "reading",
        files: queue.length,
        filesDone: at,
        bytes,
        bytesDone: this.bytesRead,
        agent,
      });
      await this.#readFile(item, queue);
    }
    await this.#flush(queue);
  }

  async #readFile(item: Work, queue: Work[]): Promise<void> {
    try {
      let takesBack = item.change.kind === "anew";
      let offset = startOf(item).offset;
      for (const batch of await batchesOf(item)) {
        const bytes = batch.file.offset - offset;
        this.#group.push({ item, batch, takesBack });
        this.#groupSize += bytes + batch.messages.length * MESSAGE_COST;
        takesBack = false;
        this.bytesRead += bytes;
        offset = batch.file.offset;
        if (this.#groupSize >= GROUP_SIZE) await this.#flush(queue);
        if (this.#mustStop()) break;
      }
      this.filesRead += 1;
      if (this.isStopped && offset < item.candidate.size) this.behind += 1;
    } catch (error) {
      if (error instanceof YoreError) throw error;
      // A file that went away or cannot be read must not keep the others waiting.
      this.problems.push({ path: item.candidate.file.path, problem: describe(error) });
    }
  }

  /**
   * Stores what was read. Small files share a transaction, since each one makes the word index write out a segment
   * that has to be merged later.
   */
  async #flush(queue: Work[]): Promise<void> {
    const group = this.#group;
    this.#group = [];
    this.#groupSize = 0;
    if (group.length === 0) return;
    const again = await this.#options.writer.transaction(async (tx) => {
      const copies: number[] = [];
      for (const { item, batch, takesBack } of group) {
        if (takesBack && item.stored !== undefined) copies.push(...(await this.#takeBack(tx, item.stored.id)));
        this.newMessages += (await writeBatch(tx, batch, this.#options.identify)).added;
      }
      return copies;
    });
    queue.push(...this.#toReadAgain(again));
    await this.#renewLease();
    // Lets a server answer between two transactions.
    await new Promise(setImmediate);
  }

  /** Returns the files that hold copies of what was taken back. */
  async #takeBack(tx: HistoryTransaction, file: number): Promise<readonly number[]> {
    const { sessions, copies } = await tx.forgetFile(file);
    for (const { id, ...key } of sessions) await rederive(tx, id, key);
    return copies;
  }

  #toReadAgain(files: readonly number[]): Work[] {
    const { stored, discovery } = this.#options;
    const wanted = new Set(files);
    return [...stored.values()].flatMap((file): Work[] => {
      const candidate = discovery.candidates.find((one) => one.file.path === file.path);
      if (!wanted.has(file.id) || candidate === undefined || this.#pending.has(file.path)) return [];
      this.#pending.add(file.path);
      return [{ candidate, stored: file, change: { kind: "anew" } }];
    });
  }

  async #renewLease(): Promise<void> {
    const now = this.#options.clock();
    if (now < this.#leaseUntil - LEASE_MS / 2) return;
    this.#leaseUntil = now + LEASE_MS;
    await this.#options.writer.acquireLease(this.#options.holder, this.#leaseUntil, now);
  }

  #mustStop(): boolean {
    const { budgetMs, signal, clock } = this.#options;
    const isLate = budgetMs !== undefined && clock() - this.#startedAt > budgetMs;
    this.isStopped ||= isLate || signal?.aborted === true;
    return this.isStopped;
  }
}

async function batchesOf(item: Work): Promise<Iterable<Batch>> {
  if (item.candidate.file.compression !== "zstd") return readBatches(item.candidate, startOf(item));
  // Few histories have compressed files; the others should not pay for loading the decoder.
  const { readZstdLines } = await import("./zstd.ts");
  return readBatches(item.candidate, FILE_START, (path) => readZstdLines(path));
}
