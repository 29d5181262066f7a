import { closeSync, openSync, readSync } from "node:fs";
import { diskSidecars } from "../sources/sidecars.ts";
import type { Sidecars } from "../sources/source.ts";
import { type ArchivedEntry, openArchived } from "./archive/reader.ts";
import type { OpenContainers } from "./containers.ts";
import type { Candidate } from "./discover.ts";
import { type Line, readDocument, readLines } from "./lines.ts";

/** A record of a file, or what stood in its place. Offsets are bytes, unless `countsRecords`. */
export type Entry =
  | {
      readonly kind: "record";
      readonly value: unknown;
      readonly json: string;
      readonly start: number;
      readonly end: number;
      /** It stands behind the last newline: whole, though its line may go on. */
      readonly isTail?: boolean;
    }
  | { readonly kind: "bad"; readonly reason: string; readonly start: number; readonly end: number }
  /** A part of the archive that is damaged. */
  | { readonly kind: "damaged"; readonly path: string; readonly problem: string };

/** Whether offsets count records, since there are no bytes of a file to count. */
export function countsRecords({ file }: Candidate): boolean {
  return file.part !== undefined || file.unit === "exported";
}

export interface Records {
  readonly entries: Iterable<Entry>;
  readonly sidecars: Sidecars;
}

/** What stands in a file from `from` on. Throws, at the latest while it is read, where that is not possible now. */
export async function openRecords(candidate: Candidate, from: number, containers: OpenContainers): Promise<Records> {
  const { file, archived } = candidate;
  if (archived !== undefined) {
    const { entries, sidecars } = openArchived(archived);
    return { entries: fromArchive(entries), sidecars };
  }
  if (file.part !== undefined) return { entries: fromContainer(candidate, containers), sidecars: diskSidecars };
  if (file.unit === "document") return { entries: fromLines([readDocument(file.path)]), sidecars: diskSidecars };
  if (file.compression === "zstd") {
    // Few histories have compressed files; the others should not pay for loading the decoder.
    const { readZstdLines } = await import("./zstd.ts");
    return { entries: fromLines(readZstdLines(file.path)), sidecars: diskSidecars };
  }
  return { entries: fromFile(candidate, from), sidecars: diskSidecars };
}

/** A record that is longer than this is not looked for behind the last newline. */
const TAIL_BYTES = 4_000_000;

function* fromFile({ file, size }: Candidate, from: number): Generator<Entry> {
  let end = from;
  for (const entry of fromLines(readLines(file.path, { from }))) {
    if (entry.kind !== "damaged") end = entry.end;
    yield entry;
  }
  const tail = readTail(file.path, end, size);
  if (tail !== undefined) yield { kind: "record", ...tail, start: end, end: size, isTail: true };
}

function* fromLines(lines: Iterable<Line>): Generator<Entry> {
  for (const line of lines) {
    if (line.kind === "bad") yield line;
    else yield entryOf(line.text, line.start, line.end);
  }
}

function* fromContainer({ source, file, ...part }: Candidate, containers: OpenContainers): Generator<Entry> {
  const container = containers.open(source, file);
  const { mtimeMs, bornMs, size, revision = "" } = part;
  let at = 0;
  const found = { name: file.part ?? "", revision, createdAt: bornMs, updatedAt: mtimeMs, bytes: size };
  for (const value of container.records(found)) {
    yield { kind: "record", value, json: JSON.stringify(value) ?? "null", start: at, end: at + 1 };
    at += 1;
  }
}

function* fromArchive(entries: Iterable<ArchivedEntry>): Generator<Entry> {
  for (const entry of entries) {
    if (entry.kind === "damaged") yield entry;
    else if (entry.kind === "unreadable")
      yield { kind: "bad", reason: entry.reason, start: entry.offset, end: entry.offset };
    else yield entryOf(entry.json, entry.offset, entry.offset + entry.json.length);
  }
}

function entryOf(json: string, start: number, end: number): Entry {
  try {
    return { kind: "record", value: JSON.parse(json), json, start, end };
  } catch {
    return { kind: "bad", reason: "not-json", start, end };
  }
}

/**
 * The record after the last newline, if it is whole. Some agents end a file without a newline; then it would never be
 * read. A record that is still being written is not JSON yet.
 */
function readTail(
  path: string,
  from: number,
  to: number,
): { readonly value: unknown; readonly json: string } | undefined {
  if (to <= from || to - from > TAIL_BYTES) return undefined;
  const file = openSync(path, "r");
  try {
    const buffer = Buffer.alloc(to - from);
    const json = buffer.toString("utf8", 0, readSync(file, buffer, 0, buffer.length, from));
    return { value: JSON.parse(json), json };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  } finally {
    closeSync(file);
  }
}
