import { Decompress } from "fzstd";
import { parseJson } from "../fields.ts";
import { createCutter } from "./shorten.ts";

interface UnpackLimits {
  /** Longer strings in a thread are cut; more where it is still too long. */
  readonly stringBytes?: readonly number[];
  /** A thread that is longer after all that is given up. */
  readonly maxBytes?: number;
}

/** The JSON value of a thread's data, which may be compressed. Undefined where it is none, or is too large. */
export function unpack(data: Uint8Array, dataType: unknown, limits: UnpackLimits = {}): unknown {
  const { stringBytes = [400_000, 20_000, 1_000], maxBytes = 32_000_000 } = limits;
  for (const maxStringBytes of stringBytes) {
    const json = shortened(dataType === "zstd" ? decompress(data) : [data], maxStringBytes, maxBytes);
    if (json === undefined) return undefined;
    if (json !== "too-large") return parseJson(json.toString("utf8"));
  }
  return undefined;
}

/** Puts the pieces together, with long strings cut; undefined where one of them could not be had. */
function shortened(
  pieces: Iterable<Uint8Array | undefined>,
  maxStringBytes: number,
  maxBytes: number,
): Buffer | "too-large" | undefined {
  const shorten = createCutter(maxStringBytes);
  const kept: Uint8Array[] = [];
  let size = 0;
  for (const piece of pieces) {
    if (piece === undefined) return undefined;
    for (const short of shorten(piece)) {
      size += short.length;
      if (size > maxBytes) return "too-large";
      // The decoder and the database may use their memory again.
      kept.push(short.slice());
    }
  }
  return Buffer.concat(kept);
}

/** Small, as all that comes of one piece is held at once, and repetitive text shrinks to a hundredth. */
const PIECE_BYTES = 1_024;

/** The decoder holds this much; what the strongest level of the format asks for is held by no thread of Zed's. */
const MAX_WINDOW_BYTES = 32_000_000;

/** Yields the bytes as they come; undefined, and no more, where the data is damaged. */
function* decompress(data: Uint8Array): Generator<Uint8Array | undefined> {
  let blocks: Uint8Array[] = [];
  if (windowBytes(data) > MAX_WINDOW_BYTES) {
    yield undefined;
    return;
  }
  const decoder = new Decompress((block) => blocks.push(block));
  for (let from = 0; from < data.length; from += PIECE_BYTES) {
    try {
      decoder.push(data.slice(from, from + PIECE_BYTES), from + PIECE_BYTES >= data.length);
    } catch {
      yield undefined;
      return;
    }
    yield* blocks;
    blocks = [];
  }
}

/** How much the decoder must hold at once, from the frame's header (RFC 8878, section 3.1.1.1). */
function windowBytes(data: Uint8Array): number {
  if (data.length < 6) return 0;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const descriptor = view.getUint8(4);
  if ((descriptor & 0x20) === 0) {
    const window = view.getUint8(5);
    return 2 ** (10 + (window >> 3)) * (1 + (window & 7) / 8);
  }
  const at = 5 + ([0, 1, 2, 4][descriptor & 3] ?? 0);
  const bytes = [1, 2, 4, 8][descriptor >> 6] ?? 8;
  if (data.length < at + bytes) return 0;
  if (bytes === 1) return view.getUint8(at);
  if (bytes === 2) return view.getUint16(at, true) + 256;
  return view.getUint32(at, true) + (bytes === 8 ? 2 ** 32 * view.getUint32(at + 4, true) : 0);
}
