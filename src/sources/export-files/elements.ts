/** One object of a JSON text, as it is written; undefined where it is too large to be taken whole. */
export type Element = Buffer | undefined;

/**
 * The objects in a JSON array, one at a time, so that an array of gigabytes needs no more memory than its largest object.
 * Of a text that is no array, the objects that follow each other: a single one, or JSON Lines. What is no object is
 * passed over, and so is an object without an end. Returns whether the text came to its end.
 */
export function* splitElements(pieces: Iterable<Uint8Array>, maxBytes = MAX_BYTES): Generator<Element, boolean> {
  let base: number | undefined;
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let held: Uint8Array[] = [];
  let bytes = 0;
  const hold = (piece: Uint8Array): void => {
    bytes += piece.length;
    if (bytes <= maxBytes) held.push(piece);
    else held = [];
  };
  for (const given of pieces) {
    const piece = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
    let start = 0;
    let at = 0;
    while (at < piece.length) {
      if (isText) {
        const end = endOfText(piece, at, isEscaped);
        isEscaped = end.isEscaped;
        isText = end.at === -1;
        at = isText ? piece.length : end.at + 1;
        continue;
      }
      const byte = piece[at] ?? 0;
      at += 1;
      if (byte === QUOTE) isText = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
        base ??= byte === OPEN_ARRAY ? 1 : 0;
        if (depth === base && byte === OPEN_OBJECT) [start, held, bytes] = [at - 1, [], 0];
        depth += 1;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
        depth = Math.max(0, depth - 1);
        if (depth !== base || byte !== CLOSE_OBJECT) continue;
        hold(piece.subarray(start, at));
        yield bytes > maxBytes ? undefined : Buffer.concat(held);
        held = [];
      }
    }
    // A copy, since the reader of the pieces may use its buffer again.
    if (base !== undefined && depth > base) hold(Buffer.from(piece.subarray(start)));
  }
  return depth === 0 && !isText;
}

const MAX_BYTES = 256_000_000;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/** Where a string that is open at `from` ends, or -1, and whether the piece ends behind an escaping backslash. */
function endOfText(piece: Buffer, from: number, isEscaped: boolean): { at: number; isEscaped: boolean } {
  // The first byte may be one that the piece before escaped.
  const first = isEscaped ? from + 1 : from;
  let at = piece.indexOf(QUOTE, first);
  while (at !== -1 && backslashesBefore(piece, at, first) % 2 === 1) at = piece.indexOf(QUOTE, at + 1);
  return { at, isEscaped: at === -1 && backslashesBefore(piece, piece.length, first) % 2 === 1 };
}

function backslashesBefore(piece: Buffer, at: number, from: number): number {
  let count = 0;
  while (at - count - 1 >= from && piece[at - count - 1] === BACKSLASH) count += 1;
  return count;
}
