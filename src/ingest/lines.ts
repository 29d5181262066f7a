import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { createShrinker } from "./shrink.ts";
import { type Line, type LineLimits, LineSplitter, linesOf, MAX_LINE_BYTES } from "./split-lines.ts";

export type { BadReason, Line, LineLimits } from "./split-lines.ts";

export interface ReadLinesOptions extends LineLimits {
  /** Offset of the first line: 0, or the `end` of an earlier one. */
  readonly from: number;
  /** Nothing is read from here on: by default the size that the file has when it is opened. */
  readonly to?: number;
}

/**
 * Yields the lines of a file that a newline ends; blank ones are passed over. A last line without a newline is still
 * being written, so it is not read: read on later from the `end` of the last one.
 *
 * Memory is bounded by the limits, whatever the file. A line above them comes with its long strings cut. Bytes that
 * are not UTF-8 become replacement characters. Throws only if the file cannot be opened or read.
 */
export function* readLines(path: string, { from, to, ...limits }: ReadLinesOptions): Generator<Line> {
  const file = openSync(path, "r");
  try {
    const splitter = new LineSplitter(from, limits);
    for (const bytes of readChunks(file, from, to ?? fstatSync(file).size)) yield* splitter.push(bytes);
  } finally {
    closeSync(file);
  }
}

/** Reads a file that is one JSON value. Above `maxLineBytes` it comes with its long strings cut. Throws as `readLines`. */
export function readDocument(path: string, limits: LineLimits = {}): Line {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const [line] = linesOf(readWhole(file, size, limits), 0, size, size);
    return line ?? { kind: "bad", reason: "empty", start: 0, end: size };
  } finally {
    closeSync(file);
  }
}

function readWhole(file: number, size: number, limits: LineLimits): Buffer | undefined {
  if (size <= (limits.maxLineBytes ?? MAX_LINE_BYTES)) {
    const bytes = Buffer.allocUnsafe(size);
    return bytes.subarray(0, readSync(file, bytes, 0, size, 0));
  }
  const shrinker = createShrinker(limits);
  for (const bytes of readChunks(file, 0, size)) shrinker.push(bytes);
  return shrinker.finish();
}

const CHUNK_BYTES = 256 * 1024;

/** Yields a file's bytes in one buffer that is used again for the next. */
export function* readChunks(file: number, from: number, to: number, chunkBytes = CHUNK_BYTES): Generator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(to - from, chunkBytes)));
  for (let at = from; at < to; ) {
    const read = readSync(file, buffer, 0, Math.min(buffer.length, to - at), at);
    if (read === 0) return;
    at += read;
    yield buffer.subarray(0, read);
  }
}
