import { YoreError } from "../core/errors.ts";
import type { Clock } from "../core/time.ts";
import type { FileRow, HistoryTransaction, HistoryWriter, LeaseHolder } from "../store/store.ts";
import type { Admission } from "./admission.ts";
import type { Archive } from "./archive/writer.ts";
import { type ArchivableBatch, Archiving } from "./archiving.ts";
import { type ReadBatch, readBatches, windowOf } from "./batches.ts";
import type { OpenContainers } from "./containers.ts";
import { type Candidate, type Discovery, keyOf } from "./discover.ts";
import { readingVersion, stillStands } from "./fingerprint.ts";
import type { ProjectIdentifier } from "./identify-project.ts";
import { LEASE_MS } from "./lease.ts";
import { type AskFamilies, isReadable, planCopies, type StoredFiles, startOf, unreadBytes, type Work } from "./plan.ts";
import { type Problem, problemOf } from "./problem.ts";
import { countsRecords, openRecords } from "./records.ts";
import { rederive, writeBatch } from "./write.ts";

/** Bytes read, and for each message as many as storing it costs, that share a transaction. */
const GROUP_SIZE = 3_000_000;
const MESSAGE_COST = 2_000;

/** So long after it was written, a transcript that does not tell where it is from never will. */
const HOLD_MS = 10 * 60_000;

/** A file may come to belong with others while these are read again; more often than this it does not settle. */
const MOST_AGAIN = 3;

export interface PassProgress {
  readonly phase: "finding" | "reading" | "finishing";
  readonly files: number;
  readonly filesDone: number;
  readonly bytes: number;
  readonly bytesDone: number;
  readonly agent?: string;
}

interface Entry extends ArchivableBatch {
  readonly isFirst: boolean;
}

export interface PassOptions {
  readonly writer: HistoryWriter;
  readonly holder: LeaseHolder;
  readonly discovery: Discovery;
  readonly stored: StoredFiles;
  readonly families: AskFamilies;
  readonly admission: Admission;
  readonly identify: ProjectIdentifier;
  readonly archive: Archive;
  readonly containers: OpenContainers;
  readonly clock: Clock;
  readonly budgetMs?: number;
  readonly stepBytes?: number;
  /** Set where these files are read by themselves. */
  readonly only?: readonly unknown[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PassProgress) => void;
}

/** One pass over the files that changed. What it has committed stays, however it ends. */
export class Pass {
  readonly problems: Problem[] = [];
  /** Places in the archive at which something could not be read. */
  lost = 0;
  /** Files and parts that were read. */
  done = 0;
  readonly #filesRead = new Set<string>();
  bytesRead = 0;
  newMessages = 0;
  /** Transcripts that were read from the archive. */
  restored = 0;
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
  readonly #archiving: Archiving;
  /** How often each file was to be read again, since others took back what it has copies of. */
  readonly #timesAgain = new Map<number, number>();
  /** Files of which nothing may be stored, as they are noted. */
  #refused: FileRow[] = [];
  /** Files that could not be read: what was read of them before stays, and they are not tried again in this pass. */
  readonly #unreadable = new Set<string>();

  constructor(options: PassOptions) {
    this.#options = options;
    this.#archiving = new Archiving(options, this.problems);
    this.#startedAt = options.clock();
    this.#leaseUntil = this.#startedAt + LEASE_MS;
    for (const candidate of options.discovery.candidates) {
      const id = options.stored.get(keyOf(candidate.file))?.id;
      if (id !== undefined) this.#candidates.set(id, candidate);
    }
  }

  /** Containers count once, however many of their parts were read; what came from the archive counts as restored. */
  get filesRead(): number {
    return this.#filesRead.size;
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

  /** Notes that containers were taken apart, but for those of which some part could not be read. */
  async settleContainers(containers: readonly Candidate[]): Promise<void> {
    if (this.isStopped || this.hasLostLease) return;
    const failed = [...this.#failed, ...this.#unreadable];
    const settled = containers.filter(({ file }) => !failed.some((key) => key.startsWith(`${file.path}#`)));
    if (settled.length === 0) return;
    await this.#options.writer.transaction(async (tx) => {
      for (const { source, file, size, mtimeMs, inode } of settled) {
        await tx.saveFile(
          {
            agent: source.agent,
            path: file.path,
            sourceVersion: readingVersion(source),
            size,
            mtimeMs,
            inode,
            offset: 0,
            window: "",
            readerState: undefined,
            skipped: {},
            items: 0,
          },
          undefined,
        );
      }
    });
  }

