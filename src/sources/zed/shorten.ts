/**
 * Cuts the string literals of a JSON text in UTF-8 that comes in pieces, each to about `maxBytes`, with a marker at its
 * end. JSON stays JSON: nothing is cut within an escape or a character.
 */
export function createCutter(maxBytes: number): (piece: Uint8Array) => readonly Uint8Array[] {
  let isInString = false;
  let isCut = false;
  let length = 0;
  /** Bytes of an escape that are still to come. */
  let pending = 0;
  return (piece) => {
    const out: Uint8Array[] = [];
    let from = isCut ? piece.length : 0;
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at];
      if (!isInString) {
        if (byte !== QUOTE) continue;
        isInString = true;
        length = 0;
        continue;
      }
      length += 1;
      if (pending > 0) pending = pending === 1 && byte === LETTER_U ? 4 : Math.max(0, pending - 1);
      else if (byte === BACKSLASH) {
        if (!isCut && length > maxBytes) cut(at);
        pending = 1;
      } else if (byte === QUOTE) {
        if (isCut) from = at;
        isInString = false;
        isCut = false;
      } else if (!isCut && length > maxBytes && isStart(byte)) cut(at);
    }
    if (!isCut) out.push(piece.subarray(from));
    return out;

    function cut(at: number): void {
      out.push(piece.subarray(from, at), MARKER);
      isCut = true;
    }
  };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const MARKER = new TextEncoder().encode(" […cut…]");

function isStart(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) !== 0x80;
}
