import { closeSync, openSync, readSync } from "node:fs";
import type { FoundFile, Item, MessageItem, Reader, SessionItem, TitleItem, UsageItem } from "../sources/source.ts";
import type { FileRow } from "../store/store.ts";
import type { Candidate } from "./discover.ts";
import { readingVersion, windowHash } from "./fingerprint.ts";
import { type Line, readDocument, readLines } from "./lines.ts";
import { cleanState, type PreparedMessage, plausibleTime, prepareMessage } from "./prepare.ts";
import type { Batch } from "./write.ts";

/** A transaction is this large at most, so that memory stays bounded and other processes get their turn. */
const BATCH_BYTES = 4_000_000;
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

export const FILE_START: Start = { offset: 0, readerState: undefined, skipped: {}, items: 0 };

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
  { source, file, ...stat }: Candidate,
  start: Start,
  now: number,
  lines: (path: string, from: number) => Iterable<Line> = (path, from) => readLines(path, { from }),
): Generator<Batch> {
  // Nothing was said after its file was last written, nor in the future.
  const latestMs = Math.min(stat.mtimeMs, now);
  let reader = source.reader(file, start.readerState);
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
  const batch = (size: number, readTo = offset, state = stateOf(file, reader)): Batch => {
    const row: FileRow = {
      agent: source.agent,
      path: file.path,
      sourceVersion: readingVersion(source),
      size,
      mtimeMs: stat.mtimeMs,
      inode: stat.inode,
      offset,
      window: file.compression === undefined ? windowHash(file.path, readTo) : "",
      readerState: cleanState(state),
      skipped: Object.fromEntries(skipped),
      items,
    };
    const { bytes: _, ...out } = collected;
    collected = empty();
    return { session: reader.session, file: row, latestMs, ...out };
  };

  for (const line of file.unit === "document" ? [readDocument(file.path)] : lines(file.path, start.offset)) {
    if (line.kind === "bad") skip(line.reason);
    else {
      const record = parse(line.text);
      if (record === NOT_JSON) skip("not-json");
      else {
        read(record, (item) => {
          if (item.kind !== "skip") items += 1;
          take(item, line.start);
        });
      }
    }
    collected.bytes += line.end - line.start;
    offset = line.end;
    if (collected.bytes >= BATCH_BYTES || collected.messages.length >= BATCH_MESSAGES) yield batch(UNFINISHED);
  }
  const state = stateOf(file, reader);
  const hasTail = file.unit !== "document" && file.compression === undefined;
  const tail = hasTail ? readTail(file.path, offset, stat.size) : NOT_JSON;
  if (tail !== NOT_JSON) {
    // The state that is kept ends before the tail: once its newline is there, the line is read again, as a copy.
    if (file.unit === "lines") reader = source.reader(file, structuredClone(state));
    read(tail, (item) => {
      if (item.kind !== "skip") take(item, offset);
    });
  }
  reader.finish?.((item) => {
    if (item.kind !== "skip") items += 1;
    take(item, offset);
  });
  yield batch(stat.size, tail === NOT_JSON ? offset : stat.size, state);
}

/** Only a file of lines is ever continued. */
function stateOf(file: FoundFile, reader: Reader): unknown {
  return file.unit === "lines" ? reader.state() : undefined;
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

const NOT_JSON = Symbol("not JSON");

/**
 * The record after the last newline, if it is whole. Some agents end a file without a newline; then it would never be
 * read. A record that is still being written is not JSON yet.
 */
function readTail(path: string, from: number, to: number): unknown {
  if (to <= from || to - from > BATCH_BYTES) return NOT_JSON;
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(to - from);
    return parse(buffer.toString("utf8", 0, readSync(file, buffer, 0, buffer.length, from)));
  } finally {
    closeSync(file);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return NOT_JSON;
  }
}

function empty(): Collected {
  return { messages: [], facts: [], titles: [], tags: [], usage: [], bytes: 0 };
}
