import { fstatSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { Inflate } from "fflate";
import { problemError } from "../problem.ts";

/** A file within a zip archive. */
export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  /** Bytes as they stand in the archive. */
  readonly packed: number;
  readonly bytes: number;
  readonly checksum: number;
  readonly offset: number;
}

/**
 * The directory of a zip archive, which stands at its end; undefined where there is none, or not where it ought to be. Read here and not by the
 * library, which reads from the front: an export may hold gigabytes of pictures before its conversations.
 */
export function readDirectory(file: number): readonly ZipEntry[] | undefined {
  const { size } = fstatSync(file);
  const tail = readAt(file, Math.max(0, size - TAIL_BYTES), Math.min(size, TAIL_BYTES));
  const at = tail.lastIndexOf(END_MARK);
  if (at === -1 || tail.length - at < END_BYTES) return undefined;
  const end = endOf(file, tail, at) ?? {
    bytes: tail.readUInt32LE(at + 12),
    offset: tail.readUInt32LE(at + 16),
  };
  if (end.bytes > MAX_DIRECTORY_BYTES || end.offset + end.bytes > size) return undefined;
  const entries = [...entriesIn(readAt(file, end.offset, end.bytes))];
  const count = tail.readUInt16LE(at + 10);
  return count === IN_ZIP64_COUNT || count === entries.length ? entries : undefined;
}

/** Of an archive that is not whole, or of which some bytes are others. */
export function damaged(cause?: unknown): Error {
  return problemError("damaged", "is damaged or incomplete", cause);
}

/** What an entry holds, in pieces. Throws where it is encrypted, damaged, or packed in a way that isn't known. */
export function* unpack(file: number, entry: ZipEntry): Generator<Uint8Array> {
  if (entry.isEncrypted) throw problemError("packed", "is encrypted");
  if (entry.method !== STORED && entry.method !== DEFLATED)
    throw problemError("packed", "is compressed in a way that is not supported");
  const header = readAt(file, entry.offset, LOCAL_BYTES);
  if (header.length < LOCAL_BYTES || header.readUInt32LE(0) !== LOCAL_MARK) throw damaged();
  let at = entry.offset + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  const stop = at + entry.packed;
  const ready: Uint8Array[] = [];
  const inflate = entry.method === DEFLATED ? new Inflate((piece) => ready.push(piece)) : undefined;
  let checksum = 0;
  while (at < stop) {
    const packed = readAt(file, at, Math.min(CHUNK_BYTES, stop - at));
    if (packed.length === 0) throw damaged();
    at += packed.length;
    if (inflate === undefined) ready.push(packed);
    else inflateInto(inflate, packed, at >= stop);
    for (const piece of ready.splice(0)) {
      checksum = crc32(piece, checksum);
      yield piece;
    }
  }
  if (checksum !== entry.checksum) throw damaged();
}

function inflateInto(inflate: Inflate, packed: Uint8Array, isLast: boolean): void {
  try {
    inflate.push(packed, isLast);
  } catch (error) {
    throw damaged(error);
  }
}

const STORED = 0;
const DEFLATED = 8;
/** The end of the directory, before a comment of at most 65,535 bytes. */
const END_MARK = Buffer.from("PK\u0005\u0006");
const END_BYTES = 22;
const TAIL_BYTES = END_BYTES + 65_535 + 20;
const MAX_DIRECTORY_BYTES = 64_000_000;
const LOCATOR_MARK = 0x07064b50;
const LOCATOR_BYTES = 20;
const END64_MARK = 0x06064b50;
const END64_BYTES = 56;
const ENTRY_MARK = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_MARK = 0x04034b50;
const LOCAL_BYTES = 30;
const ZIP64_FIELD = 1;
const IN_ZIP64 = 0xffffffff;
const IN_ZIP64_COUNT = 0xffff;
/** Small, since a piece may grow a thousandfold. */
const CHUNK_BYTES = 16_384;

/** Where the directory of an archive of more than 4 GB or 65,535 files stands. */
function endOf(file: number, tail: Buffer, at: number): { bytes: number; offset: number } | undefined {
  const locator = at - LOCATOR_BYTES;
  if (locator < 0 || tail.readUInt32LE(locator) !== LOCATOR_MARK) return undefined;
  const end = readAt(file, Number(tail.readBigUInt64LE(locator + 8)), END64_BYTES);
  if (end.length < END64_BYTES || end.readUInt32LE(0) !== END64_MARK) return undefined;
  return { bytes: Number(end.readBigUInt64LE(40)), offset: Number(end.readBigUInt64LE(48)) };
}

function* entriesIn(directory: Buffer): Generator<ZipEntry> {
  let at = 0;
  while (at + ENTRY_BYTES <= directory.length && directory.readUInt32LE(at) === ENTRY_MARK) {
    const nameEnd = at + ENTRY_BYTES + directory.readUInt16LE(at + 28);
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
    const large = largeFields(directory.subarray(nameEnd, extraEnd));
    const field = (place: number): number => {
      const value = directory.readUInt32LE(at + place);
      return value === IN_ZIP64 ? (large.next().value ?? value) : value;
    };
    // In the order in which the large fields stand.
    const bytes = field(24);
    const packed = field(20);
    const offset = field(42);
    yield {
      name: directory.toString("utf8", at + ENTRY_BYTES, nameEnd),
      method: directory.readUInt16LE(at + 10),
      isEncrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
      packed,
      bytes,
      checksum: directory.readUInt32LE(at + 16),
      offset,
    };
    at = extraEnd + directory.readUInt16LE(at + 32);
  }
}

function* largeFields(extra: Buffer): Generator<number, undefined> {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== ZIP64_FIELD) continue;
    const end = Math.min(extra.length, at + 4 + extra.readUInt16LE(at + 2));
    for (let field = at + 4; field + 8 <= end; field += 8) yield Number(extra.readBigUInt64LE(field));
    return undefined;
  }
  return undefined;
}

function readAt(file: number, from: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  return buffer.subarray(0, readSync(file, buffer, 0, length, from));
}