  async #readFile(item: Work): Promise<void> {
    const path = keyOf(item.candidate.file);
    try {
      if (this.#options.admission.isClosed(item.stored?.session)) return;
      if (hasTurned(item)) {
        this.behind += 1;
        return;
      }
      let isFirst = true;
      let isWhole = false;
      let offset = startOf(item).offset;
      const { clock, containers, stepBytes } = this.#options;
      const records = await openRecords(item.candidate, offset, containers);
      for (const batch of readBatches(item.candidate, records, startOf(item), clock(), stepBytes)) {
        this.problems.push(...batch.damaged);
        this.lost += batch.damaged.length;
        if (isFirst && batch.isLast && isInTheMaking(item, batch)) {
          this.#unreadable.add(path);
          return;
        }
        if (isFirst && item.stored?.session === undefined && !this.#admits(item, batch)) return;
        const bytes = countsRecords(item.candidate) ? sizeOf(batch.entries) : batch.file.offset - offset;
        this.#group.push({ item, batch, isFirst });
        this.#groupSize += bytes + batch.messages.length * MESSAGE_COST;
        isFirst = false;
        isWhole = batch.isLast;
        this.bytesRead += bytes;
        offset = batch.file.offset;
        if (this.#groupSize >= (stepBytes ?? GROUP_SIZE)) await this.#flush();
        if (this.#failed.has(path) || this.#mustStop()) break;
      }
      this.done += 1;
      if (item.candidate.archived !== undefined) this.restored += 1;
      else this.#filesRead.add(item.candidate.file.path);
      if (!isWhole && this.isStopped) this.behind += 1;
    } catch (error) {
      if (error instanceof YoreError) throw error;
      // A file that went away or cannot be read must not keep the others waiting.
      this.#unreadable.add(path);
      this.problems.push(problemOf(path, error));
    }
  }

  /** Before anything of a file is stored or archived. One that does not tell yet where it is from is left for later. */
  #admits(item: Work, batch: ReadBatch): boolean {
    const { admission, identify, clock } = this.#options;
    const { candidate } = item;
    const { agent } = candidate.source;
    const verdict = admission.judge({ agent, ...batch }, identifierFor(candidate, identify));
    const isKnown = verdict === "admitted" || verdict === "refused";
    const mayTell = batch.isLast && candidate.file.unit === "lines" && candidate.archived === undefined;
    if (!isKnown && mayTell && clock() - candidate.mtimeMs < HOLD_MS) return false;
    if (verdict === "admitted" || verdict === "unknown") return true;
    this.#refused.push(refusedRow(item, batch, admission.stamp));
    return false;
  }

  async #noteRefused(): Promise<void> {
    const rows = this.#refused;
    this.#refused = [];
    if (rows.length === 0 || !(await this.#keepLease())) return;
    await this.#options.writer.transaction(async (tx) => {
      for (const row of rows) await tx.saveFile(row, undefined);
    });
  }

  /**
   * Stores what was read. Small files share a transaction, since each one makes the word index write out a segment
   * that has to be merged later.
   */
  async #flush(): Promise<void> {
    await this.#noteRefused();
    const group = this.#group;
    this.#group = [];
    this.#groupSize = 0;
    // A pass may take minutes, and what is excluded meanwhile is not to be stored: the next one goes on with that.
    this.isStopped ||= group.length > 0 && this.#options.admission.isOutdated();
    if (this.isStopped && this.#options.admission.isOutdated()) return;
    if (group.length === 0 || !(await this.#keepLease())) return;
    await this.#archiving.write(group);
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
      this.problems.push(problemOf(path, error));
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
        added += (await writeBatch(tx, batch, identifierFor(item.candidate, this.#options.identify))).added;
        const isEarly = this.#options.only !== undefined && isFirst && item.stored === undefined;
        if (isEarly) await tx.noteEarly([batch.file.path]);
        const version = this.#archiving.versionOf(batch.file.path);
        if (version !== undefined) await tx.markVersion(batch.file.path, version);
      }
      return { added, unread };
    });
    this.newMessages += added;
    await this.#readAgain(unread);
    for (const { item, batch } of group)
      if (batch.isLast) this.#queue.push(...this.#archiving.closing(item, this.#queue));
  }

  /** What cannot be read now must not be taken back: it might be the only copy. */
  #canReadAgain(file: number): boolean {
    const candidate = this.#candidates.get(file);
    if (candidate === undefined || this.#unreadable.has(keyOf(candidate.file))) return false;
    return isReadable(candidate, this.#options.stored.get(keyOf(candidate.file)));
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

  /**
   * Those that the queue has anyway are read in their turn. Of the others all that belongs with them is read again, the one
   * that takes back what came from all before the rest.
   */
  async #readAgain(files: ReadonlySet<number>): Promise<void> {
    const planned = new Set(this.#queue.filter(({ change }) => change.kind === "anew").map(keyOfWork));
    const missing = new Set([...files].filter((file) => !planned.has(this.#keyOf(file)) && this.#mayReadAgain(file)));
    if (missing.size === 0) return;
    const { discovery, stored, families } = this.#options;
    const again = planCopies(missing, discovery, stored, await families());
    // What only was to be read on, or in another order, is read from the start now.
    const keys = new Set(again.map(keyOfWork));
    this.#queue = [...this.#queue.filter((item) => !keys.has(keyOfWork(item))), ...again];
  }

  /** Whatever files say of each other, a pass comes to its end: what is left is marked, and the next one reads it. */
  #mayReadAgain(file: number): boolean {
    const times = (this.#timesAgain.get(file) ?? 0) + 1;
    this.#timesAgain.set(file, times);
    return times <= MOST_AGAIN;
  }

  #keyOf(file: number): string {
    const candidate = this.#candidates.get(file);
    return candidate === undefined ? "" : keyOf(candidate.file);
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

/** The file as it is now, with nothing read of it. It is looked at again once something else is refused. */
function refusedRow({ candidate }: Work, { file }: ReadBatch, stamp: string): FileRow {
  const { size, mtimeMs, inode } = candidate;
  const { agent, path, container, copyOf } = file;
  return {
    agent,
    path,
    sourceVersion: readingVersion(candidate.source),
    size,
    mtimeMs,
    inode,
    offset: 0,
    window: windowOf(candidate, 0),
    readerState: undefined,
    skipped: {},
    items: 0,
    refused: stamp,
    ...(container !== undefined && { container }),
    ...(copyOf !== undefined && { copyOf }),
    ...(candidate.archived !== undefined && { missing: true }),
  };
}

/** Whether a file that was to be read on was written anew since: the next pass reads it from the start. */
function hasTurned({ change, stored, candidate }: Work): boolean {
  return change.kind === "append" && stored !== undefined && !stillStands(candidate, stored);
}

/**
 * A document that says nothing where it said something before: it is just being written, or was broken. What was read
 * of it is kept, and the next pass looks again.
 */
function isInTheMaking({ candidate, stored }: Work, batch: ReadBatch): boolean {
  if (candidate.archived !== undefined) return false;
  return batch.file.items === 0 && candidate.file.compression === undefined && stored !== undefined && stored.items > 0;
}

function keyOfWork({ candidate }: Work): string {
  return keyOf(candidate.file);
}

function sizeOf(entries: readonly string[]): number {
  return entries.reduce((sum, entry) => sum + entry.length, 0);
}

/** Of an archived transcript the folder may be gone too: then the project is what it was when it was read. */
function identifierFor({ archived }: Candidate, identify: ProjectIdentifier): ProjectIdentifier {
  const before = archived?.project;
  if (before === undefined) return identify;
  return (...asked) => {
    const now = identify(...asked);
    return now.identity === "folder" ? before : now;
  };
}
