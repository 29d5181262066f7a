import { existsSync, fstatSync, openSync, readSync } from "node:fs";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { YoreError } from "../core/errors.ts";
import { once } from "../core/once.ts";
import { createVocabulary, layOutVocabulary, type Vocabulary } from "./vocabulary.ts";

/** A vector for each piece of a word; together they tell what a text of such pieces is about. */
export interface TokenTable {
  /** Another one for each table. */
  readonly id: string;
  /** Numbers of a vector. */
  readonly dims: number;
  readonly vocabulary: Vocabulary;
  /** How much a piece counts in a text where nothing else is known of it. */
  readonly weights: Float32Array;
  /** What a piece's numbers are to be multiplied with. */
  readonly scales: Float32Array;
  /** The numbers of `ROWS_PER_BLOCK` pieces, from that multiple of it on. Read when they are first asked for. */
  readonly block: (index: number) => Int8Array;
}

/** What a table is made of. */
export interface TokenTableParts {
  readonly dims: number;
  /** Names in the order of their numbers. One that continues a word begins with `##`. */
  readonly pieces: readonly string[];
  readonly weights: Float32Array;
  readonly scales: Float32Array;
  readonly rows: Int8Array;
}

/** Bytes that are read in parts. */
export interface ByteSource {
  readonly size: number;
  readonly read: (start: number, end: number) => Uint8Array;
}

/** A query has few pieces: with all rows, its vector would take ten times as long as the search. */
export const ROWS_PER_BLOCK = 128;

const MAGIC = "YORETOKS";
const VERSION = 1;
const HEADER_BYTES = 40;
const LITTLE_ENDIAN = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** The table that comes with the program, opened when it is first asked for. Throws a YoreError where it is missing or damaged. */
export const tokenTable: () => TokenTable = once(() => openTokenTable(fileSource(tablePath())));

/**
 * Reads all but the rows. Throws a YoreError for what is no whole table, also later, for a block of rows that is damaged.
 * `source` must stay as it is.
 */
export function openTokenTable(source: ByteSource): TokenTable {
  const head = headOf(source);
  const places = layOut(head);
  if (source.size !== places.end) throw damaged(`it has ${source.size} bytes, and ${places.end} were expected`);
  const { buffer, byteOffset } = aligned(source.read(HEADER_BYTES, places.rows));
  if (crc32(new Uint8Array(buffer, byteOffset, places.rows - HEADER_BYTES)) !== head.checksum) throw damaged(OTHER_SUM);
  const at = (place: number): number => byteOffset + place - HEADER_BYTES;
  const { dims, pieces } = head;
  const checksums = new Uint32Array(buffer, at(places.checksums), blocksOf(pieces));
  const blocks: Int8Array[] = [];
  return {
    // Over all but the rows, and over the checksums of those.
    id: head.checksum.toString(16).padStart(8, "0"),
    dims,
    vocabulary: createVocabulary({
      longest: head.longest,
      starts: new Uint32Array(buffer, at(places.starts), pieces + 1),
      slots: new Uint16Array(buffer, at(places.slots), head.slots),
      units: new Uint16Array(buffer, at(places.units), head.units),
    }),
    weights: new Float32Array(buffer, at(places.weights), pieces),
    scales: new Float32Array(buffer, at(places.scales), pieces),
    block: (index) => {
      const known = blocks[index];
      if (known !== undefined) return known;
      const size = ROWS_PER_BLOCK * dims;
      const start = places.rows + index * size;
      const bytes = source.read(start, Math.min(start + size, places.end));
      if (crc32(bytes) !== checksums[index]) throw damaged(OTHER_SUM);
      const block = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
      blocks[index] = block;
      return block;
    },
  };
}

/** The bytes of a table. Same parts, same bytes. */
export function writeTokenTable({ dims, pieces, weights, scales, rows }: TokenTableParts): Uint8Array {
  const { longest, units, starts, slots } = layOutVocabulary(pieces);
  const sizes = { dims, pieces: pieces.length, units: units.length, slots: slots.length, longest };
  const places = layOut(sizes);
  const bytes = new Uint8Array(places.end);
  const size = ROWS_PER_BLOCK * dims;
  const checksums = Uint32Array.from({ length: blocksOf(pieces.length) }, (_, block) =>
    crc32(bytesOf(rows).subarray(block * size, (block + 1) * size)),
  );
  bytes.set(bytesOf(weights), places.weights);
  bytes.set(bytesOf(scales), places.scales);
  bytes.set(bytesOf(starts), places.starts);
  bytes.set(bytesOf(checksums), places.checksums);
  bytes.set(bytesOf(slots), places.slots);
  bytes.set(bytesOf(units), places.units);
  bytes.set(bytesOf(rows), places.rows);
  bytes.set(Buffer.from(MAGIC, "latin1"));
  const view = new DataView(bytes.buffer);
  const checksum = crc32(bytes.subarray(HEADER_BYTES, places.rows));
  [VERSION, dims, pieces.length, units.length, slots.length, longest, bytes.length, checksum].forEach(
    (value, index) => {
      view.setUint32(8 + index * 4, value, true);
    },
  );
  return bytes;
}

