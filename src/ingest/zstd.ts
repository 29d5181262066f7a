import { closeSync, fstatSync, openSync } from "node:fs";
import { Decompress } from "fzstd";
import { type BadReason, type Line, type LineLimits, readChunks } from "./lines.ts";
import { LineSplitter } from "./split-lines.ts";

/**
 * Yields the lines of a file that Zstandard compressed, as `readLines` does; offsets are of the decompressed bytes. The
 * last line needs no newline, since nothing is added to an archive.
 *
 * A damaged archive yields the lines before the damage, then a `bad` one. Throws only if the file cannot be opened or
 * read.
 */
export function* readZstdLines(path: string, limits: LineLimits = {}): Generator<Line> {
  const file = openSync(path, "r");
  try {
    const splitter = new LineSplitter(0, limits);
    for (const bytes of decompress(file)) {
      if (typeof bytes === "string") {
        yield { kind: "bad", reason: bytes, start: splitter.lineStart, end: splitter.lineStart };
        return;
      }
      yield* splitter.push(bytes);
    }
    yield* splitter.finish();
  } finally {
    closeSync(file);
  }
}

/** Small, as all that comes of one piece is held at once, and repetitive text shrinks to a hundredth. */
const PIECE_BYTES = 1024;

/** What the strongest level of the format's own tool asks for. The decoder holds this much. */
const MAX_WINDOW_BYTES = 128 * 1024 * 1024;

/** Yields the decompressed bytes, and in the end the reason if there should be more. */
function* decompress(file: number): Generator<Buffer | BadReason> {
  let blocks: Buffer[] = [];
  const decoder = new Decompress((block) => {
    blocks.push(Buffer.from(block.buffer, block.byteOffset, block.byteLength));
  });
  const { size } = fstatSync(file);
  let read = 0;
  for (const piece of readChunks(file, 0, size, PIECE_BYTES)) {
    if (read === 0 && windowBytes(piece) > MAX_WINDOW_BYTES) {
      yield "too-long";
      return;
    }
    read += piece.length;
    // The decoder keeps what it can't use yet, so the piece must not be written to again.
    const isRead = attempt(() => decoder.push(new Uint8Array(piece), read === size));
    yield* blocks;
    blocks = [];
    if (!isRead) {
      yield "corrupt";
      return;
    }
  }
}

/** How far back a frame's data refers, from its header (RFC 8878, section 3.1.1.1); 0 where there is no header. */
function windowBytes(header: Buffer): number {
  if (header.length < 17 || header.readUInt32LE(0) !== FRAME_MAGIC) return 0;
  const descriptor = header.readUInt8(4);
  if ((descriptor & 0x20) === 0) {
    const window = header.readUInt8(5);
    return 2 ** (10 + (window >> 3)) * (1 + (window & 7) / 8);
  }
  const at = 5 + ([0, 1, 2, 4][descriptor & 3] ?? 0);
  switch (descriptor >> 6) {
    case 0:
      return header.readUInt8(at);
    case 1:
      return header.readUInt16LE(at) + 256;
    case 2:
      return header.readUInt32LE(at);
    default:
      return header.readUInt32LE(at) + 2 ** 32 * header.readUInt32LE(at + 4);
  }
}

const FRAME_MAGIC = 0xfd2fb528;

function attempt(action: () => void): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}
