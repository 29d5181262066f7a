import type { Item, MessageItem, Reader, SessionItem, TitleItem, UsageItem } from "../sources/source.ts";
import { type FileRow, UNREAD } from "../store/store.ts";
import { Draft } from "./archive/draft.ts";
import { type Candidate, keyOf } from "./discover.ts";
import { readingVersion, windowHash } from "./fingerprint.ts";
import { cleanRecord, cleanState, type PreparedMessage, plausibleTime, prepareMessage } from "./prepare.ts";
import type { Problem } from "./problem.ts";
import type { Records } from "./records.ts";
import type { Batch } from "./write.ts";

/** A transaction is this large at most, so that memory stays bounded and other processes get their turn. */
const BATCH_BYTES = 2_000_000;
const BATCH_MESSAGES = 1_500;
/** Reasons are record types an agent made up; a file of nothing else must not fill the store with them. */
const MAX_REASONS = 40;

/** Where reading starts and what is known of the part before. */
export interface Start {
  readonly offset: number;
  readonly readerState: unknown;
  readonly skipped: Readonly<Record<string, number>>;
  readonly items: number;
}

/** Why entries of a transcript are not in the store: the archive that it was read from was damaged. */
export const LOST = "archive: damaged";

export const FILE_START: Start = { offset: 0, readerState: undefined, skipped: {}, items: 0 };

/** A batch, and the stretch of the file it was read from, to be archived. */
export interface ReadBatch extends Batch {
  readonly from: number;
  readonly entries: readonly string[];
  readonly isLast: boolean;
  /** Segments of the archive that could not be read. */
  readonly damaged: readonly Problem[];
}

interface Collected {
  messages: PreparedMessage[];
  facts: SessionItem[];
  titles: TitleItem[];
  tags: string[];
  usage: UsageItem[];
  bytes: number;
}

/**
 * Reads a file from `start` on, in batches that each end at a line. Always yields at least one, which tells that the
 * file was looked at. A record that cannot be read is counted and passed over.
 */