/** A table that is in memory. */
export function bytesSource(bytes: Uint8Array): ByteSource {
  return { size: bytes.length, read: (start, end) => bytes.subarray(start, end) };
}

/** Keeps the file open: what is read later belongs to what was read first, also when another version takes its place. */
function fileSource(path: string): ByteSource {
  try {
    const file = openSync(path, "r");
    return {
      size: fstatSync(file).size,
      read: (start, end) => {
        const bytes = new Uint8Array(end - start);
        const length = readSync(file, bytes, 0, bytes.length, start);
        return bytes.subarray(0, length);
      },
    };
  } catch (cause) {
    throw new YoreError("unreadable", "The token table that belongs to the program can't be read.", {
      hint: HINT,
      cause,
    });
  }
}

interface Sizes {
  readonly dims: number;
  readonly pieces: number;
  readonly units: number;
  readonly slots: number;
  readonly longest: number;
}

function headOf(source: ByteSource): Sizes & { readonly checksum: number } {
  const bytes = source.read(0, Math.min(HEADER_BYTES, source.size));
  if (bytes.length < HEADER_BYTES || Buffer.from(bytes).toString("latin1", 0, 8) !== MAGIC) {
    throw damaged("it does not begin as one");
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const number = (index: number): number => view.getUint32(8 + index * 4, true);
  if (number(0) !== VERSION) throw damaged(`it is of version ${number(0)}, and ${VERSION} was expected`);
  if (number(6) !== source.size) throw damaged(`it has ${source.size} bytes, and ${number(6)} were expected`);
  return {
    dims: number(1),
    pieces: number(2),
    units: number(3),
    slots: number(4),
    longest: number(5),
    checksum: number(7),
  };
}

/** Where each part begins. Those of larger numbers come first, so that all lie as processors want them. */
function layOut({ dims, pieces, units, slots }: Omit<Sizes, "longest">): Record<Part | "end", number> {
  const weights = HEADER_BYTES;
  const scales = weights + pieces * 4;
  const starts = scales + pieces * 4;
  const checksums = starts + (pieces + 1) * 4;
  const slotsAt = checksums + blocksOf(pieces) * 4;
  const unitsAt = slotsAt + slots * 2;
  const rows = unitsAt + units * 2;
  return { weights, scales, starts, checksums, slots: slotsAt, units: unitsAt, rows, end: rows + pieces * dims };
}

type Part = "weights" | "scales" | "starts" | "checksums" | "slots" | "units" | "rows";

function blocksOf(pieces: number): number {
  return Math.ceil(pieces / ROWS_PER_BLOCK);
}

function bytesOf({ buffer, byteOffset, byteLength }: Exclude<NodeJS.TypedArray, bigint>): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Numbers of several bytes are read where they lie, for which that must be a multiple of their size. */
function aligned(bytes: Uint8Array): Uint8Array {
  if (!LITTLE_ENDIAN)
    throw new YoreError("unreadable", "The token table can only be read on little-endian processors.");
  return bytes.byteOffset % 4 === 0 ? bytes : Uint8Array.from(bytes);
}

const FILE = "token-table.bin";
/** Folders between a source file, or a bundle for tests, and the project's own. */
const MAX_LEVELS = 5;

/** Beside the bundle. From source, it is in the project's folder of assets. */
function tablePath(): string {
  const beside = join(import.meta.dirname, FILE);
  if (existsSync(beside)) return beside;
  let folder = import.meta.dirname;
  for (let level = 0; level < MAX_LEVELS; level += 1) {
    folder = dirname(folder);
    const path = join(folder, "assets", FILE);
    if (existsSync(path)) return path;
  }
  return beside;
}

const OTHER_SUM = "its checksum is another";
const HINT = "Install yore anew.";

function damaged(how: string): YoreError {
  return new YoreError("unreadable", `The token table that belongs to the program is damaged: ${how}.`, { hint: HINT });
}
