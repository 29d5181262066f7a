/**
 * The pieces of words a model knows, each with its number. A piece is looked up by its UTF-16 units, with the hash that
 * `hashStart` and `hashUnit` give, so that nothing is made of a text to look it up.
 */
export interface Vocabulary extends VocabularyParts {
  readonly size: number;
  /** The number of the piece that stands in `text` from `start` to `end`, or -1. */
  readonly find: (text: Uint16Array, start: number, end: number, isContinued: boolean, hash: number) => number;
}

/** How a vocabulary is kept: it is used as it lies in a file, since to lay it out takes longer than most commands run. */
export interface VocabularyParts {
  /** Units of the longest piece. */
  readonly longest: number;
  /** What the pieces are spelled with, one after the other. */
  readonly units: Uint16Array;
  /** Twice the place of each piece's first unit, and 1 more for a piece that continues a word; at last that of the end. */
  readonly starts: Uint32Array;
  /** Numbers of pieces by their hashes. There are more than pieces, a power of two. */
  readonly slots: Uint16Array;
}

/** Where no piece is. A number of so many bits is enough: BERT has 30,522 pieces. */
const EMPTY = 0xffff;

/** What continues a word is another piece than what begins one. */
export function hashStart(isContinued: boolean): number {
  return isContinued ? 0x2c1b_3c6d : 0x1234_5679;
}

export function hashUnit(hash: number, unit: number): number {
  const mixed = Math.imul(hash ^ unit, 0x0100_0193);
  return mixed ^ (mixed >>> 15);
}

/** Lays out pieces in the order of their numbers. One that continues a word begins with `##`. */
export function layOutVocabulary(pieces: readonly string[]): VocabularyParts {
  const spelled = pieces.map((piece) => ({
    isContinued: piece.length > 2 && piece.startsWith("##"),
    units: unitsOf(piece.length > 2 && piece.startsWith("##") ? piece.slice(2) : piece),
  }));
  const starts = new Uint32Array(pieces.length + 1);
  const slots = new Uint16Array(2 ** Math.ceil(Math.log2(pieces.length * 2 + 2))).fill(EMPTY);
  let end = 0;
  spelled.forEach(({ isContinued, units }, piece) => {
    starts[piece] = end * 2 + (isContinued ? 1 : 0);
    end += units.length;
    let slot = hashOf(units, isContinued) & (slots.length - 1);
    while (slots[slot] !== EMPTY) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = piece;
  });
  starts[pieces.length] = end * 2;
  const units = Uint16Array.from(spelled.flatMap((piece) => [...piece.units]));
  return { longest: Math.max(0, ...spelled.map((piece) => piece.units.length)), units, starts, slots };
}

export function createVocabulary(parts: VocabularyParts): Vocabulary {
  const { units, starts, slots } = parts;
  const last = slots.length - 1;
  const find = (text: Uint16Array, start: number, end: number, isContinued: boolean, hash: number): number => {
    const kind = isContinued ? 1 : 0;
    for (let slot = hash & last; ; slot = (slot + 1) & last) {
      const piece = slots[slot] ?? EMPTY;
      if (piece === EMPTY) return -1;
      const from = starts[piece] ?? 0;
      if ((from & 1) !== kind) continue;
      let of = from >>> 1;
      if (((starts[piece + 1] ?? 0) >>> 1) - of !== end - start) continue;
      let at = start;
      while (at < end && text[at] === units[of]) {
        at += 1;
        of += 1;
      }
      if (at === end) return piece;
    }
  };
  return { ...parts, size: starts.length - 1, find };
}

/** The number of a piece that begins a word, such as `[UNK]`, by its name, or -1. */
export function numberOf(vocabulary: Vocabulary, name: string): number {
  const units = unitsOf(name);
  return vocabulary.find(units, 0, units.length, false, hashOf(units, false));
}

function hashOf(units: Uint16Array, isContinued: boolean): number {
  return units.reduce((hash, unit) => hashUnit(hash, unit), hashStart(isContinued));
}

function unitsOf(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
}