export function* readBatches(
  candidate: Candidate,
  { entries, sidecars }: Records,
  start: Start,
  now: number,
  batchBytes = BATCH_BYTES,
): Generator<ReadBatch> {
  const { source, file, archived, ...stat } = candidate;
  // Nothing was said after its file was last written, nor in the future.
  const latestMs = Math.min(stat.mtimeMs, now);
  const draft = new Draft();
  const beside = archived === undefined ? draft.noting(sidecars) : sidecars;
  let reader = source.reader(file, start.readerState, beside);
  let damaged: Problem[] = [];
  const skipped = new Map(Object.entries(start.skipped));
  let items = start.items;
  let offset = start.offset;
  let collected = empty();

  const skip = (reason: string): void => {
    const key = skipped.has(reason) || skipped.size < MAX_REASONS ? reason : "other";
    skipped.set(key, (skipped.get(key) ?? 0) + 1);
  };
  const take = (item: Item, byte: number): void => {
    if (item.kind === "skip") skip(`${item.reason}: ${item.detail}`);
    else if (item.kind === "message") collected.messages.push(prepared(item, byte));
    else if (item.kind === "session") collected.facts.push(begunBy(latestMs, item));
    else if (item.kind === "title") collected.titles.push(item);
    else if (item.kind === "tag") collected.tags.push(item.tag);
    else collected.usage.push(usedBy(latestMs, item));
  };
  const read = (record: unknown, emit: (item: Item) => void): void => {
    try {
      reader.read(record, emit);
    } catch (error) {
      // A fault of ours with one record must not cost the rest of the file.
      skip(`failed: ${error instanceof Error ? error.name : "unknown"}`);
    }
  };
  const prepared = (item: MessageItem, byte: number): PreparedMessage =>
    prepareMessage(source.agent, item, byte, latestMs);
  let from = start.offset;
  const batch = (size: number, readTo = offset, state = stateOf(candidate, reader), isLast = false): ReadBatch => {
    const row: FileRow = {
      agent: source.agent,
      path: keyOf(file),
      ...(file.part !== undefined && { container: file.path }),
      ...(candidate.copyOf !== undefined && { copyOf: candidate.copyOf }),
      sourceVersion: readingVersion(source),
      size,
      mtimeMs: stat.mtimeMs,
      inode: stat.inode,
      offset,
      // Until it was read to its end, a part must not look like one that was.
      window: isLast || file.part === undefined ? windowOf(candidate, readTo) : "",
      ...(archived !== undefined && {
        ...archived.header.row,
        sourceVersion: isLast ? readingVersion(source) : UNREAD,
        missing: true,
      }),
      readerState: cleanState(state),
      skipped: Object.fromEntries(skipped),
      items,
    };
    const { bytes: _, ...out } = collected;
    const read = { session: reader.session, file: row, latestMs, ...out, from, entries: draft.take(), isLast, damaged };
    collected = empty();
    damaged = [];
    from = offset;
    return read;
  };

  let state: unknown;
  for (const entry of entries) {
    if (entry.kind === "damaged") {
      damaged.push({ path: entry.path, problem: entry.problem });
      skip(LOST);
      continue;
    }
    if (entry.kind === "bad") {
      skip(entry.reason);
      draft.unreadable(entry.start, entry.reason);
    } else {
      const { start, end, isTail = false } = entry;
      const value = cleanRecord(entry.value);
      if (isTail) {
        // The state that is kept ends before the tail: once its newline is there, the line is read again, as a copy.
        state = stateOf(candidate, reader);
        if (file.unit === "lines") reader = source.reader(file, structuredClone(state), beside);
      }
      read(value, (item) => {
        if (item.kind !== "skip" && !isTail) items += 1;
        if (item.kind !== "skip" || !isTail) take(item, start);
      });
      draft.record(start, value === entry.value && !entry.json.includes("\n") ? entry.json : JSON.stringify(value));
      if (isTail) {
        yield* finish(end);
        return;
      }
    }
    // In a part of a container, offsets count records.
    collected.bytes += entry.kind === "record" && file.part !== undefined ? entry.json.length : entry.end - entry.start;
    offset = entry.end;
    if (collected.bytes >= batchBytes || collected.messages.length >= BATCH_MESSAGES) yield batch(UNFINISHED);
  }
  state = stateOf(candidate, reader);
  offset = archived?.header.row.offset ?? offset;
  yield* finish(offset);

  function* finish(readTo: number): Generator<ReadBatch> {
    const last: Item[] = [];
    reader.finish?.((item) => last.push(item));
    for (const item of last) {
      if (item.kind !== "skip") items += 1;
      take(item, offset);
      if (collected.messages.length >= BATCH_MESSAGES) yield batch(UNFINISHED);
    }
    yield batch(stat.size, readTo, state, true);
  }
}

/** Only a file of lines is ever continued. */
function stateOf({ file }: Candidate, reader: Reader): unknown {
  return file.unit === "lines" ? reader.state() : undefined;
}

/** Proof of what stands before an offset. */
export function windowOf({ file, revision, archived }: Candidate, readTo: number): string {
  if (archived !== undefined) return archived.header.row.window;
  return revision ?? (file.compression === undefined ? windowHash(file.path, readTo) : "");
}

/** The facts, without a start that cannot be. */
function begunBy(latestMs: number, { startedAt, ...item }: SessionItem): SessionItem {
  const at = plausibleTime(startedAt, latestMs);
  return { ...item, ...(at !== undefined && { startedAt: at }) };
}

function usedBy(latestMs: number, { at: told, ...item }: UsageItem): UsageItem {
  const at = plausibleTime(told, latestMs);
  return { ...item, ...(at !== undefined && { at }) };
}

/** No file has this size: one that was not read to its end counts as changed, whoever goes on with it. */
const UNFINISHED = -1;

function empty(): Collected {
  return { messages: [], facts: [], titles: [], tags: [], usage: [], bytes: 0 };
}
