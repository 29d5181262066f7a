/** What git noted of a file when it last looked at it. */
export interface IndexedFile {
  readonly seconds: number;
  /** 0 where git does not note them. */
  readonly nanoseconds: number;
  /** Of the file's bytes, modulo 2³². */
  readonly size: number;
}

const ENTRY = 62;
const EXTENDED = 0x4000;
const NAME_LENGTH = 0x0fff;

/**
 * Looks up files in git's list of what is tracked. Undefined for a list that is damaged, or of a version that spells names
 * otherwise (4). Costs a look at each entry, and reads the names of few.
 */
export function findInIndex(index: Buffer, wanted: ReadonlySet<string>): ReadonlyMap<string, IndexedFile> | undefined {
  const version = index.length < 12 || index.toString("latin1", 0, 4) !== "DIRC" ? 0 : index.readUInt32BE(4);
  if (version !== 2 && version !== 3) return undefined;
  const names = new Map([...wanted].map((name) => [name, Buffer.from(name)]));
  const marks = new Set([...names.values()].map((name) => markOf(name, 0, name.length)));
  const found = new Map<string, IndexedFile>();
  const count = index.readUInt32BE(8);
  let at = 12;
  for (let entry = 0; entry < count; entry += 1) {
    if (at + ENTRY > index.length) return undefined;
    const flags = index.readUInt16BE(at + 60);
    const start = at + ENTRY + ((flags & EXTENDED) === 0 ? 0 : 2);
    const noted = flags & NAME_LENGTH;
    const length = noted < NAME_LENGTH ? noted : index.indexOf(0, start) - start;
    if (length < 0 || start + length > index.length) return undefined;
    if (marks.has(markOf(index, start, length))) {
      const name = index.toString("utf8", start, start + length);
      if (wanted.has(name)) found.set(name, entryAt(index, at));
    }
    // Entries end with one to eight zeros, so that the next begins at a multiple of eight.
    at += (start - at + length + 8) & ~7;
  }
  return found;
}

function entryAt(index: Buffer, at: number): IndexedFile {
  return {
    seconds: index.readUInt32BE(at + 8),
    nanoseconds: index.readUInt32BE(at + 12),
    size: index.readUInt32BE(at + 36),
  };
}

/** Tells most names apart without reading them. */
function markOf(bytes: Buffer, start: number, length: number): number {
  const end = start + length;
  const byte = (place: number): number => (place < start ? 0 : (bytes[place] ?? 0));
  return ((length & 0xff) << 24) ^ (byte(end - 1) << 16) ^ (byte(end - 5) << 8) ^ byte(end - 9);
}
